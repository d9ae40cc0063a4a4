import ContentDigests
import Syntax

/// Which part of a job a command takes: as typed, or as the system says that has started it many times.
enum ShardChoice: Sendable, Hashable {
  case part(Shard)
  /// With the number of parts, where the system does not say it.
  case automatic(of: Int?)

  /// A system that starts one command many times, and the variables in which it says which time this is.
  struct System: Sendable {
    var name: String
    var index: String
    /// The variable of the first number, or that number.
    var first: (variable: String?, number: Int) = (nil, 0)
    /// The variable that says how far the numbers lie apart.
    var step: String?
    var count: String
  }

  /// The systems' own documents name these variables.
  static let systems: [System] = [
    System(
      name: "Slurm", index: "SLURM_ARRAY_TASK_ID", first: ("SLURM_ARRAY_TASK_MIN", 0),
      step: "SLURM_ARRAY_TASK_STEP", count: "SLURM_ARRAY_TASK_COUNT"),
    System(name: "Kubernetes", index: "JOB_COMPLETION_INDEX", count: "PREHEAT_SHARDS"),
    System(name: "AWS Batch", index: "AWS_BATCH_JOB_ARRAY_INDEX", count: "AWS_BATCH_JOB_ARRAY_SIZE"),
    System(name: "GitLab", index: "CI_NODE_INDEX", first: (nil, 1), count: "CI_NODE_TOTAL"),
    System(name: "Buildkite", index: "BUILDKITE_PARALLEL_JOB", count: "BUILDKITE_PARALLEL_JOB_COUNT"),
    System(name: "CircleCI", index: "CIRCLE_NODE_INDEX", count: "CIRCLE_NODE_TOTAL"),
    System(
      name: "Azure Pipelines", index: "SYSTEM_JOBPOSITIONINPHASE", first: (nil, 1),
      count: "SYSTEM_TOTALJOBSINPHASE"),
    System(name: "Cloud Run", index: "CLOUD_RUN_TASK_INDEX", count: "CLOUD_RUN_TASK_COUNT"),
    System(name: "GitHub", index: "STRATEGY_JOB_INDEX", count: "STRATEGY_JOB_TOTAL"),
  ]

  /// - Throws: where no system says it, one says it wrongly, or two say different things.
  func shard(in environment: [String: String]) throws(UsageError) -> Shard {
    let count: Int?
    switch self {
    case .part(let shard): return shard
    case .automatic(let parts): count = parts
    }
    var found: [(system: System, shard: Shard)] = []
    for system in Self.systems where environment[system.index].map({ !$0.isEmpty }) ?? false {
      found.append((system, try system.shard(in: environment, of: count)))
    }
    guard let first = found.first else {
      let names = Self.systems.map { "\($0.index) with \($0.count) (\($0.name))" }.joined(separator: ", ")
      throw Self.unclear("none of these variables is set: \(names)")
    }
    if let other = found.first(where: { $0.shard != first.shard }) {
      throw UsageError(
        .conflict,
        "--shard auto: \(first.system.index) says \(first.shard.text) and \(other.system.index) \(other.shard.text)",
        suggestion: "give the part: --shard \(first.shard.text)")
    }
    return first.shard
  }

  fileprivate static func unclear(_ why: String) -> UsageError {
    UsageError(.invalidValue, "--shard auto: \(why)", suggestion: "give the part: --shard 1/8")
  }
}

extension ShardChoice.System {
  fileprivate func shard(in environment: [String: String], of named: Int?) throws(UsageError) -> Shard {
    let index = try number(self.index, environment)
    let step =
      try self.step.map { name throws(UsageError) in
        environment[name] == nil ? 1 : try number(name, environment)
      } ?? 1
    var first = self.first.number
    if let name = self.first.variable, environment[name] != nil {
      first = try number(name, environment)
    }
    // Kubernetes says no number of parts by itself.
    let said = named != nil && environment[self.count] == nil ? nil : try number(self.count, environment)
    if let named, let said, named != said {
      throw UsageError(
        .conflict, "--shard auto/\(named): \(self.count) says that there are \(said) parts",
        suggestion: "leave one of them out")
    }
    let count = said ?? named ?? 0
    let (place, overflows) = index.subtractingReportingOverflow(first)
    guard !overflows, place >= 0, step > 0, place % step == 0, place / step < Shard.most,
      let shard = Shard(number: place / step + 1, of: count)
    else {
      throw ShardChoice.unclear("\(self.index) is \(index), but \(self.count) is \(count)")
    }
    return shard
  }

  private func number(_ variable: String, _ environment: [String: String]) throws(UsageError) -> Int {
    guard let text = environment[variable], !text.isEmpty else {
      throw UsageError(
        .invalidValue, "--shard auto: \(index) is set, but \(variable) is not",
        suggestion: "set it, or give the part: --shard 1/8")
    }
    guard let number = Int(text), (0...Int(Int32.max)).contains(number) else {
      throw ShardChoice.unclear("\(variable) is not a number")
    }
    return number
  }
}

extension CommandRows {
  /// Of every command whose work can be shared.
  static let shard = Setting(
    CommandKey.shard,
    SettingType<ShardChoice>("I/N") { word, _, start throws(Mistake) in
      if word == "auto" { return .automatic(of: nil) }
      if word.hasPrefix("auto/"), let count = Shard("1/\(word.dropFirst(5))")?.count {
        return .automatic(of: count)
      }
      if let shard = Shard(word) { return .part(shard) }
      throw Mistake(
        start, "\(Mistake.quote(word)) is not a part",
        help: "write 3/7 for the third of seven parts, or auto")
    }.optional, in: .command, .job, "process only a part of the sources",
    detail: """
      3/7 is the third of seven parts. The digest of its URL decides to which part a source belongs. auto reads the part \
      from the variables of Slurm, Kubernetes, AWS Batch, Cloud Run or the CI system; use auto/8 if they do not contain \
      the number of parts. Each part has its own cache folder: {shard} in the folder's name is replaced, or \
      .shard-3-of-7 is added. preheat merge joins the folders.
      """
  ).with { $0.defaultText = "the whole job" }
}
