/// One command word with everything that may follow it.
package struct CommandSpec: Sendable, Hashable {
  package var name: String
  /// What it does, without a full stop.
  package var summary: String
  /// Paragraphs for the places that have room.
  package var detail: [String] = []
  package var positionals: [Positional] = []
  package var examples: [Example] = []
  package var options: [OptionSpec] = []

  package init(_ name: String, _ summary: String) {
    self.name = name
    self.summary = summary
  }

  package func with(_ change: (inout CommandSpec) -> Void) -> CommandSpec {
    var copy = self
    change(&copy)
    return copy
  }

  /// An argument that is known by its place.
  package struct Positional: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
      case file
      case text
      case command
    }

    package var name: String
    package var kind: Kind
    /// How many there may be.
    package var count: ClosedRange<Int>
    package var help: String

    package init(_ name: String, _ kind: Kind, _ count: ClosedRange<Int>, _ help: String) {
      self.name = name
      self.kind = kind
      self.count = count
      self.help = help
    }

    /// `JOB...`, `[CHAIN]`.
    package var usage: String {
      let text = count.upperBound > 1 ? name + "..." : name
      return count.lowerBound == 0 ? "[\(text)]" : text
    }
  }

  /// A line to copy, and what it does.
  package struct Example: Sendable, Hashable {
    package var line: String
    package var meaning: String

    package init(_ line: String, _ meaning: String) {
      self.line = line
      self.meaning = meaning
    }
  }

  /// `preheat run [options] JOB...`
  package var usage: String {
    (["preheat", name, "[options]"] + positionals.map(\.usage)).joined(separator: " ")
  }

  package var visibleOptions: [OptionSpec] { options.filter { !$0.isHidden } }

  package func option(named name: String) -> OptionSpec? { options.first { $0.name == name } }
}
