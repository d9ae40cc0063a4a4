/// One command word with everything that may follow it.
public struct CommandSpec: Sendable, Hashable {
  public var name: String
  /// What it does, without a full stop.
  public var summary: String
  /// Paragraphs for the places that have room.
  public var detail: [String] = []
  public var positionals: [Positional] = []
  public var examples: [Example] = []
  public var options: [OptionSpec] = []

  public init(_ name: String, _ summary: String) {
    self.name = name
    self.summary = summary
  }

  func with(_ change: (inout CommandSpec) -> Void) -> CommandSpec {
    var copy = self
    change(&copy)
    return copy
  }

  /// An argument that is known by its place.
  public struct Positional: Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
      case file
      case text
      case command
    }

    public var name: String
    public var kind: Kind
    /// How many there may be.
    public var count: ClosedRange<Int>
    public var help: String

    public init(_ name: String, _ kind: Kind, _ count: ClosedRange<Int>, _ help: String) {
      self.name = name
      self.kind = kind
      self.count = count
      self.help = help
    }

    /// `JOB...`, `[CHAIN]`.
    public var usage: String {
      let text = count.upperBound > 1 ? name + "..." : name
      return count.lowerBound == 0 ? "[\(text)]" : text
    }
  }

  /// A line to copy, and what it does.
  public struct Example: Sendable, Hashable {
    public var line: String
    public var meaning: String

    public init(_ line: String, _ meaning: String) {
      self.line = line
      self.meaning = meaning
    }
  }

  /// `preheat run [options] JOB...`
  public var usage: String {
    (["preheat", name, "[options]"] + positionals.map(\.usage)).joined(separator: " ")
  }

  public var visibleOptions: [OptionSpec] { options.filter { !$0.isHidden } }

  public func option(named name: String) -> OptionSpec? { options.first { $0.name == name } }
}
