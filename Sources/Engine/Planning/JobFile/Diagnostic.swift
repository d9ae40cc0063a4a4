/// One finding about a job's text, with its place.
package struct Diagnostic: Error, Hashable, Sendable {
  package enum Severity: String, Hashable, Sendable {
    case error, warning
  }

  package var severity: Severity
  package var file: String
  /// From 1.
  package var line: Int
  /// From 1, in characters.
  package var column: Int
  /// What is wrong.
  package var message: String
  /// What would have been right, and the nearest known word.
  package var help: String?
  /// The line's text, for the caret.
  package var sourceLine: String

  package init(
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
