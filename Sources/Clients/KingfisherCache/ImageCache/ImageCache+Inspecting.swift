#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ImageCache {
  /// Where the image of a key and a processor's identifier is. Its period does not begin again.
  public func imageCachedType(
    forKey key: String, processorIdentifier: String = "", forcedExtension: String? = nil
  ) -> CacheType {
    let computedKey = computedKey(key, processorIdentifier)
    if memoryStorage.isCached(forKey: computedKey) { return .memory }
    return diskStorage.isCached(forKey: computedKey, forcedExtension: forcedExtension) ? .disk : .none
  }

  /// Whether the image of a key and a processor's identifier is in memory or on disk.
  public func isCached(
    forKey key: String, processorIdentifier: String = "", forcedExtension: String? = nil
  ) -> Bool {
    imageCachedType(forKey: key, processorIdentifier: processorIdentifier, forcedExtension: forcedExtension)
      .cached
  }

  /// The name of the file of a computed key (`key`, or `key@identifier`).
  ///
  /// - Throws: ``KingfisherError`` for a key that cannot be cached on disk.
  public func hash(forKey key: String, forcedExtension: String? = nil) throws(KingfisherError) -> String {
    try diskStorage.cacheFileName(forKey: key, forcedExtension: forcedExtension)
  }

  /// Where the file of an image lies or would lie.
  ///
  /// - Throws: ``KingfisherError`` for a key that cannot be cached on disk.
  public func cachePath(
    forKey key: String, processorIdentifier: String = "", forcedExtension: String? = nil
  ) throws(KingfisherError) -> String {
    let computedKey = computedKey(key, processorIdentifier)
    return try diskStorage.cacheFileURL(forKey: computedKey, forcedExtension: forcedExtension).path
  }

  /// Bytes of content of the files on disk.
  public func calculateDiskStorageSize() async throws(KingfisherError) -> UInt {
    try await onDisk { storage throws(KingfisherError) in UInt(try storage.totalSize()) }
  }

  /// Bytes of content of the files on disk.
  public var diskStorageSize: UInt {
    get async throws(KingfisherError) { try await calculateDiskStorageSize() }
  }
}
