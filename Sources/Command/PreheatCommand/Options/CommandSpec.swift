import Syntax

/// One command word with everything that may follow it.
struct CommandSpec: Sendable {
  var name: String
  /// The work of the command in a few words, without a full stop.
  var summary: String
  /// Paragraphs for the places that have room.
  var detail: [String] = []
  var positionals: [Positional] = []
  /// Lines to copy, and what they do.
  var examples: [(line: String, meaning: String)] = []
  var options: [Setting] = []
  /// The kinds of work that it does: settings of jobs that can change them are its options.
  var work: Setting.Work = []
  /// It reads jobs, which may say all settings themselves.
  var takesJobs = false
  /// Several machines may do a part each.
  var sharesWork = false

  init(_ name: String, _ summary: String) {
    self.name = name
    self.summary = summary
  }

  func with(_ change: (inout CommandSpec) -> Void) -> CommandSpec {
    var copy = self
    change(&copy)
    return copy
  }

  /// An argument that is known by its place.
  struct Positional: Sendable, Hashable {
    var name: String
    /// How many there may be.
    var count: ClosedRange<Int>
    var help: String

    init(_ name: String, _ count: ClosedRange<Int>, _ help: String) {
      (self.name, self.count, self.help) = (name, count, help)
    }

    /// `JOB...`, `[CHAIN]`.
    var usage: String {
      let text = count.upperBound > 1 ? name + "..." : name
      return count.lowerBound == 0 ? "[\(text)]" : text
    }
  }

  /// `preheat run [options] JOB...`
  var usage: String {
    (["preheat", name, "[options]"] + positionals.map(\.usage)).joined(separator: " ")
  }

  func option(named name: String) -> Setting? { options.first { $0.flag == name } }

  /// Options by topic, in the order of the topics; common ones first.
  var topics: [(topic: Setting.Topic, options: [Setting])] {
    Setting.Topic.allCases.compactMap { topic in
      let rows = options.filter { $0.topic == topic }
      return rows.isEmpty ? nil : (topic, rows.filter(\.isCommon) + rows.filter { !$0.isCommon })
    }
  }
}

extension CommandSpec.Positional {
  static let job = CommandSpec.Positional(
    "JOB", 1...Int.max, "a job file or a list of URLs; - is standard input")
  static let cache = CommandSpec.Positional("DIR", 1...1, "the cache folder")
}
