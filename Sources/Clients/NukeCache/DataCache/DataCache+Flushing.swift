import Dispatch
import FileStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension DataCache {
  /// Seconds from the first staged change to the flush of all; 1 by default.
  public var flushInterval: TimeInterval {
    get { settings.withLock { $0.flushInterval } }
    set { settings.withLock { $0.flushInterval = newValue } }
  }

  /// Returns when every change made before is on disk. Not to be called from the failure handler.
  public func flush() {
    queue.sync { write { $0.beginFlush() } }
  }

  /// Returns when the change of this key is on disk; other keys keep waiting.
  public func flush(for key: String) {
    guard let name = filename(for: key) else { return }
    queue.sync { write { $0.beginFlush(of: name) } }
  }

  /// The closures hold the cache, so one that is released with changes staged still writes them.
  package func perform(_ action: StagingArea.Action) {
    switch action {
    case .none: break
    case .scheduleFlush: queue.asyncAfter(deadline: .now() + flushInterval) { self.write { $0.beginFlush() } }
    case .flushNow: queue.async { self.write { $0.beginFlush() } }
    }
  }

  /// Only on the queue: there is one batch at a time.
  private func write(_ begin: (inout StagingArea) -> StagingArea.Batch) {
    dispatchPrecondition(condition: .onQueue(queue))
    let batch = staging.withLock { begin(&$0) }
    guard !batch.isEmpty else { return }
    if batch.removesAll { attempt { () throws(FileStoreError) in try store.removeAll() } }
    for (name, change) in batch.changes {
      attempt { () throws(FileStoreError) in
        switch change {
        case .store(let data): try store.write(data, as: name)
        case .remove: try store.remove(name)
        }
      }
    }
    staging.withLock { $0.endFlush() }
  }

  package func attempt(_ change: () throws(FileStoreError) -> Void) {
    do {
      try change()
    } catch {
      reportFailure(error)
    }
  }
}
