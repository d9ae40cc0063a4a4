/// One command word: what help says of it, what it is told, what it does. A command is one file in `Commands`, named in
/// ``PreheatCommand/commands``.
package protocol Command: Sendable {
  /// Its row of the table.
  static var spec: CommandSpec { get }

  /// Takes what was typed; nothing has been started when this throws.
  init(_ values: OptionValues) throws(UsageError)

  /// Does the work. An error that is thrown is printed and ends the program with
  /// ``ExitCode/unexpected``; those that people can act on are better printed here, with their own code.
  func run(in context: CommandContext) async throws -> ExitCode
}

/// What a command has to do with the world outside.
package struct CommandContext: Sendable {
  package var environment: [String: String]
  /// Results.
  package var output: TextStream
  /// Whether results are objects for programs.
  package var json = false
  /// Messages and progress.
  package var console: Console
}
