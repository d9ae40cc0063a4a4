import JobFile
import Syntax
import Text

/// To what a cache is pruned: the files of the jobs that write into it, and whose files may go.
package struct Pruning: Sendable {
  /// The files that stay.
  package let names: Set<ByteText>
  /// The jobs, by their names in the ledger, of each client.
  let jobs: [String: Set<ByteText>]
  /// The part of their files that may go at once, in percent.
  let most: Double
}

extension Pruning {
  /// - Returns: Nil where one of the plans does not ask for pruning or stands in its way, and where they name nothing:
  ///   then a job is more likely to be broken than a whole cache to be unwanted.
  package init?(_ plans: [Plan]) {
    guard !plans.isEmpty, plans.allSatisfy(\.settings.asksForPruning), Self.obstacle(plans) == nil else {
      return nil
    }
    self.init(
      names: Plan.files(of: plans),
      jobs: Dictionary(grouping: plans, by: \.settings.client.name).mapValues { plans in
        Set(plans.map { ByteText($0.jobName) })
      },
      most: plans.map { $0.settings.values[JobKey.pruneMost] }.min() ?? 0)
    if names.isEmpty, !plans.allSatisfy({ $0.settings.values[JobKey.allowEmpty] }) { return nil }
  }

  /// Whether one of the jobs made an entry, with any release of its client.
  ///
  /// - Parameters:
  ///   - job: its name in the ledger.
  ///   - client: with its release: `nuke 12.9.0`.
  package func made(_ job: String, client: String) -> Bool {
    jobs[String(client.prefix { $0 != " " })]?.contains(ByteText(job)) ?? false
  }

  /// Why nothing is removed: lists that came empty look like this.
  package func refusal(removing count: Int, of all: Int, in cache: String) -> String? {
    guard Double(count) * 100 > most * Double(all) else { return nil }
    return
      "\(cache) is not pruned: \(count) of \(NumberText.count(all, "entry", "entries")) would go, and prune-most "
      + "allows \(NumberText.plain(most)) %; if the jobs are right, add --prune-most 100%"
  }

  /// Why a cache is not pruned although its jobs ask for it: one of them may name more than is known.
  package static func obstacle(_ plans: [Plan]) -> String? {
    guard let cache = plans.first?.settings.cache, plans.allSatisfy(\.settings.asksForPruning) else {
      return nil
    }
    guard let plan = plans.first(where: { !$0.skipped.isEmpty }) else { return nil }
    let count = plan.skipped.count
    return "\(cache) is not pruned: \(NumberText.count(count, "line")) of \(plan.settings.path) "
      + "\(count == 1 ? "was" : "were") left out, and entries may be \(count == 1 ? "its" : "theirs")"
  }

  /// Two jobs of one cache of which one asks for pruning: whatever was done, one of them would get what it did not ask
  /// for.
  static func conflict(_ plans: [Plan]) -> Diagnostic? {
    guard let asking = plans.first(where: \.settings.asksForPruning),
      let other = plans.first(where: { !$0.settings.asksForPruning })
    else { return nil }
    return Diagnostic(
      .error, file: other.settings.path, line: 1, column: 1,
      message:
        "\(asking.settings.path) prunes \(other.settings.cache), and this job, which writes there too, does not",
      help: "prune on in all jobs of a cache or in none; --prune and --no-prune hold for all")
  }
}
