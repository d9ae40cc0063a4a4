import Concurrency
import Dispatch
import FileStore
import Foundation

// What initialisers throw and the failure handler gets.
@_exported import struct FileStore.FileStoreError

/// A disk cache that forgets the least recently read data when it grows over its limit: Nuke's `DataCache`,
/// its names and its folder, but files are written whole or not at all.
///
/// Writes and removals are seen by reads at once and performed one after the other on a queue of the cache; reads are
/// parallel to them and to each other. A program that ends calls ``flush()`` first. Files are not forced to the device.
///
/// The empty key is never stored and never found.
public final class DataCache: Sendable {
  /// What is called, on the cache's queue, when a change could not be made on disk and is lost. Without it
  /// such a change is dropped silently, as in Nuke.
  public typealias FailureHandler = @Sendable (FileStoreError) -> Void

  private struct State {
    var sizeLimit = DataCache.defaultSizeLimit
    /// What is not on disk yet, by file name; no data is a removal.
    var changes: [String: (data: Data?, number: Int)] = [:]
    var lastNumber = 0
    /// Removals of everything that are not done yet: what has no change is gone.
    var removalsOfAll = 0
  }

  /// The folder of the cache.
  public var path: URL { store.folder }

  private let store: FileStore
  private let version: NukeVersion
  private let state = Locked(State())
  /// Everything that changes the folder runs here, one thing at a time.
  private let queue = DispatchQueue(label: "NukeCache.DataCache", qos: .utility)
  private let reportFailure: FailureHandler

  /// A cache in a folder of this name in the user's caches folder: `~/Library/Caches` on Apple systems,
  /// `$XDG_CACHE_HOME` or `~/.cache` on Linux.
  ///
  /// - Throws: `FileStoreError` if the folder cannot be created.
  public convenience init(name: String) throws {
    let caches = try FileManager.default.url(
      for: .cachesDirectory, in: .userDomainMask, appropriateFor: nil, create: false)
    try self.init(path: caches.appendingPathComponent(name))
  }

  /// A cache in this folder, created if it is not there. What lies there already is in the cache.
  ///
  /// - Parameters:
  ///   - path: the folder.
  ///   - version: whose rules are followed for access dates and automatic sweeps.
  ///   - onFailure: called when a change could not be made on disk and is lost.
  /// - Throws: `FileStoreError` if the folder cannot be created or listed.
  public init(
    path: URL, version: NukeVersion = .latest, onFailure: @escaping FailureHandler = { _ in }
  ) throws {
    store = try FileStore(folder: path)
    try store.removeAbandonedTemporaries()
    self.version = version
    reportFailure = onFailure
    queue.asyncAfter(deadline: .now() + 10) { [weak self] in self?.performSweep() }
  }

  /// The name that Nuke gives a key's file: the SHA-1 of the key in lower-case hexadecimal. Nil for the
  /// empty key.
  public static func filename(for key: String) -> String? { CacheKeyFormat.fileName(forKey: key) }

  /// Where this key's file lies once it is flushed, nil if the key is not cached.
  public func url(for key: String) -> URL? { Self.filename(for: key).flatMap(store.url(for:)) }

  /// The data of this key. An empty file is empty data; a folder of the name does not count.
  ///
  /// Reading a file makes it the most recently used one, by the rules of 12.9.0 and later.
  public func cachedData(for key: String) -> Data? {
    guard let name = Self.filename(for: key) else { return nil }
    if let change = change(of: name) { return change.data }
    // A file that cannot be read is a miss: the pipeline goes on to the next source.
    return try? store.read(name, updatingAccessDate: version >= NukeVersion(12, 9, 0))
  }

  /// Whether something is stored under this key; does not look into it and touches no date.
  public func containsData(for key: String) -> Bool {
    guard let name = Self.filename(for: key) else { return false }
    return change(of: name).map { $0.data != nil } ?? store.contains(name)
  }

  /// What reads see in place of the disk.
  private func change(of name: String) -> (data: Data?, Void)? {
    state.withLock { state in
      if let change = state.changes[name] { return (change.data, ()) }
      return state.removalsOfAll > 0 ? (nil, ()) : nil
    }
  }

  /// Stores data under this key and returns at once; reads see it from now on.
  public func storeData(_ data: Data, for key: String) { change(key, data) }

