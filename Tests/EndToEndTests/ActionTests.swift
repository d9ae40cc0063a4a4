import Foundation
import TestSupport
import Testing

/// The steps of `action.yml` as GitHub runs them: in Bash, with the inputs in variables.
@Suite(.timeLimit(.minutes(10)))
struct ActionTests {
  /// A step's command, and which input each of its variables holds.
  private static func step(_ name: String) throws -> (command: String, inputs: [String: String]) {
    let text = try String(contentsOf: Fixtures.checkout.appendingPathComponent("action.yml"), encoding: .utf8)
    let step = try #require(text.components(separatedBy: "    - name: ").first { $0.hasPrefix("\(name)\n") })
    let command = try #require(step.firstMatch(of: /run: '(.+)'\n/)?.1)
    let inputs = step.matches(of: /(\w+): \$\{\{ inputs\.(\w+) \}\}\n/).map { (String($0.2), String($0.1)) }
    return (String(command), Dictionary(uniqueKeysWithValues: inputs))
  }

  private static func run(
    _ inputs: [String: String], in folder: URL, step name: String = "Warm the caches", path: String = ""
  ) throws -> (status: Int32, output: String) {
    let step = try step(name)
    try Data(step.command.utf8).write(to: folder.appendingPathComponent("step.sh"))
    let output = folder.appendingPathComponent("output")
    try Data().write(to: output)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "step.sh"]
    process.currentDirectoryURL = folder
    var environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("PREHEAT_") }
    environment["GITHUB_ACTION_PATH"] = Fixtures.checkout.path
    environment["PATH"] = "\(path)\(BuiltCommand.products.path):\(environment["PATH"] ?? "/usr/bin")"
    for name in ["GITHUB_OUTPUT", "GITHUB_PATH"] {
      environment[name] = folder.appendingPathComponent(name).path
    }
    environment["HOME"] = folder.path
    environment["REPOSITORY"] = "a/b"
    for (input, variable) in step.inputs { environment[variable] = inputs[input] ?? "" }
    process.environment = environment
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = process.standardOutput
    try process.run()
    process.waitUntilExit()
    return (process.terminationStatus, try String(contentsOf: output, encoding: .utf8))
  }

  @Test func allLinesOfTheInputsReachTheCommand() async throws {
    try await OwnThread {
      let scene = try Scene(Scene.ordinaryLines[0])
      try scene.write(Scene.ordinaryLines[1], to: "a second.job")
      let made = try Self.run(
        [
          "jobs": "test.job\n'a second.job'\n",
          "arguments": "--retries 0 --quiet\n--metrics \"$(id) *.prom\"",
          "report": "page",
        ], in: scene.folder.url)
      #expect(made.status == 0, "\(made.output)")
      #expect(try scene.entries().count == 12)
      let names = try FileManager.default.contentsOfDirectory(atPath: scene.folder.url.path)
      #expect(names.contains("$(id) *.prom"), "nothing is expanded: \(names)")
      #expect(names.contains("page"))
    }.value
  }

  /// A guard in the second line is a guard.
  @Test func aTrustedRootInTheSecondLineHolds() async throws {
    try await OwnThread {
      let scene = try Scene(Scene.ordinaryLines[0])
      let refused = try Self.run(
        ["jobs": "test.job", "arguments": "--retries 0\n--trusted-root .\n"], in: scene.folder.url)
      #expect(refused.status == 2 && refused.output.contains("trusted"), "\(refused)")
      #expect(!FileManager.default.fileExists(atPath: scene.folder.file("cache").path))
    }.value
  }

  @Test func aQuoteThatDoesNotEndIsAnError() async throws {
    try await OwnThread {
      let scene = try Scene(Scene.ordinaryLines[0])
      let refused = try Self.run(["jobs": "test.job", "arguments": "--retries '0"], in: scene.folder.url)
      #expect(refused.status == 2 && refused.output.contains("::error::the input arguments"), "\(refused)")
      #expect(!FileManager.default.fileExists(atPath: scene.folder.file("cache").path))
    }.value
  }

  /// The report may lie anywhere; the name of its artifact has only what GitHub takes.
  @Test(arguments: [
    ("out/report", "out-report"), ("./page", "page"), ("/tmp/a b:c/", "tmp-a-b-c"), ("..", "preheat-report"),
  ])
  func theArtifactHasANameThatIsAllowed(report: String, name: String) async throws {
    try await OwnThread {
      let folder = try TemporaryFolder()
      _ = try Self.run(["jobs": "missing.job", "report": report, "arguments": "--help"], in: folder.url)
      #expect(try String(contentsOf: folder.file("GITHUB_OUTPUT"), encoding: .utf8) == "artifact=\(name)\n")
    }.value
  }

  /// A preheat that is there is used, unless another release is asked for.
  @Test(arguments: [
    ("", "is installed"), ("v0.1.0", "is installed"), ("v0.9.0", "download v0.9.0"),
    ("v0.1", "download v0.1 "),
  ])
  func theReleaseThatIsAskedForIsInstalled(version: String, expected: String) async throws {
    try await OwnThread {
      let folder = try TemporaryFolder()
      let tools = folder.file("tools")
      try FileManager.default.createDirectory(at: tools, withIntermediateDirectories: true)
      // Says what it was asked for, and has nothing.
      let scripts = ["gh": "echo \"$2 $3\"; exit 7", "preheat": "echo preheat 0.1.0"]
      for (name, line) in scripts {
        try Data("#!/bin/sh\n\(line)\n".utf8).write(to: tools.appendingPathComponent(name))
        try FileManager.default.setAttributes(
          [.posixPermissions: 0o755], ofItemAtPath: tools.appendingPathComponent(name).path)
      }
      let made = try Self.run(
        ["version": version], in: folder.url, step: "Install Preheat", path: "\(tools.path):")
      #expect(made.output.replacing("\n", with: " ").contains(expected), "\(made)")
      #expect(made.status == (expected == "is installed" ? 0 : 7), "\(made)")
    }.value
  }
}
