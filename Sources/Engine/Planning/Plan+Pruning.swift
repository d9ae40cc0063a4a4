extension Plan {
  /// All files that the plans' runs write.
  package static func files(of plans: [Plan]) -> Set<String> {
    var names: Set<String> = []
    for plan in plans {
      for rendition in plan.renditions { for store in rendition.stores { names.insert(store.fileName) } }
    }
    return names
  }

  /// The files that stay when a cache is pruned to these plans, which are all of those that write into it.
  ///
  /// - Returns: Nil where one of them does not ask for pruning, and where they name nothing: then a job is more likely
  ///   to be broken than a whole cache to be unwanted.
  package static func prunedTo(_ plans: [Plan]) -> Set<String>? {
    guard !plans.isEmpty, plans.allSatisfy(\.settings.prunes) else { return nil }
    let names = files(of: plans)
    return names.isEmpty ? nil : names
  }
}