  /// Removes what is stored under this key and returns at once; reads miss it from now on.
  public func removeData(for key: String) { change(key, nil) }

  /// The data of a key; setting it stores the data, setting nil removes it.
  public subscript(key: String) -> Data? {
    get { cachedData(for: key) }
    set { change(key, newValue) }
  }

  private func change(_ key: String, _ data: Data?) {
    guard let name = Self.filename(for: key) else { return }
    let number = state.withLock { state in
      state.lastNumber += 1
      state.changes[name] = (data, state.lastNumber)
      return state.lastNumber
    }
    queue.async { [self] in
      // A later change makes this one superfluous.
      guard state.withLock({ $0.changes[name]?.number }) == number else { return }
      attempt { () throws(FileStoreError) in
        if let data { try store.write(data, as: name) } else { try store.remove(name) }
      }
      state.withLock { if $0.changes[name]?.number == number { $0.changes[name] = nil } }
    }
  }

  /// Removes everything in the folder, the files of others and the date of the last sweep too, and returns
  /// at once; reads miss everything from now on.
  public func removeAll() {
    state.withLock { state in
      state.changes = [:]
      state.removalsOfAll += 1
    }
    queue.async { [self] in
      attempt { () throws(FileStoreError) in try store.removeAll() }
      state.withLock { $0.removalsOfAll -= 1 }
    }
  }

  /// Returns when every change made before is on disk. Not to be called from the failure handler.
  public func flush() { queue.sync {} }

  /// The same: changes are made in their order.
  public func flush(for key: String) { flush() }

  private func attempt(_ change: () throws(FileStoreError) -> Void) {
    do { try change() } catch { reportFailure(error) }
  }

  // MARK: Sweeping

  /// Bytes on disk above which a sweep removes files; 150 MiB by default.
  public var sizeLimit: Int {
    get { state.withLock { $0.sizeLimit } }
    set { state.withLock { $0.sizeLimit = newValue } }
  }

  /// If the folder takes more than ``sizeLimit`` on disk, removes what was read the longest ago until it
  /// takes at most 70 % of that. Everything in the folder that is not hidden takes part, files and folders
  /// of others too. The cache sweeps by itself once, ten seconds after it was made.
  public func sweep() { queue.sync { performSweep() } }

  private func performSweep() {
    attempt { () throws(FileStoreError) in
      for victim in Self.victims(among: try store.entries(), sizeLimit: sizeLimit) {
        attempt { () throws(FileStoreError) in try store.remove(victim.name) }
      }
    }
  }

  /// Size on disk above which a sweep removes anything: 150 MiB.
  package static let defaultSizeLimit = 157_286_400
  /// The part of the size limit that a sweep leaves.
  package static let trimRatio = 0.7

  /// What a sweep removes: those read the longest ago.
  package static func victims(among entries: [FileEntry], sizeLimit: Int) -> [FileEntry] {
    let rest = Int(Double(sizeLimit) * trimRatio)
    return entries.oldest(
      { ($0.accessDate, $0.name, $0.allocatedSize) }, where: { $0 > sizeLimit }, until: { $0 <= rest })
  }
}

extension NukeVersion {
  /// The date of the last sweep is kept in the folder. 12.1.4 kept it in the user's defaults, which does not travel with
  /// a folder.
  package var keepsSweepDate: Bool { self >= NukeVersion(12, 1, 5) }
}

/// The hidden file in which Nuke 12.1.5 and later remembers its last automatic sweep.
///
/// Without it the first launch sweeps a folder after five seconds.
package struct DataCacheInfo: Codable, Hashable, Sendable {
  package static let fileName = ".data-cache-info"

  /// Written as seconds since 2001-01-01 UTC, a JSON number.
  package var lastSweepDate: Date?

  package init(lastSweepDate: Date? = nil) {
    self.lastSweepDate = lastSweepDate
  }

  /// What the folder says. As in Nuke a missing file and one that makes no sense both mean "never swept".
  package init(readingFrom store: FileStore) throws(FileStoreError) {
    let data = try store.read(Self.fileName)
    self = data.flatMap { try? JSONDecoder().decode(Self.self, from: $0) } ?? DataCacheInfo()
  }

  /// The file's bytes.
  package var encoded: Data {
    // Only a date that is not a number cannot be encoded, and it is not a date.
    (try? JSONEncoder().encode(self)) ?? Data("{}".utf8)
  }
}
