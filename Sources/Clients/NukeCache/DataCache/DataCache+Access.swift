import Dispatch
import FileStore
import Foundation

extension DataCache {
  /// The data of this key, staged or on disk. An empty file is empty data; a folder of the name does not count.
  ///
  /// Reading a file makes it the most recently used one, by the rules of 12.9.0 and later.
  public func cachedData(for key: String) -> Data? {
    guard let name = filename(for: key) else { return nil }
    switch staging.withLock({ $0.lookup(name) }) {
    case .store(let data): return data
    case .remove: return nil
    case nil:
      // A file that cannot be read is a miss: the pipeline goes on to the next source.
      return try? store.read(name, updatingAccessDate: version.updatesAccessDateOnRead)
    }
  }

  /// Whether something is stored under this key; does not look into it and touches no date.
  public func containsData(for key: String) -> Bool {
    guard let name = filename(for: key) else { return false }
    switch staging.withLock({ $0.lookup(name) }) {
    case .store: return true
    case .remove: return false
    case nil: return store.contains(name)
    }
  }

  /// Stores data under this key and returns at once; reads see it from now on.
  public func storeData(_ data: Data, for key: String) {
    guard let name = filename(for: key) else { return }
    perform(staging.withLock { $0.stage(.store(data), for: name) })
  }

  /// Removes what is stored under this key and returns at once; reads miss it from now on.
  public func removeData(for key: String) {
    guard let name = filename(for: key) else { return }
    perform(staging.withLock { $0.stage(.remove, for: name) })
  }

  /// Removes everything in the folder, the files of others and the date of the last sweep too, and returns
  /// at once; reads miss everything from now on.
  public func removeAll() {
    perform(staging.withLock { $0.stageRemovalOfAll() })
  }

  /// The data of a key; setting it stores the data, setting nil removes it.
  public subscript(key: String) -> Data? {
    get { cachedData(for: key) }
    set {
      if let newValue { storeData(newValue, for: key) } else { removeData(for: key) }
    }
  }

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
  func perform(_ action: StagingArea.Action) {
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

  func attempt(_ change: () throws(FileStoreError) -> Void) {
    do {
      try change()
    } catch {
      reportFailure(error)
    }
  }
}
