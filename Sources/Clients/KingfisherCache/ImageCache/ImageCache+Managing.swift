import Foundation

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

  /// Removes the image of a key and a processor's identifier. Nothing there is no error.
  public func removeImage(
    forKey key: String, processorIdentifier: String = "", forcedExtension: String? = nil,
    fromMemory: Bool = true, fromDisk: Bool = true
  ) async throws(KingfisherError) {
    let computedKey = computedKey(key, processorIdentifier)
    if fromMemory { memoryStorage.remove(forKey: computedKey) }
    guard fromDisk else { return }
    try await onDisk { storage throws(KingfisherError) in
      try storage.remove(forKey: computedKey, forcedExtension: forcedExtension)
    }
  }

  /// Forgets the images in memory.
  public func clearMemoryCache() { memoryStorage.removeAll() }

  /// Empties the folder, whoever put things there.
  public func clearDiskCache() async throws(KingfisherError) {
    try await onDisk(alone: true) { storage throws(KingfisherError) in try storage.removeAll() }
  }

  /// Both.
  public func clearCache() async throws(KingfisherError) {
    clearMemoryCache()
    try await clearDiskCache()
  }

  /// Forgets the images in memory that have expired.
  public func cleanExpiredMemoryCache() { memoryStorage.removeExpired() }

  /// Removes the files that have expired, and then those used the longest ago if the size limit is reached. An app
  /// does it when it leaves the foreground; here nobody does but the caller.
  public func cleanExpiredDiskCache() async throws(KingfisherError) {
    try await onDisk(alone: true) { storage throws(KingfisherError) in
      try storage.removeExpiredValues()
      try storage.removeSizeExceededValues()
    }
  }

  /// Both.
  public func cleanExpiredCache() async throws(KingfisherError) {
    cleanExpiredMemoryCache()
    try await cleanExpiredDiskCache()
  }
}
