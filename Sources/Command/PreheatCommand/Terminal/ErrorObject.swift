import CacheStore
import Text

/// An error of the command line or of a tool: a line for people, and with `--json` an object for programs.
struct ErrorObject: Sendable, JSONRecord {
  /// The line for people, without `preheat: error:`.
  var text: String
  var message: String
  /// One of a bounded set; nil for what has none.
  var code: String?
  var advice: String?

  init(_ text: String) { (self.text, message) = (text, text) }

  init(_ failure: ToolError) {
    (text, message) = (failure.description, failure.message)
    (code, advice) = ("\(failure.code)", failure.advice)
  }

  init(_ failure: UsageError) {
    self.init(failure.message)
    (code, advice) = ("usage.\(failure.code.rawValue)", failure.suggestion)
  }

  static let json = JSONMembers<Self>(
    type: "error", ("code", \.code), ("message", \.message), ("advice", \.advice))
}
