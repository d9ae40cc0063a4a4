import Planning
import Rendering

extension RunEngine {
  /// What became of the attempt to make do with the beginning of a file.
  enum HeadResult {
    /// All renditions are made, or have failed for good.
    case settled
    /// The whole is needed; this has come of it.
    case begun(SourceBody?)
  }

  /// Whether the first bytes of a file may do for all that is wanted of it.
  ///
  /// Only for what is wanted anew: what may still be right is settled by a question about the whole file, and what
  /// the HTTP cache has costs nothing.
  func mayUseHead(_ needs: SourceNeeds, of work: SourceWork) -> Bool {
    guard work.scheme == .http || work.scheme == .https, needs.unproven.isEmpty,
      needs.needed.allSatisfy(\.mayUseHead),
      !needs.needed.contains(where: { isOffline($0) || reloads($0) })
    else { return false }
    return web(of: work).cache?.version(for: work.request) == nil
  }

  /// Fetches a file's first ``RenderRequest/headBytes`` and draws from the thumbnail embedded there.
  func serveFromHead(_ tasks: [RenditionTask], of work: SourceWork) async throws(StoreFailure) -> HeadResult {
    await budget.take(RenderRequest.headBytes)
    defer { budget.give(RenderRequest.headBytes) }
    let head: SourceBody?
    do throws(RunFailure) {
      head = try await loader(for: work).loadHead(request(for: work, tasks))
    } catch {
      if !Task.isCancelled { tally.settle(tasks.map { $0.outcome(.failed(error)) }) }
      return .settled
    }
    guard let head, !head.isWhole else { return .begun(head) }
    guard try await render(tasks, of: head, work: work) else { return .begun(head) }
    tally.fetched(head)
    return .settled
  }
}

extension RenditionTask {
  /// Whether an embedded thumbnail may be all that is needed.
  fileprivate var mayUseHead: Bool {
    guard !storesOriginal, options.sha256 == nil, let output, output.encoding != .original else {
      return false
    }
    switch (output.embedded, output.steps.first) {
    case (.client, .thumbnail(let thumbnail)): return !thumbnail.fromImageAlways
    case (.prefer, .thumbnail), (.prefer, .resize), (.prefer, .resizing), (.only, .thumbnail),
      (.only, .resize),
      (.only, .resizing):
      return true
    default: return false
    }
  }
}
