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
    public var cachePathBlock: PathClosure
    /// The release whose names and rules apply.
    public let version: KingfisherVersion
    /// Whether files that were not there when the storage was made are misses unless it stored them itself: what
    /// an app sees from 5.14.1 on, which lists the folder once. Off by default, since a server's folder is often
    /// filled by another process.
    public let listsFilesOnce: Bool

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
}
