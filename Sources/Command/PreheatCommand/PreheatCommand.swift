import CacheStore
import FileStore
import Foundation
import JobFile
import Text

/// The command line tool.
package enum PreheatCommand {
  /// Every command that does something.
  static let commands: [any Command.Type] = [
    RunCommand.self, PlanCommand.self, InitCommand.self, KeyCommand.self, ReplayCommand.self,
    BundleCommand.self, InspectCommand.self, VerifyCommand.self, SweepCommand.self, MergeCommand.self,
    DiffCommand.self, CodeCommand.self, TimingsCommand.self, ReportCommand.self, DoctorCommand.self,
    HelpCommand.self,
  ]

  /// Runs the tool with the process's own arguments and environment, and ends the process. The caller's thread is to go
  /// on with `dispatchMain()`.
  ///
  /// - Parameter beforeThreads: is called before the first thread is needed, so not for help, keys and the version.
  package static func main(_ beforeThreads: @escaping @Sendable () -> Void) {
    StandardStreams.ignoreSignals()
    let process = ProcessInfo.processInfo
    let environment = process.environment
    let variables = environment.keys.filter { $0 == "HOME" || $0.hasPrefix("PREHEAT_") }.sorted()
    let given = UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc)).dropFirst()
    let bytes = (Array(given) + variables.map { getenv($0) }).compactMap { $0.map { SystemCall.bytes($0) } }
    Task.immediateDetached {
      exit(
        await run(
          arguments: Array(process.arguments.dropFirst()), environment: environment, bytes: bytes,
          beforeThreads: beforeThreads))
    }
  }

  /// Runs the tool.
  ///
  /// - Parameters:
  ///   - arguments: without the program's name.
  ///   - bytes: those of arguments and variables as the system gave them.
  /// - Returns: the exit code, see ``ExitCode``.
  static func run(
    arguments: [String], environment: [String: String], bytes: [[UInt8]] = [],
    output: TextStream = StandardStreams.output, messages: TextStream = StandardStreams.error,
    table: OptionTable = .preheat, beforeThreads: @Sendable () -> Void = {}
  ) async -> Int32 {
    // A command line that cannot be read says nothing else of it.
    let isJSON = arguments.prefix { $0 != "--" }.contains("--json")
    func object(_ error: ErrorObject) { if isJSON { try? output.write(error.jsonLine) } }
    do {
      for bytes in bytes { try checkText(bytes, "an argument or a variable") }
      return try await ReadFiles.$current.withValue(ReadFiles()) {
        try await dispatch(arguments, environment, output, messages, table, beforeThreads).rawValue
      }
    } catch let failure as UsageError {
      object(ErrorObject(failure))
      let isNameAlone = failure.code == .missingCommand
      try? messages.write(
        isNameAlone ? HelpPage.overview(table).text : failure.lines.map { $0 + "\n" }.joined())
      return ExitCode.usage.rawValue
    } catch {
      object(ErrorObject("\(error)"))
      try? messages.write("preheat: error: \(SafeText.escape("\(error)"))\n")
      return ((error as? StreamFailure)?.exitCode ?? .unexpected).rawValue
    }
  }

  private static func dispatch(
    _ arguments: [String], _ environment: [String: String], _ output: TextStream, _ messages: TextStream,
    _ table: OptionTable, _ beforeThreads: @Sendable () -> Void
  ) async throws -> ExitCode {
    if arguments.first == Completions.word {
      try output.write(Completions(table: table).text(Array(arguments.dropFirst())))
      return .success
    }
    let low = try LowArguments(parsing: arguments, table: table)
    if !low.occurrences(of: "version").isEmpty {
      try output.write("preheat \(PreheatVersion.text)\n")
      return .success
    }
    let command = try low.words.first.map { word throws(UsageError) in try spec(word, table) }
    if let help = low.occurrences(of: "help").last {
      let page = command.map { help.spelling == "-h" ? HelpPage.brief($0) : .full($0) } ?? .overview(table)
      try output.write(page.text)
      return .success
    }
    guard let command else {
      throw UsageError(.missingCommand, "a command is missing", suggestion: "for example: preheat run JOB")
    }
    if command.name != HelpCommand.spec.name {
      guard let folder = SystemCall.workingDirectory else {
        throw UsageError(
          .invalidValue, "the working directory is gone: paths lead nowhere",
          suggestion: "change to a folder that exists")
      }
      try checkText(folder, "the working directory")
    }
    guard let type = commands.first(where: { $0.spec.name == command.name }) else {
      throw UsageError(.unknownCommand, "unknown command '\(command.name)'")
    }
    if type != HelpCommand.self, type != KeyCommand.self {
      beforeThreads()
      // Leaves the main thread to what waits for it.
      await Task.yield()
    }
    do {
      let values = try OptionValues(low, command: command, environment: environment, table: table)
      let json = values[CommandKey.json]
      let context = CommandContext(
        environment: environment, output: output, json: json,
        console: Console(
          stream: messages, terminal: .of(messages, environment: environment),
          verbosity: try values.verbosity(), isJournal: messages.isJournal(environment),
          progress: values[CommandKey.progress], objects: json ? output : nil))
      try JobLoading.show(values.findings, in: context)
      if values.findings.hasErrors { return .usage }
      do {
        return try await type.init(values).run(in: context)
      } catch {
        let isOfFiles = error is FileStoreError || error is LedgerFailure || error is SystemCall.Failure
        guard let failure = isOfFiles ? ToolError(error) : error as? any CommandFailure else { throw error }
        context.console.error(failure.object)
        return failure.exitCode
      }
    } catch var mistake as UsageError {
      mistake.command = command.name
      throw mistake
    }
  }

  /// Paths are texts here: one of other bytes would be read as another path.
  private static func checkText(_ bytes: [UInt8], _ what: String) throws(UsageError) {
    let shown = String(showing: bytes)
    if shown.utf8.elementsEqual(bytes) { return }
    // A header's value is secret.
    let text = bytes.contains(UInt8(ascii: ":")) ? "" : " '\(shown)'"
    throw UsageError(
      .invalidValue, "\(what)\(text) is not valid UTF-8",
      suggestion: "rename the file or folder, or link to it")
  }

  /// The row of a command word.
  static func spec(_ word: String, _ table: OptionTable = .preheat) throws(UsageError) -> CommandSpec {
    if let command = table.command(named: word) { return command }
    if HelpTopic(rawValue: word) != nil {
      throw UsageError(
        .unknownCommand, "unknown command '\(word)'", suggestion: "did you mean 'preheat help \(word)'?")
    }
    let suggestion =
      word.hasSuffix(".job") || word.hasSuffix(".txt")
      ? "did you mean 'preheat run \(word)'?"
      : nearestWord(to: word, in: table.commands.map(\.name)).map { "did you mean '\($0)'?" }
    throw UsageError(.unknownCommand, "unknown command '\(word)'", suggestion: suggestion)
  }
}

/// One command word: what help says of it, its options, what it does. A command is one file in `Commands`, named in
/// ``PreheatCommand/commands``.
protocol Command: Sendable {
  /// Its row of the table.
  static var spec: CommandSpec { get }

  /// Takes what was typed; nothing has been started when this throws.
  init(_ values: OptionValues) throws(UsageError)

  /// Does the work. An error that is thrown is printed and ends the program with
  /// ``ExitCode/unexpected``; those that people can act on are better printed here, with their own code.
  func run(in context: CommandContext) async throws -> ExitCode
}

/// The environment and the streams of a command.
struct CommandContext: Sendable {
  var environment: [String: String]
  /// Results.
  var output: TextStream
  /// Whether results are objects for programs.
  var json = false
  /// Messages and progress.
  var console: Console
}
