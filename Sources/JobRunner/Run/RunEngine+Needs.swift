import CacheCore

extension RunEngine {
  /// Settles what needs no download and returns the rest.
  func neededTasks(of work: SourceWork) throws(StoreFailure) -> [RenditionTask] {
    let sourceID = work.sourceID
    var needed: [RenditionTask] = []
    for part in work.parts {
      let plan = plans[part.plan]
      for row in plan.rows(ofSource: part.source) {
        var task = plan.task(at: row, session: sessionOfPlan[part.plan])
        task.identities = task.rendition.stores.map {
          identities.identity(of: $0, row: row, plan: part.plan, task: task)
        }
        if let impossibility = plan.impossibility(of: task.rendition, at: row) {
          tally.settle([task.outcome(.failed(impossibility))])
        } else if let settled = try settled(task, sourceID: sourceID) {
          tally.settle([task.outcome(settled)])
        } else {
          needed.append(task)
        }
      }
    }
    return needed
  }

  /// How a rendition ends without a download, or nil.
  private func settled(
    _ task: RenditionTask, sourceID: String
  ) throws(StoreFailure) -> RenditionOutcome.Status? {
    let rendition = task.rendition
    if rendition.stores.isEmpty {
      return .notStored(reason: rendition.note ?? "the policy stores nothing for it")
    }
    if let expiry = rendition.stores[0].expiry?.date(from: options.date.start), expiry <= options.date.start {
      return .notStored(reason: "its expiry has passed already")
    }
    if !task.options.reload && !task.options.noDiskRead {
      let session = sessions[task.session]
      var isCurrent = true
      for (store, identity) in zip(rendition.stores, task.identities) where isCurrent {
        isCurrent = try session.isCurrent(
          file: store.fileName, sourceID: sourceID, identity: identity, origin: task.origin(of: store))
      }
      if isCurrent { return .current }
    }
    if task.options.offline {
      return .failed(
        RunFailure(
          step: .fetch, code: "source.offline", message: "it is not in the cache, and the entry says offline",
          advice: "run once without offline"))
    }
    return nil
  }
}
