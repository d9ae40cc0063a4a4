import CacheStore
import Fetching
import Planning

extension RunEngine {
  /// Settles what needs nothing from the source and returns the rest.
  package func needs(of work: SourceWork) throws(StoreFailure) -> SourceNeeds {
    let sourceID = work.sourceID
    var needs = SourceNeeds()
    var state = SourceState(work: work, web: web(of: work))
    for part in work.parts {
      let plan = plans[part.plan]
      for row in plan.rows(ofSource: part.source) {
        var task = plan.task(at: row, session: sessionOfPlan[part.plan])
        task.identities = task.rendition.stores.map {
          identities.identity(of: $0, row: row, plan: part.plan, task: task)
        }
        if let impossibility = plan.impossibility(of: task.rendition, at: row) {
          tally.settle([task.outcome(.failed(impossibility))])
        } else if let reason = reasonNotToStore(task.rendition) {
          tally.settle([task.outcome(.notStored(reason: reason))])
        } else if let known = try intactVersion(of: task, sourceID: sourceID) {
          if isOffline(task) || state.isStill(known, settings: plan.settings.sources) {
            tally.settle([task.outcome(.current)])
          } else {
            needs.unproven.append(SourceNeeds.Unproven(task: task, known: known))
          }
        } else {
          needs.needed.append(task)
        }
      }
    }
    return needs
  }

  /// Nothing is fetched for it.
  package func isOffline(_ task: RenditionTask) -> Bool { options.isOffline || task.options.offline }

  /// It is fetched and made again, whatever is there.
  package func reloads(_ task: RenditionTask) -> Bool {
    !isOffline(task) && (options.reloads || task.options.reload)
  }

  private func reasonNotToStore(_ rendition: PlannedRendition) -> String? {
    if rendition.stores.isEmpty { return rendition.note ?? "the policy stores nothing for it" }
    if let expiry = rendition.stores[0].expiry?.date(from: options.date.start), expiry <= options.date.start {
      return "its expiry has passed already"
    }
    return nil
  }

  /// The version of the source that a rendition was made from, if all its files are as they were made.
  private func intactVersion(
    of task: RenditionTask, sourceID: String
  ) throws(StoreFailure) -> HTTPKnownVersion? {
    guard !reloads(task), !task.options.noDiskRead else { return nil }
    var known: HTTPKnownVersion?
    for (store, identity) in zip(task.rendition.stores, task.identities) {
      let entry = try sessions[task.session].intactEntry(
        file: store.fileName, sourceID: sourceID, identity: identity, origin: task.origin(of: store))
      guard let entry, known.map({ $0.digest == entry.sourceDigest }) ?? true else { return nil }
      known = HTTPKnownVersion(
        digest: entry.sourceDigest, etag: entry.etag, lastModified: entry.lastModified)
    }
    return known
  }
}

/// What can be told of a source without its bytes and without the network; looked up at most once.
private struct SourceState {
  package let work: SourceWork
  package let web: WebSources
  private lazy var version = web.cache?.version(for: work.request)
  private lazy var stamp = LocalFile.stamp(url: work.url)

  init(work: SourceWork, web: WebSources) {
    self.work = work
    self.web = web
  }

  /// Whether the source is certainly the version that something was made from.
  package mutating func isStill(_ known: HTTPKnownVersion, settings: SourceSettings) -> Bool {
    switch work.scheme {
    // The URL is the picture.
    case .data: true
    case .file: stamp != nil && stamp == known.etag
    case .http, .https:
      // Without an HTTP cache what is once stored is never asked for again.
      settings.httpCache == nil || version.map { $0.isFresh && $0.digest == known.digest } ?? false
    }
  }
}
