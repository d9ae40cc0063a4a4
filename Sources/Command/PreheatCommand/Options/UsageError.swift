import Syntax
import Text

/// A command line that cannot be carried out. Nothing has been started; the exit code is 2.
struct UsageError: Error, Hashable, Sendable {
  enum Code: String, Sendable, Hashable {
    case missingCommand = "missing-command"
    case unknownCommand = "unknown-command"
    case unknownOption = "unknown-option"
    case optionOfOtherCommand = "option-of-other-command"
    case missingValue = "missing-value"
    case unexpectedValue = "unexpected-value"
    case invalidValue = "invalid-value"
    case conflict
    case missingArgument = "missing-argument"
    case unexpectedArgument = "unexpected-argument"
  }

  var code: Code
  /// The mistake, in one line.
  var message: String
  /// A guess at the option or word that was meant.
  var suggestion: String?
  /// The command whose help explains more; where a command has begun, the dispatch fills it in.
  var command: String?

  init(_ code: Code, _ message: String, suggestion: String? = nil, command: String? = nil) {
    self.code = code
    self.message = message
    self.suggestion = suggestion
    self.command = command
  }

  /// The lines for standard error. What was typed may come from anywhere, so it is made safe here.
  var lines: [String] {
    var first = "preheat: error: " + SafeText.escape(message)
    if let suggestion { first += "; " + SafeText.escape(suggestion) }
    return [first, command.map { "try 'preheat help \($0)'" } ?? "try 'preheat help'"]
  }
}

/// An error of the command line or of a tool: a line for people, and with `--json` an object for programs.
struct ErrorObject: Sendable, JSONRecord {
  /// The line for people, without `preheat: error:`.
  var text: String
  var message: String
  /// One of a bounded set; nil for what has none.
  var code: String?
  var advice: String?

  static let json = JSONMembers<Self>(
    type: "error", ("code", \.code), ("message", \.message), ("advice", \.advice))
}

extension ErrorObject {
  init(_ text: String) { self.init(text: text, message: text) }

  init(_ failure: UsageError) {
    self.init(failure.message)
    (code, advice) = ("usage.\(failure.code.rawValue)", failure.suggestion)
  }
}
