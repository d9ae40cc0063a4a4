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

  /// Empties the folder, other programs' files included.
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
  /// does it when it leaves the foreground; here only the caller does.
  public func cleanExpiredDiskCache() async throws(KingfisherError) {
    try await onDisk(alone: true) { storage throws(KingfisherError) in try storage.clean() }
  }

  /// Both.
  public func cleanExpiredCache() async throws(KingfisherError) {
    cleanExpiredMemoryCache()
    try await cleanExpiredDiskCache()
  }

  /// The image of a key and of the options' processor, from memory or else from disk. What is found on disk is in memory
  /// afterwards. The original of a processed image is not looked for: that is the manager's business.
  ///
  /// - Parameters:
  ///   - key: without the processor's identifier.
  ///   - options: processor, serializer and expirations; nil takes Kingfisher's defaults.
  /// - Returns: `.none` for nothing, and for a file that is not an image.
  /// - Throws: ``KingfisherError`` if a file that is there cannot be read.
  public func retrieveImage(
    forKey key: String, options: KingfisherOptionsInfo? = nil
  ) async throws(KingfisherError) -> ImageCacheResult {
    try await retrieveImage(forKey: key, options: KingfisherParsedOptionsInfo(options))
  }

  /// The same with options by name.
  public func retrieveImage(
    forKey key: String, options: KingfisherParsedOptionsInfo
  ) async throws(KingfisherError) -> ImageCacheResult {
    let computedKey = computedKey(key, options.processor.identifier(in: version))
    if let image = memoryImage(computedKey, options) { return .memory(image) }
    guard !options.fromMemoryCacheOrRefresh, let image = try await diskImage(computedKey, options) else {
      return .none
    }
    memoryStorage.store(value: image, forKey: computedKey, expiration: options.memoryCacheExpiration)
    return .disk(image)
  }

  /// The image of a key and of the options' processor in memory.
  public func retrieveImageInMemoryCache(
    forKey key: String, options: KingfisherOptionsInfo? = nil
  ) -> KFCrossPlatformImage? {
    let options = KingfisherParsedOptionsInfo(options)
    return memoryImage(computedKey(key, options.processor.identifier(in: version)), options)
  }

  /// The image of a key and of the options' processor on disk. Memory is left alone.
  public func retrieveImageInDiskCache(
    forKey key: String, options: KingfisherOptionsInfo? = nil
  ) async throws(KingfisherError) -> KFCrossPlatformImage? {
    let options = KingfisherParsedOptionsInfo(options)
    return try await diskImage(computedKey(key, options.processor.identifier(in: version)), options)
  }

  private func memoryImage(
    _ computedKey: String, _ options: KingfisherParsedOptionsInfo
  ) -> KFCrossPlatformImage? {
    memoryStorage.value(
      forKey: computedKey, extendingExpiration: options.memoryCacheAccessExtendingExpiration)
  }

  private func diskImage(
    _ computedKey: String, _ options: KingfisherParsedOptionsInfo
  ) async throws(KingfisherError) -> KFCrossPlatformImage? {
    let data = try await onDisk { storage throws(KingfisherError) in
      try storage.value(
        forKey: computedKey, forcedExtension: options.forcedExtension,
        extendingExpiration: options.diskCacheAccessExtendingExpiration)
    }
    guard let data else { return nil }
    return await options.cacheSerializer.image(with: data, options: options)
  }
}

/// What a cache has under a key: Kingfisher's `ImageCacheResult`.
public enum ImageCacheResult: Hashable, Sendable {
  /// On disk; it is in memory from now on.
  case disk(KFCrossPlatformImage)
  /// In memory.
  case memory(KFCrossPlatformImage)
  /// Nothing, or nothing that can be decoded; not an error.
  case none

  /// The image; nil for ``none``.
  public var image: KFCrossPlatformImage? {
    switch self {
    case .disk(let image), .memory(let image): image
    case .none: nil
    }
  }

  /// Where the image was.
  public var cacheType: CacheType {
    switch self {
    case .disk: .disk
    case .memory: .memory
    case .none: .none
    }
  }
}

/// Where an image was found: Kingfisher's `CacheType`.
public enum CacheType: String, Hashable, Sendable, CaseIterable {
  /// Nowhere: it was downloaded, or made of its original.
  case none
  /// In memory.
  case memory
  /// On disk, and not in memory.
  case disk

  /// Whether the image is in one of them.
  public var cached: Bool { self != .none }
}
