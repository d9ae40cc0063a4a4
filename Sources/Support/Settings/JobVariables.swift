import Syntax

/// The variables of the environment, and which of them the text of a job may name.
package struct JobVariables: Sendable, ExpressibleByDictionaryLiteral {
  private let all: [String: String]
  /// Nil for all of them.
  private let allowed: Set<String>?
  /// Why not all of them are allowed, in words.
  private let reason: String

  package init(_ all: [String: String], allowed: Set<String>? = nil, because reason: String = "") {
    self.all = all
    self.allowed = allowed
    self.reason = reason
  }

  package init(dictionaryLiteral elements: (String, String)...) {
    self.init(Dictionary(elements) { first, _ in first })
  }

  /// The value of a variable that a job names at a place; nil where it is not set.
  package func value(of name: String, at place: Int) throws(Mistake) -> String? {
    guard allowed?.contains(name) ?? true else {
      throw Mistake(
        place, "this job may not use the environment variable \(name): \(reason)",
        help: "--env \(name) allows it, for jobs that you trust with its value")
    }
    return all[name]
  }
}
