import Concurrency
import Dispatch
import FileStore
import Foundation

// What initialisers throw and the failure handler gets.
@_exported import struct FileStore.FileStoreError

/// A disk cache that forgets the least recently read data when it grows over its limit: Nuke's `DataCache`,
/// its names and its folder, but files are written whole or not at all, and a change is on disk when its method returns.
///
/// Calls may come from any thread and run side by side. Files are not forced to the device.
///
/// The empty key is never stored and never found.
public final class DataCache: Sendable {
  /// What is called when a change could not be made on disk and is lost. Without it such a change is dropped silently,
  /// as in Nuke.
  public typealias FailureHandler = @Sendable (FileStoreError) -> Void

  /// The folder of the cache.
  public var path: URL { store.folder }

  private let store: FileStore
  private let version: NukeVersion
  private let limit = Locked(DataCache.defaultSizeLimit)
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
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + 10) { [weak self] in self?.sweep() }
  }

  /// The name that Nuke gives a key's file: the SHA-1 of the key in lower-case hexadecimal. Nil for the
  /// empty key.
  public static func filename(for key: String) -> String? { CacheKeyFormat.fileName(forKey: key) }

  /// Where this key's file lies, nil for the empty key.
  public func url(for key: String) -> URL? { Self.filename(for: key).flatMap(store.url(for:)) }

  /// The data of this key. An empty file is empty data; a folder of the name does not count.
  ///
  /// Reading a file makes it the most recently used one, by the rules of 12.9.0 and later.
  public func cachedData(for key: String) -> Data? {
    guard let name = Self.filename(for: key) else { return nil }
    // A file that cannot be read is a miss: the pipeline goes on to the next source.
    return try? store.read(name, updatingAccessDate: version >= NukeVersion(12, 9, 0))
  }

  /// Whether something is stored under this key; does not look into it and touches no date.
  public func containsData(for key: String) -> Bool {
    Self.filename(for: key).map(store.contains) ?? false
  }

  /// Stores data under this key.
  public func storeData(_ data: Data, for key: String) {
    guard let name = Self.filename(for: key) else { return }
    attempt { () throws(FileStoreError) in try store.write(data, as: name) }
  }

  /// Removes what is stored under this key.
  public func removeData(for key: String) {
    guard let name = Self.filename(for: key) else { return }
    attempt { () throws(FileStoreError) in try store.remove(name) }
  }

  /// The data of a key; setting it stores the data, setting nil removes it.
  public subscript(key: String) -> Data? {
    get { cachedData(for: key) }
    set { if let newValue { storeData(newValue, for: key) } else { removeData(for: key) } }
  }

  /// Removes everything in the folder, the files of others and the date of the last sweep too.
  public func removeAll() { attempt { () throws(FileStoreError) in try store.removeAll() } }

  /// Does nothing: every change is on disk already.
  public func flush() {}

  /// Does nothing: every change is on disk already.
  public func flush(for key: String) {}

  private func attempt(_ change: () throws(FileStoreError) -> Void) {
    do { try change() } catch { reportFailure(error) }
  }

  // MARK: Sweeping

  /// Bytes on disk above which a sweep removes files; 150 MiB by default.
  public var sizeLimit: Int {
    get { limit.withLock { $0 } }
    set { limit.withLock { $0 = newValue } }
  }

  /// If the folder takes more than ``sizeLimit`` on disk, removes what was read the longest ago until it
  /// takes at most 70 % of that. Everything in the folder that is not hidden takes part, files and folders
  /// of others too. The cache sweeps by itself once, ten seconds after it was made.
  public func sweep() {
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
