import FileStore
import Foundation

// What initialisers and calls throw.
@_exported import struct FileStore.FileStoreError

/// The disk side of SDWebImage's `SDImageCache`: a folder by namespace, and perhaps further folders that are only read.
public struct SDImageCache: Sendable {
  /// Where the file of a key may lie besides, for images that come with an app; nil for none.
  public typealias AdditionalCachePathBlock = @Sendable (_ key: String) -> URL?

  /// The folder that holds the namespaces' folders.
  public static let folderName = "com.hackemist.SDImageCache"

  /// The folder of the namespace.
  public let diskCache: SDDiskCache
  /// Asked where the cache's own folder has no file of a key.
  public var additionalCachePathBlock: AdditionalCachePathBlock?

  /// - Parameters:
  ///   - namespace: the folder's name; SDWebImage's shared cache has `default`.
  ///   - diskCacheDirectory: the folder's parent; nil takes `com.hackemist.SDImageCache` in the user's caches folder
  ///     (`~/Library/Caches` on Apple systems, `$XDG_CACHE_HOME` or `~/.cache` on Linux).
  ///   - config: release, ages and limits.
  /// - Throws: where the user has no caches folder, or `FileStoreError` if the folder cannot be made.
  public init(
    namespace: String = "default", diskCacheDirectory: URL? = nil,
    config: SDImageCacheConfig = SDImageCacheConfig()
  ) throws {
    let parent =
      try diskCacheDirectory
      ?? FileManager.default.url(
        for: .cachesDirectory, in: .userDomainMask, appropriateFor: nil, create: false
      ).appendingPathComponent(Self.folderName, isDirectory: true)
    diskCache = try SDDiskCache(
      cachePath: parent.appendingPathComponent(namespace, isDirectory: true), config: config)
  }

  /// The folder of the namespace.
  public var diskCachePath: URL { diskCache.cachePath }

  /// Searches a read-only folder, such as the `files` of a bundle that comes with the app, where the cache's own has no
  /// file.
  public mutating func addReadOnlyCachePath(_ folder: URL) {
    let earlier = additionalCachePathBlock
    let version = diskCache.config.version
    additionalCachePathBlock = { key in
      if let found = earlier?(key), FileManager.default.fileExists(atPath: found.path) { return found }
      return folder.appendingPathComponent(SDImageCacheKey.fileName(forKey: key, version: version))
    }
  }

  /// A key's bytes: from the folder, else from what ``additionalCachePathBlock`` names.
  ///
  /// - Throws: `FileStoreError` if a file that is there cannot be read.
  public func diskImageData(forKey key: String) throws -> Data? {
    if let data = try diskCache.data(forKey: key) { return data }
    return additionalCachePathBlock?(key).flatMap { try? Data(contentsOf: $0) }
  }

  /// Whether the folder itself has a file of the key.
  public func diskImageDataExists(withKey key: String) -> Bool { diskCache.containsData(forKey: key) }
}
