/// An error or a warning about a job's text, with its place.
package struct RecordedFinding: Sendable, Hashable, Codable {
  package var isError: Bool
  package var file: String
  /// From 1.
  package var line: Int
  package var column: Int
  package var message: String
  package var help: String?

  package init(isError: Bool, file: String, line: Int, column: Int, message: String, help: String?) {
    self.isError = isError
    self.file = file
    self.line = line
    self.column = column
    self.message = message
    self.help = help
  }
}
