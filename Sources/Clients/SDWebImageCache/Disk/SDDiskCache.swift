import FileStore
import Foundation
import Text

/// Image data in one flat folder, named as SDWebImage does: its `SDDiskCache`.
///
/// Files are written whole or not at all. A read never checks an entry's age; only ``removeExpiredData()`` does. Calls
/// block for as long as the file system takes; they may come from any thread and run side by side.
public struct SDDiskCache: Sendable {
  /// The folder, which is there unless it was removed.
  public let cachePath: URL
  /// Release, ages and limits.
  public let config: SDImageCacheConfig
  private let store: FileStore
  private let now: @Sendable () -> Date

  /// - Throws: `FileStoreError` if the folder cannot be made.
  public init(cachePath: URL, config: SDImageCacheConfig = SDImageCacheConfig()) throws {
    try self.init(cachePath: cachePath, config: config) { Date() }
  }

  init(cachePath: URL, config: SDImageCacheConfig, now: @escaping @Sendable () -> Date) throws {
    self.cachePath = cachePath
    self.config = config
    self.now = now
    store = try FileStore(folder: cachePath)
    try store.removeAbandonedTemporaries()
  }

  // MARK: Names

  /// The name of a key's file.
  public func fileName(forKey key: String) -> String {
    SDImageCacheKey.fileName(forKey: key, version: config.version)
  }

  /// Where a key's file lies or would lie; nil where the key's extension makes no file name.
  public func cachePath(forKey key: String) -> URL? { store.url(for: fileName(forKey: key)) }

  /// The name of the file that a read finds: the key's own, else the one without an extension.
  private func presentName(forKey key: String) -> String? {
    [fileName(forKey: key), SDImageCacheKey.nameWithoutExtension(forKey: key)].first {
      (try? store.entry(named: $0))?.isRegularFile ?? false
    }
  }

  // MARK: Data

  /// Whether there is a file of the key, or one of its name without the extension.
  public func containsData(forKey key: String) -> Bool { presentName(forKey: key) != nil }

  /// A key's bytes; nil if there are none. By the rules of 5.20.0 and later the read is the entry's last use.
  ///
  /// - Throws: `FileStoreError` if a file that is there cannot be read.
  public func data(forKey key: String) throws -> Data? {
    guard let name = presentName(forKey: key) else { return nil }
    let data = try store.read(name, keepingAccessDate: true)
    if data != nil, config.version.agesByAccess {
      // As in SDWebImage a folder that cannot be written still serves.
      try? store.setDates(FileDates(access: now()), of: name)
    }
    return data
  }

  /// Puts a file in place of the one of the same key.
  ///
  /// - Throws: `FileStoreError` if it cannot be written, or if the key's extension makes no file name.
  public func setData(_ data: Data, forKey key: String) throws {
    try store.write(data, as: fileName(forKey: key))
  }

  /// Removes the key's own file, not the one without an extension. A missing file is not an error.
  public func removeData(forKey key: String) throws { try store.remove(fileName(forKey: key)) }

  /// Files that are not hidden, here and below. SDWebImage counts folders and hidden files too.
  public var totalCount: Int { get throws { try files().count } }

  /// Bytes of content of those files.
  public var totalSize: Int { get throws { try files().reduce(0) { $0 + $1.entry.size } } }

  /// The clean-up that SDWebImage does when an app goes to the background or ends.
  ///
  /// - Returns: what was removed.
  /// - Throws: `FileStoreError` if the folder cannot be listed or a file cannot be removed.
  @discardableResult
  public func removeExpiredData() throws -> [URL] {
    let victims = config.victims(among: try files(), now: now()) { store, entry in
      let date = config.version.agesByAccess ? entry.accessDate : entry.modificationDate
      return (date, store.path(of: entry.name), entry.allocatedSize)
    }
    return try (victims.expired + victims.exceeding).map { store, entry in
      try store.remove(entry.name)
      return store.folder.appendingPathComponent(entry.name)
    }
  }

  private func files() throws -> [(store: FileStore, entry: FileEntry)] {
    try store.tree().filter(\.entry.isRegularFile)
  }
}

/// What a disk cache keeps and for how long: SDWebImage's `SDImageCacheConfig`, as far as it concerns the disk.
public struct SDImageCacheConfig: Hashable, Sendable {
  /// The release whose names and rules apply.
  public let version: SDWebImageVersion
  /// Seconds; a week by default. Less than 0: entries do not expire. The age is that of the release: since the last read
  /// by the rules of 5.20.0 and later, before them since the storing.
  public var maxDiskAge: TimeInterval = 7 * 86_400
  /// Bytes on disk above which a clean-up removes the oldest entries; 0, the default, for no limit.
  public var maxDiskSize = 0

  /// The defaults of a release.
  public init(version: SDWebImageVersion = .latest) { self.version = version }

  /// What a clean-up removes (`removeExpiredData`, 5.0.0 to 5.21.5), in its order: all that is too old, and then, where
  /// the rest takes more than the limit, the oldest until it takes less than half of that.
  package func victims<File>(
    among files: [File], now: Date, _ facts: (File) -> SweepFacts
  ) -> (expired: [File], exceeding: [File]) {
    func isExpired(_ file: File) -> Bool {
      maxDiskAge >= 0 && facts(file).date <= now.addingTimeInterval(-maxDiskAge)
    }
    let exceeding = files.filter { !isExpired($0) }.oldest(
      facts, where: { maxDiskSize > 0 && $0 > maxDiskSize }, until: { $0 < maxDiskSize / 2 })
    return (files.filter(isExpired), exceeding)
  }
}
