import Foundation
import Testing

/// The built executables, as a user would start them.
public struct BuiltCommand: Sendable {
  /// What a command said and how it ended, in a process of its own or in that of the test.
  public struct Result: Sendable {
    public var arguments: [String]
    public var status: Int32
    public var output: String
    public var messages: String

    public init(_ arguments: [String], status: Int32, output: String, messages: String) {
      (self.arguments, self.status) = (arguments, status)
      (self.output, self.messages) = (output, messages)
    }

    /// Expects an exit code, texts of the messages and of the output, and that some are in neither.
    ///
    /// - Parameter isSilent: it prints nothing but messages.
    @discardableResult
    public func expect(
      _ status: Int32, _ messages: String..., prints output: String..., lacks others: String...,
      isSilent: Bool = false, at place: SourceLocation = #_sourceLocation
    ) -> Self {
      let missing =
        messages.filter { !$0.isEmpty && !self.messages.contains($0) }
        + output.filter { !$0.isEmpty && !self.output.contains($0) }
      let held = others.filter { (self.output + self.messages).contains($0) }
      let isTooLoud = isSilent && !self.output.isEmpty
      if self.status != status || !missing.isEmpty || !held.isEmpty || isTooLoud {
        let expected = "status \(status), lacks \(missing), holds \(held), prints \(isTooLoud)"
        Issue.record("\(expected): \(self)", sourceLocation: place)
      }
      return self
    }

    /// Of the failures of `--json`.
    public func errorCodes() throws -> [String] {
      try objects().compactMap { ($0["error"] as? [String: Any])?["code"] as? String }
    }

    /// The lines of the output as JSON objects.
    public func objects() throws -> [[String: Any]] {
      try output.split(separator: "\n").map { line in
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
      }
    }
  }

  /// Where the package manager puts its products: the folder of the test bundle.
  public static let products = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    .deletingLastPathComponent()

  /// What users run: the release build where `PREHEAT_PROGRAMS` names its folder (`make test` does), else the products.
  public static let programs =
    ProcessInfo.processInfo.environment["PREHEAT_PROGRAMS"].map { URL(fileURLWithPath: $0) } ?? products

  public static let preheat = programs.appendingPathComponent("preheat")
  public static let renderer = programs.appendingPathComponent("preheat-render")
  public static let installer = programs.appendingPathComponent("install-bundle")

  /// Runs `preheat` to its end.
  ///
  /// - Parameter wrapper: A program and its first arguments; the command line of `preheat` follows them.
  public static func run(
    _ arguments: [String], in folder: URL? = nil, input: String? = nil, environment: [String: String] = [:],
    wrapper: [String] = []
  ) throws -> Result {
    let running = try start(
      arguments, in: folder, input: input, environment: environment, wrapper: wrapper)
    return try running.wait()
  }

  /// Starts `preheat`; its output goes to files, so that it never waits for a reader.
  ///
  /// - Parameter hasOpenInput: what it reads comes while it runs (``Running/write(_:)``).
  public static func start(
    _ arguments: [String], in folder: URL? = nil, input: String? = nil, environment: [String: String] = [:],
    wrapper: [String] = [], hasOpenInput: Bool = false, program: String = preheat.path
  ) throws -> Running {
    let folderOfStreams = try TemporaryFolder()
    let process = Process()
    let words = wrapper + [program] + arguments
    let isPath = words[0].hasPrefix("/")
    process.executableURL = URL(fileURLWithPath: isPath ? words[0] : "/usr/bin/env")
    process.arguments = isPath ? Array(words.dropFirst()) : words
    process.currentDirectoryURL = folder ?? folderOfStreams.url
    var variables = ProcessInfo.processInfo.environment.filter {
      !$0.key.hasPrefix("PREHEAT_") && !$0.key.hasPrefix("GITHUB_")
    }
    variables["CI"] = "1"
    process.environment = variables.merging(environment) { _, given in given }
    for stream in ["in", "out", "err"] {
      try Data((stream == "in" ? input ?? "" : "").utf8).write(to: folderOfStreams.file(stream))
    }
    let pipe = hasOpenInput ? Pipe() : nil
    process.standardInput = try pipe ?? FileHandle(forReadingFrom: folderOfStreams.file("in")) as Any
    process.standardOutput = try FileHandle(forWritingTo: folderOfStreams.file("out"))
    process.standardError = try FileHandle(forWritingTo: folderOfStreams.file("err"))
    try process.run()
    return Running(process: process, streams: folderOfStreams, input: pipe?.fileHandleForWriting)
  }

  /// A command that has not ended yet.
  public struct Running {
    public let process: Process
    let streams: TemporaryFolder
    let input: FileHandle?

    /// Only of a command with an open input.
    public func write(_ text: String) throws { try input?.write(contentsOf: Data(text.utf8)) }
    public func closeInput() { try? input?.close() }

    /// The whole lines of the output until now.
    public func linesSoFar() throws -> [String] {
      let text = String(decoding: try Data(contentsOf: streams.file("out")), as: UTF8.self)
      return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    public func wait() throws -> Result {
      process.waitUntilExit()
      return Result(
        process.arguments ?? [],
        // A process that a signal ended has the shell's number.
        status: process.terminationStatus + (process.terminationReason == .uncaughtSignal ? 128 : 0),
        output: try String(contentsOf: streams.file("out"), encoding: .utf8),
        messages: try String(contentsOf: streams.file("err"), encoding: .utf8))
    }
  }
}
