import Concurrency
import Dispatch
import FileStore
import Foundation
import Text

// What initialisers throw and the failure handler gets.
@_exported import struct FileStore.FileStoreError

/// A disk cache that forgets the least recently read data when it grows over its limit: Nuke's `DataCache`,
/// its names and its folder, but files are written whole or not at all.
///
/// Writes and removals are staged in memory, seen by reads at once and performed on a queue of the cache
/// after ``flushInterval``; reads are parallel to them and to each other. A process that exits within that
/// interval loses what it has not flushed (``flush()``). Files are not forced to the device.
///
/// A key whose file name the generator refuses, the empty one for instance, is never stored and never found.
public final class DataCache: DataCaching {
  /// Makes a file's name of a key; nil for a key that is not to be cached. A name that reaches outside the
  /// folder counts as nil.
  public typealias FilenameGenerator = @Sendable (_ key: String) -> String?

  /// What is called, on the cache's queue, when a change could not be made on disk and is lost. Without it
  /// such a change is dropped silently, as in Nuke.
  public typealias FailureHandler = @Sendable (FileStoreError) -> Void

  struct Settings {
    var sizeLimit = DataCache.defaultSizeLimit
    var flushInterval: TimeInterval = 1
    var sweepInterval: TimeInterval
    var isSweepEnabled = true
  }

  /// The folder of the cache.
  public var path: URL { store.folder }

  let store: FileStore
  let version: NukeVersion
  let staging = Locked(StagingArea())
  let settings: Locked<Settings>
  /// Everything that changes the folder runs here, one thing at a time.
  let queue = DispatchQueue(label: "NukeCache.DataCache", qos: .utility)
  let reportFailure: FailureHandler
  private let filenameGenerator: FilenameGenerator

  /// A cache in a folder of this name in the user's caches folder: `~/Library/Caches` on Apple systems,
  /// `$XDG_CACHE_HOME` or `~/.cache` on Linux.
  ///
  /// - Throws: `FileStoreError` if the folder cannot be created.
  public convenience init(
    name: String, filenameGenerator: @escaping FilenameGenerator = DataCache.filename(for:)
  ) throws {
    let caches = try FileManager.default.url(
      for: .cachesDirectory, in: .userDomainMask, appropriateFor: nil, create: false)
    try self.init(path: caches.appendingPathComponent(name), filenameGenerator: filenameGenerator)
  }

  /// A cache in this folder, created if it is not there. What lies there already is in the cache.
  ///
  /// - Parameters:
  ///   - path: the folder.
  ///   - filenameGenerator: makes the names of files; by default Nuke's own, the SHA-1 of the key.
  ///   - version: whose rules are followed for access dates and automatic sweeps.
  ///   - onFailure: called when a change could not be made on disk and is lost.
  /// - Throws: `FileStoreError` if the folder cannot be created or listed.
  public init(
    path: URL, filenameGenerator: @escaping FilenameGenerator = DataCache.filename(for:),
    version: NukeVersion = .latest, onFailure: @escaping FailureHandler = { _ in }
  ) throws {
    store = try FileStore(folder: path)
    try store.removeAbandonedTemporaries()
    self.version = version
    settings = Locked(Settings(sweepInterval: version.sweepInterval))
    reportFailure = onFailure
    self.filenameGenerator = filenameGenerator
    scheduleSweep(after: version.firstSweepDelay)
  }

  /// The name that Nuke gives a key's file: the SHA-1 of the key in lower-case hexadecimal. Nil for the
  /// empty key.
  @Sendable public static func filename(for key: String) -> String? {
    CacheKeyFormat.fileName(forKey: key)
  }

  /// The name of this key's file, nil if the key is not cached.
  public func filename(for key: String) -> String? {
    filenameGenerator(key).flatMap { FileStore.isFileName($0) ? $0 : nil }
  }

  /// Where this key's file lies once it is flushed, nil if the key is not cached.
  public func url(for key: String) -> URL? {
    filename(for: key).flatMap(store.url(for:))
  }

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

/// A disk cache of data by key, as the pipeline uses it. Methods may be called from any thread.
public protocol DataCaching: AnyObject, Sendable {
  /// The data of a key; nil if there is none.
  func cachedData(for key: String) -> Data?
  /// Whether there is data, without reading it.
  func containsData(for key: String) -> Bool
  /// Returns at once; a read that follows sees the data.
  func storeData(_ data: Data, for key: String)
  /// Returns at once; a read that follows misses.
  func removeData(for key: String)
  /// Removes the data of all keys; a read that follows misses.
  func removeAll()
}

extension DataCache {
  /// The number of entries on disk. Staged changes do not count until they are flushed.
  public var totalCount: Int { entries.count }

  /// Bytes of content of the files on disk.
  public var totalSize: Int { entries.reduce(0) { $0 + $1.size } }

  /// Bytes that the files take on disk, which is what ``sizeLimit`` limits.
  public var totalAllocatedSize: Int { entries.reduce(0) { $0 + $1.allocatedSize } }

  /// What is in the folder, hidden files excepted; nothing if it cannot be listed.
  private var entries: [FileEntry] {
    do { return try store.entries() } catch { return [] }
  }
}
