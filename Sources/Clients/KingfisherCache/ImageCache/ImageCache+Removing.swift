extension ImageCache {
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
