/// An error or a warning about a job's text, with its place.
public struct RecordedFinding: Sendable, Hashable, Codable {
  public var isError: Bool
  public var file: String
  /// From 1.
  public var line: Int
  public var column: Int
  public var message: String
  public var help: String?

  public init(isError: Bool, file: String, line: Int, column: Int, message: String, help: String?) {
    self.isError = isError
    self.file = file
    self.line = line
    self.column = column
    self.message = message
    self.help = help
  }
}
