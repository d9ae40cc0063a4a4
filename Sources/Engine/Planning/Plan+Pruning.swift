import JobFile
import Text

extension Plan {
  package static func files(of plans: [Plan]) -> Set<String> {
    var names: Set<String> = []
    for plan in plans {
      for rendition in plan.renditions { for store in rendition.stores { names.insert(store.fileName) } }
    }
    return names
  }

  /// The files that stay when a cache is pruned to these plans, which are all of those that write into it.
  ///
  /// - Returns: Nil where one of them does not ask for pruning or stands in its way, and where they name nothing: then
  ///   a job is more likely to be broken than a whole cache to be unwanted.
  package static func prunedTo(_ plans: [Plan]) -> Set<String>? {
    guard !plans.isEmpty, plans.allSatisfy(\.settings.asksForPruning), pruningObstacle(plans) == nil
    else { return nil }
    let names = files(of: plans)
    return names.isEmpty ? nil : names
  }

  /// Why a cache is not pruned although its jobs ask for it: one of them may name more than is known.
  package static func pruningObstacle(_ plans: [Plan]) -> String? {
    guard let cache = plans.first?.settings.cache, plans.allSatisfy(\.settings.asksForPruning) else {
      return nil
    }
    if let partial = plans.first(where: { $0.settings.values[JobKey.partial] }) {
      return "\(cache) is not pruned: \(partial.settings.path) names only a part of it (partial on)"
    }
    guard let plan = plans.first(where: { !$0.skipped.isEmpty }) else { return nil }
    let count = plan.skipped.count
    return "\(cache) is not pruned: \(NumberText.count(count, "line")) of \(plan.settings.path) "
      + "\(count == 1 ? "was" : "were") left out, and entries may be \(count == 1 ? "its" : "theirs")"
  }
}
