/// One finding about a job's text, with its place.
public struct Diagnostic: Error, Hashable, Sendable {
  public enum Severity: String, Hashable, Sendable {
    case error, warning
  }

  public var severity: Severity
  public var file: String
  /// From 1.
  public var line: Int
  /// From 1, in characters.
  public var column: Int
  /// What is wrong.
  public var message: String
  /// What would have been right, and the nearest known word.
  public var help: String?
  /// The line's text, for the caret.
  public var sourceLine: String

  public init(
    _ severity: Severity, file: String, line: Int, column: Int, message: String, help: String? = nil,
    sourceLine: String = ""
  ) {
    self.severity = severity
    self.file = file
    self.line = line
    self.column = column
    self.message = message
    self.help = help
    self.sourceLine = sourceLine
  }
}
