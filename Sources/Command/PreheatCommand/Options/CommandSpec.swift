import Settings

/// One command word with everything that may follow it.
package struct CommandSpec: Sendable {
  package var name: String
  /// What it does, without a full stop.
  package var summary: String
  /// Paragraphs for the places that have room.
  package var detail: [String] = []
  package var positionals: [Positional] = []
  package var examples: [Example] = []
  package var options: [Setting] = []
  /// What it does with jobs and caches: settings of jobs that can change that are options of it.
  package var work: Setting.Work = []
  /// It reads jobs, which may say all settings themselves.
  package var takesJobs = false
  /// Several machines may do a part each.
  package var sharesWork = false

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

  package func option(named name: String) -> Setting? { options.first { $0.flag == name } }

  /// Options by topic, in the order of the topics; common ones first.
  package var topics: [(topic: Setting.Topic, options: [Setting])] {
    Setting.Topic.allCases.compactMap { topic in
      let rows = options.filter { $0.topic == topic }
      return rows.isEmpty ? nil : (topic, rows.filter(\.isCommon) + rows.filter { !$0.isCommon })
    }
  }
}

extension CommandSpec.Positional {
  static let job = CommandSpec.Positional(
    "JOB", .file, 1...Int.max, "a job file or a list of URLs; - is standard input")
  static let cache = CommandSpec.Positional("DIR", .file, 1...1, "the cache folder")
}
