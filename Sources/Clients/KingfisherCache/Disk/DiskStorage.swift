import Concurrency
import FileStore
import Foundation

/// The part of a cache that holds encoded images in files: Kingfisher's `DiskStorage`.
public enum DiskStorage {
  /// Where a disk storage lies and what it keeps: Kingfisher's `DiskStorage.Config`.
  public struct Config: Sendable {
    /// Of the cache; the folder is named `com.onevcat.Kingfisher.ImageCache.<name>`.
    public let name: String
    /// The folder's parent; nil takes the user's caches folder (`~/Library/Caches` on Apple systems,
    /// `$XDG_CACHE_HOME` or `~/.cache` on Linux).
    public let directory: URL?
    /// The release whose names and rules apply.
    public let version: KingfisherVersion
    /// Bytes of content from which a clean-up removes files; 0, the default, for no limit.
    public var sizeLimit = 0
    /// A week by default.
    public var expiration: StorageExpiration = .days(7)
    /// Appended to the names of files, after a dot.
    public var pathExtension: String?

    /// A storage with Kingfisher's defaults.
    public init(name: String, directory: URL? = nil, version: KingfisherVersion = .latest) {
      (self.name, self.directory, self.version) = (name, directory, version)
    }

    /// `com.onevcat.Kingfisher.ImageCache.` in every version, followed by the cache's name.
    public static let folderNamePrefix = "com.onevcat.Kingfisher.ImageCache."
  }

  /// Encoded images in one flat folder, named and dated as Kingfisher does: `DiskStorage.Backend`.
  ///
  /// A file's modification date is the moment of its expiry. Files are written whole or not at all. Calls block for as
  /// long as the file system takes; they may come from any thread and run side by side.
  public final class Backend: Sendable {
    private let state: Locked<Config>
    private let now: @Sendable () -> Date
    /// Every call throws the failure of a folder that could not be made.
    private let store: Result<FileStore, KingfisherError>

    /// - Throws: ``KingfisherError`` if the folder cannot be made.
    public convenience init(config: Config) throws {
      self.init(config)
      _ = try store.get()
    }

    init(_ config: Config, now: @escaping @Sendable () -> Date = { Date() }) {
      state = Locked(config)
      self.now = now
      store = Result {
        let parent =
          try config.directory
          ?? FileManager.default.url(
            for: .cachesDirectory, in: .userDomainMask, appropriateFor: nil, create: false)
        let store = try FileStore(
          folder: parent.appendingPathComponent(Config.folderNamePrefix + config.name))
        try store.removeAbandonedTemporaries()
        return store
      }.mapError { .cacheError(reason: .diskFailed(error: $0)) }
    }

    /// A new value holds for what is stored, named or cleaned from now on.
    public var config: Config {
      get { state.withLock { $0 } }
      set { state.withLock { $0 = newValue } }
    }

    private func fileName(forKey key: String) throws(KingfisherError) -> String {
      let config = config
      let format = KingfisherKeyFormat(
        version: config.version, naming: FileNaming(pathExtension: config.pathExtension))
      do throws(NotCacheable) {
        return try format.fileNames(forComputedKey: key)[0]
      } catch {
        throw .cacheError(reason: .notCacheable(key: key, reason: "\(error)"))
      }
    }

    @discardableResult
    private func onDisk<Value>(_ work: (FileStore) throws -> Value) throws(KingfisherError) -> Value {
      let store = try store.get()
      do {
        return try work(store)
      } catch let error as KingfisherError {
        throw error
      } catch {
        throw .cacheError(reason: .diskFailed(error: error))
      }
    }

    /// Writes a file in place of the one of the same key, unless it would be expired at once. Without an expiration the
    /// configured one holds.
    public func store(
      value: Data, forKey key: String, expiration: StorageExpiration? = nil
    ) throws(KingfisherError) {
      let now = now()
      guard let expiry = (expiration ?? config.expiration).modificationDate(from: now) else { return }
      try onDisk {
        try $0.write(
          value, as: try fileName(forKey: key),
          dates: FileDates(access: now.roundedUpToSecond, modification: expiry))
      }
    }

    /// The bytes of a computed key, nil if there are none or they have expired. A load, unlike a look, begins the period
    /// again.
    ///
    /// - Throws: if a file that is there cannot be read. A key without a file name is a miss.
    public func value(forKey key: String) throws(KingfisherError) -> Data? {
      let now = now()
      return try onDisk { store in
        guard let entry = valid(key, at: now), let data = try store.read(entry.name, keepingAccessDate: true)
        else {
          return nil
        }
        let expiry = now.addingTimeInterval(entry.modificationDate.timeIntervalSince(entry.lastUse))
        // As in Kingfisher a folder that cannot be written still serves.
        try? store.setDates(
          FileDates(access: now.roundedUpToSecond, modification: StorageExpiration.clamped(expiry)),
          of: entry.name)
        return data
      }
    }

    /// Whether there is a file of a computed key that is valid at `referenceDate` (nil for now). Not a load.
    public func isCached(forKey key: String, referenceDate: Date? = nil) -> Bool {
      valid(key, at: referenceDate ?? now()) != nil
    }

    private func valid(_ key: String, at date: Date) -> FileEntry? {
      guard let name = try? fileName(forKey: key) else { return nil }
      return (try? store.get().entry(named: name)).flatMap { $0.modificationDate > date ? $0 : nil }
    }

    /// Removes the file of a computed key. A missing file is not an error.
    public func remove(forKey key: String) throws(KingfisherError) {
      guard let name = try? fileName(forKey: key) else { return }
      try onDisk { try $0.remove(name) }
    }

    /// Empties the folder, other programs' files included.
    public func removeAll() throws(KingfisherError) { try onDisk { try $0.removeAll() } }

    /// Bytes of content of all files in the folder and below it that are not hidden, expired ones too.
    public func totalSize() throws(KingfisherError) -> Int {
      try onDisk { try $0.tree().reduce(0) { $0 + ($1.entry.isFolder ? 0 : $1.entry.size) } }
    }

    /// Removes the files that have expired, other programs' files included.
    public func removeExpiredValues() throws(KingfisherError) {
      let now = now()
      try onDisk {
        for (store, entry) in try $0.tree() where !entry.isFolder && entry.modificationDate <= now {
          try store.remove(entry.name)
        }
      }
    }

    /// If the files together reach ``DiskStorage/Config/sizeLimit``, removes those used the longest ago until the rest
    /// is at most half of it. Of files last used in the same second the names decide.
    public func removeSizeExceededValues() throws(KingfisherError) {
      let limit = config.sizeLimit
      guard limit > 0 else { return }
      try onDisk {
        let victims = try $0.tree().oldest(
          // A folder takes what is in it along.
          { ($1.lastUse, $0.path(of: $1.name), $1.isFolder ? 0 : $1.size) }, where: { $0 >= limit },
          until: { $0 <= limit / 2 })
        for (store, entry) in victims { try store.remove(entry.name) }
      }
    }
  }
}
