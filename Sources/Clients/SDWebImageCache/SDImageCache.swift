import FileStore
import Foundation

// What initialisers and calls throw.
@_exported import struct FileStore.FileStoreError

/// The disk side of SDWebImage's `SDImageCache`: image data in one flat folder.
///
/// A read never checks an entry's age: only a clean-up does, which an app makes,
/// and `preheat sweep`. Calls block for as long as the file system takes; they may come from any thread.
public struct SDImageCache: Sendable {
  /// The folder that holds the namespaces' folders.
  public static let folderName = "com.hackemist.SDImageCache"

  private let store: FileStore
  private let version: SDWebImageVersion

  /// - Parameters:
  ///   - namespace: the folder's name; SDWebImage's shared cache has `default`.
  ///   - diskCacheDirectory: the folder's parent; nil takes `com.hackemist.SDImageCache` in the user's caches folder
  ///     (`~/Library/Caches` on Apple systems, `$XDG_CACHE_HOME` or `~/.cache` on Linux).
  ///   - version: the release whose names and rules apply.
  /// - Throws: where the user has no caches folder, or `FileStoreError` if the folder cannot be made.
  public init(
    namespace: String = "default", diskCacheDirectory: URL? = nil, version: SDWebImageVersion = .latest
  ) throws {
    let parent =
      try diskCacheDirectory
      ?? FileManager.default.url(
        for: .cachesDirectory, in: .userDomainMask, appropriateFor: nil, create: false
      ).appendingPathComponent(Self.folderName, isDirectory: true)
    store = try FileStore(folder: parent.appendingPathComponent(namespace, isDirectory: true))
    self.version = version
  }

  /// The folder of the namespace.
  public var diskCachePath: URL { store.folder }

  /// The name of the file that a read finds: the key's own, else the one without an extension.
  private func presentName(forKey key: String) -> String? {
    [
      SDImageCacheKey.fileName(forKey: key, version: version),
      SDImageCacheKey.nameWithoutExtension(forKey: key),
    ]
    .first { (try? store.entry(named: $0))?.isRegularFile ?? false }
  }

  /// A key's bytes; nil if there are none. By the rules of 5.20.0 and later the read is the entry's last use.
  ///
  /// - Throws: `FileStoreError` if a file that is there cannot be read.
  public func diskImageData(forKey key: String) throws -> Data? {
    guard let name = presentName(forKey: key) else { return nil }
    let data = try store.read(name, keepingAccessDate: true)
    // As in SDWebImage a folder that cannot be written still serves.
    if data != nil, version.agesByAccess { try? store.setDates(FileDates(access: Date()), of: name) }
    return data
  }

  /// Whether there is a file of the key, or one of its name without the extension.
  public func diskImageDataExists(withKey key: String) -> Bool { presentName(forKey: key) != nil }
}
