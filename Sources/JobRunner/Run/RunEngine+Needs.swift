import CacheCore

extension RunEngine {
  /// Settles what needs no download and returns the rest.
  func neededTasks(of work: SourceWork) throws(StoreFailure) -> [RenditionTask] {
    let sourceID = SHA256.hexadecimal(of: work.url)
    var needed: [RenditionTask] = []
    for part in work.parts {
      let plan = plans[part.plan]
      for row in plan.rows(ofSource: part.source) {
        let task = plan.task(at: row, session: sessionOfPlan[part.plan])
        if let settled = try settled(task, plan: part.plan, row: row, sourceID: sourceID) {
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
    _ task: RenditionTask, plan: Int, row: Plan.Row, sourceID: String
  ) throws(StoreFailure) -> RenditionOutcome.Status? {
    let rendition = task.rendition
    if let impossible = plans[plan].impossibility(of: row) { return .failed(impossible) }
    if rendition.stores.isEmpty {
      return .notStored(reason: rendition.note ?? "the policy stores nothing for it")
    }
    if !task.options.reload && !task.options.noDiskRead {
      let session = sessions[task.session]
      var isCurrent = true
      for store in rendition.stores where isCurrent {
        isCurrent = try session.isCurrent(
          file: store.fileName, sourceID: sourceID,
          identity: identities.identity(of: store, row: row, plan: plan, task: task))
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
