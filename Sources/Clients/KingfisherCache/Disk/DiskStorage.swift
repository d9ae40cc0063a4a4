import Concurrency
import FileStore
import Foundation
import Text

/// The part of a cache that holds encoded images in files: Kingfisher's `DiskStorage`.
public enum DiskStorage {
  /// Where a disk storage lies and what it keeps: Kingfisher's `DiskStorage.Config`.
  public struct Config: Sendable {
    /// Makes the path of a cache's folder from the root and the folder's usual name.
    public typealias PathClosure = @Sendable (_ root: URL, _ cacheName: String) -> URL

    /// Of the cache; the folder is named `com.onevcat.Kingfisher.ImageCache.<name>`.
    public let name: String
    /// The folder's parent; nil takes the user's caches folder (`~/Library/Caches` on Apple systems,
    /// `$XDG_CACHE_HOME` or `~/.cache` on Linux).
    public let directory: URL?
    /// Bytes of content from which a clean-up removes files; 0, the default, for no limit.
    public var sizeLimit: Int
    /// A week by default.
    public var expiration: StorageExpiration = .days(7)
    /// Appended to the names of files, after a dot.
    public var pathExtension: String?
    /// Whether files are named by a digest of their key. Otherwise the key is the name, which only works for keys
    /// without a slash.
    public var usesHashedFileName = true
    /// Whether a digest is followed by an extension taken from the key (6.3.0 and later).
    public var autoExtAfterHashedFileName = false
    /// Makes the folder's path; by default the root with the folder's usual name.
    public var cachePathBlock: PathClosure
    /// The release whose names and rules apply.
    public let version: KingfisherVersion
    /// Whether files that were not there when the storage was made are misses unless it stored them itself: what
    /// an app sees from 5.14.1 on, which lists the folder once. Off by default, since a server's folder is often
    /// filled by another process.
    public let listsFilesOnce: Bool

    /// A storage with the default expiration and file names. The parameters are the properties of the same names.
    public init(
      name: String, sizeLimit: Int = 0, directory: URL? = nil, version: KingfisherVersion = .latest,
      listsFilesOnce: Bool = false,
      cachePathBlock: @escaping PathClosure = { $0.appendingPathComponent($1, isDirectory: true) }
    ) {
      self.name = name
      self.sizeLimit = sizeLimit
      self.directory = directory
      self.version = version
      self.listsFilesOnce = listsFilesOnce
      self.cachePathBlock = cachePathBlock
    }

    /// `com.onevcat.Kingfisher.ImageCache.` in every version, followed by the cache's name.
    public static let folderNamePrefix = "com.onevcat.Kingfisher.ImageCache."

    /// The folder that holds the files.
    ///
    /// - Throws: where the user has no caches folder.
    public func folder() throws -> URL {
      let root =
        try directory
        ?? FileManager.default.url(
          for: .cachesDirectory, in: .userDomainMask, appropriateFor: nil, create: false)
      return cachePathBlock(root, Self.folderNamePrefix + name)
    }

    /// How computed keys become file names.
    func keyFormat(forcedExtension: String?) -> KingfisherKeyFormat {
      KingfisherKeyFormat(
        version: version,
        naming: FileNaming(
          pathExtension: pathExtension, autoExtension: autoExtAfterHashedFileName,
          forcedExtension: forcedExtension, isHashed: usesHashedFileName))
    }
  }

  /// Encoded images in one flat folder, named and dated as Kingfisher does: `DiskStorage.Backend`.
  ///
  /// A file's modification date is the moment of its expiry. Files are written whole or not at all, which
  /// Kingfisher's own writes are not. Calls block for as long as the file system takes; they may come from any thread
  /// and run side by side.
  public final class Backend: Sendable {
    /// The folder, which is there unless it could not be made.
    public let directoryURL: URL
    /// Nil if the folder could not be made; every call throws then.
    let store: FileStore?
    let now: @Sendable () -> Date
    private let state: Locked<Config>
    /// What may be there, where the folder is listed only once.
    private let listing: Locked<Set<String>>?

    /// - Throws: ``KingfisherError`` if the folder cannot be made.
    public convenience init(config: Config) throws {
      try self.init(config: config) { Date() }
    }

    convenience init(config: Config, now: @escaping @Sendable () -> Date) throws {
      let folder = try config.folder()
      do throws(FileStoreError) {
        self.init(config, folder: folder, store: try FileStore(folder: folder), now: now)
      } catch {
        throw KingfisherError.cacheError(reason: .cannotCreateDirectory(path: folder.path, error: error))
      }
    }

    /// A storage that says at every call that it is not ready if its folder cannot be made.
    convenience init(noThrowConfig config: Config) {
      let folder =
        (try? config.folder())
        ?? config.cachePathBlock(
          FileManager.default.temporaryDirectory, Config.folderNamePrefix + config.name)
      self.init(config, folder: folder, store: try? FileStore(folder: folder)) { Date() }
    }

    private init(_ config: Config, folder: URL, store: FileStore?, now: @escaping @Sendable () -> Date) {
      directoryURL = folder
      self.store = store
      self.now = now
      state = Locked(config)
      try? store?.removeAbandonedTemporaries()
      let listsOnce = config.listsFilesOnce && config.version.listsFilesOnce
      let names = listsOnce ? (try? store?.entries())?.map(\.name) : nil
      listing = names.map { Locked(Set($0)) }
    }

    /// A new value holds for what is stored, named or cleaned from now on.
    public var config: Config {
      get { state.withLock { $0 } }
      set { state.withLock { $0 = newValue } }
    }

    /// Whether the folder could be made.
    public var isReady: Bool { store != nil }

    func readyStore() throws(KingfisherError) -> FileStore {
      guard let store else {
        throw .cacheError(reason: .diskStorageIsNotReady(cachePath: directoryURL.path))
      }
      return store
    }

    /// Whether a look at the disk is worth while.
    func mayContain(_ name: String) -> Bool { listing?.withLock { $0.contains(name) } ?? true }

    func note(_ name: String) { listing?.withLock { _ = $0.insert(name) } }
    func forget(_ name: String) { listing?.withLock { _ = $0.remove(name) } }
    func forgetAll() { listing?.withLock { $0.removeAll() } }
  }
}

extension DiskStorage.Backend {
  /// The name under which a computed key's file is read.
  public func cacheFileName(forKey key: String, forcedExtension: String? = nil) throws(KingfisherError)
    -> String
  {
    let names = try fileNames(forKey: key, forcedExtension: forcedExtension)
    guard let name = names.first else {
      throw .cacheError(reason: .notCacheable(key: key, reason: "it has no file name"))
    }
    return name
  }

  /// Where a computed key's file lies or would lie.
  public func cacheFileURL(forKey key: String, forcedExtension: String? = nil) throws(KingfisherError) -> URL
  {
    directoryURL.appendingPathComponent(try cacheFileName(forKey: key, forcedExtension: forcedExtension))
  }

  /// The names of a computed key's file: two where a version probes under one and reads under the other.
  func fileNames(forKey key: String, forcedExtension: String?) throws(KingfisherError) -> [String] {
    do throws(NotCacheable) {
      return try config.keyFormat(forcedExtension: forcedExtension).fileNames(forComputedKey: key)
    } catch {
      throw .cacheError(reason: .notCacheable(key: key, reason: "\(error)"))
    }
  }
}
