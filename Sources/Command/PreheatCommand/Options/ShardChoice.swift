import Bodies
import Syntax

/// Which part of a job a command takes: as typed, or as the system says that has started it many times.
enum ShardChoice: Sendable, Hashable {
  case part(Shard)
  /// With the number of parts, where the system does not say it.
  case automatic(of: Int?)

  /// The variables in which systems say which time this is and of how many, and the first number or its variable. Their
  /// own documents name them.
  static let systems: [(index: String, count: String, base: String)] = [
    ("SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MIN"),
    ("JOB_COMPLETION_INDEX", "PREHEAT_SHARDS", "0"),
    ("AWS_BATCH_JOB_ARRAY_INDEX", "AWS_BATCH_JOB_ARRAY_SIZE", "0"),
    ("CI_NODE_INDEX", "CI_NODE_TOTAL", "1"),
    ("BUILDKITE_PARALLEL_JOB", "BUILDKITE_PARALLEL_JOB_COUNT", "0"),
    ("CIRCLE_NODE_INDEX", "CIRCLE_NODE_TOTAL", "0"),
    ("SYSTEM_JOBPOSITIONINPHASE", "SYSTEM_TOTALJOBSINPHASE", "1"),
    ("CLOUD_RUN_TASK_INDEX", "CLOUD_RUN_TASK_COUNT", "0"),
    ("STRATEGY_JOB_INDEX", "STRATEGY_JOB_TOTAL", "0"),
  ]

  /// - Throws: where no system says it, one says it wrongly, or two say different things.
  func shard(in environment: [String: String]) throws(UsageError) -> Shard {
    let named: Int?
    switch self {
    case .part(let shard): return shard
    case .automatic(let count): named = count
    }
    func number(_ text: String?) -> Int? {
      text.flatMap(Int.init).flatMap { (0...1 << 31).contains($0) ? $0 : nil }
    }
    var found: [Shard] = []
    for (index, count, base) in Self.systems {
      guard let text = environment[index], !text.isEmpty else { continue }
      let parts = environment[count] == nil ? named : number(environment[count])
      let first = number(base) ?? number(environment[base]) ?? 0
      // fits: each is at most 2^31.
      guard let place = number(text).map({ $0 - first + 1 }), let parts, named ?? parts == parts,
        let shard = Shard("\(place)/\(parts)")
      else {
        throw Self.unclear("\(index) is \(text), and \(count) is \(environment[count] ?? "not set")")
      }
      found.append(shard)
    }
    guard let first = found.first else {
      throw Self.unclear(
        "none of these variables is set: \(Self.systems.map(\.index).joined(separator: ", "))")
    }
    guard Set(found).count == 1 else {
      throw Self.unclear("the variables say \(found.map(\.text).joined(separator: " and "))")
    }
    return first
  }

  private static func unclear(_ why: String) -> UsageError {
    UsageError(.invalidValue, "--shard auto: \(why)", suggestion: "give the part: --shard 1/8")
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
