import HTTPLoading
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
  func mayUseHead(_ tasks: [RenditionTask], of work: SourceWork) -> Bool {
    (work.scheme == .http || work.scheme == .https) && tasks.allSatisfy(\.mayUseHead)
  }

  /// Fetches a file's first ``RenderRequest/headBytes`` and draws from the thumbnail embedded there.
  func serveFromHead(_ tasks: [RenditionTask], of work: SourceWork) async throws(StoreFailure) -> HeadResult {
    await budget.take(RenderRequest.headBytes)
    defer { budget.give(RenderRequest.headBytes) }
    let head: SourceBody?
    do throws(RunFailure) {
      head = try await loader(for: work).loadHead(
        url: work.url, headers: work.headers, priority: priority(of: tasks))
    } catch {
      if !Task.isCancelled { tally.settle(tasks.map { $0.outcome(.failed(error)) }) }
      return .settled
    }
    guard let head, !head.isWhole else { return .begun(head) }
    guard try await render(tasks, of: head, work: work) else { return .begun(head) }
    tally.fetched(bytes: head.bytes.count)
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
