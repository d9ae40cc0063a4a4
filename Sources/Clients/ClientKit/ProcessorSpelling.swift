/// How a job spells a processor, or one form of it: the names that its reader takes, and what help says of them.
package struct ProcessorSpelling: Sendable, Hashable {
  package struct Argument: Sendable, Hashable {
    /// Nil for one without a name.
    package var label: String?
    /// What stands for its value: `WxH`, `points|pixels`.
    package var value: String
    package var isNeeded: Bool
    /// What holds where it is left out, if that is a value.
    package var fallback: String?

    package static func needed(_ label: String, _ value: String) -> Self {
      Self(label: label, value: value, isNeeded: true)
    }

    package static func unnamed(_ value: String) -> Self { Self(label: nil, value: value, isNeeded: true) }

    package static func optional(_ label: String, _ value: String, _ fallback: String? = nil) -> Self {
      Self(label: label, value: value, isNeeded: false, fallback: fallback)
    }

    /// One of an enumeration's words.
    package static func optional<Choice: CaseIterable & RawRepresentable>(
      _ label: String, _ fallback: Choice
    ) -> Self where Choice.RawValue == String {
      optional(label, Choice.allCases.map(\.rawValue).joined(separator: "|"), fallback.rawValue)
    }

    package static func optional(_ label: String, _ fallback: Bool) -> Self {
      optional(label, "true|false", "\(fallback)")
    }

    /// `size: WxH`, `[crop: true|false = false]`.
    fileprivate var usage: String {
      let text = (label.map { "\($0): " } ?? "") + value
      return isNeeded ? text : "[\(text)\(fallback.map { " = \($0)" } ?? "")]"
    }
  }

  package let name: String
  /// What it does, without a full stop.
  package let summary: String
  package let arguments: [Argument]

  package init(_ name: String, _ arguments: [Argument] = [], _ summary: String) {
    self.name = name
    self.arguments = arguments
    self.summary = summary
  }

  /// The names of its arguments.
  package var labels: [String] { arguments.compactMap(\.label) }

  /// `circle([border: BORDER])`
  package var usage: String {
    arguments.isEmpty ? name : "\(name)(\(arguments.map(\.usage).joined(separator: ", ")))"
  }

  /// The words of several, each once.
  package static func names(_ spellings: [ProcessorSpelling]) -> [String] {
    var seen: Set<String> = []
    return spellings.map(\.name).filter { seen.insert($0).inserted }
  }

  /// The names that any of several takes.
  package static func labels(_ spellings: [ProcessorSpelling]) -> [String] {
    var seen: Set<String> = []
    return spellings.flatMap(\.labels).filter { seen.insert($0).inserted }
  }
}

extension ProcessorSpelling {
  init(_ row: ProcessorRow) {
    self.init(
      row.name,
      row.parameters.map {
        Argument(
          label: $0.label, value: $0.type.placeholder, isNeeded: $0.isNeeded,
          fallback: $0.fallback.map($0.type.text))
      }, row.summary)
  }

  static let custom = ProcessorSpelling(
    "custom", [.unnamed("\"TEXT\"")],
    "a processor of the app's own, by its identifier: its key is known, nothing is drawn")
}
