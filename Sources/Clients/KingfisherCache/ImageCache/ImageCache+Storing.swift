import Foundation

extension ImageCache {
  /// Stores an image in memory and on disk.
  ///
  /// - Parameters:
  ///   - original: the bytes that were downloaded, for serializers that keep them.
  ///   - processorIdentifier: of the processor that made the image; empty for none.
  ///   - toDisk: false for memory alone.
  @discardableResult
  public func store(
    _ image: KFCrossPlatformImage, original: Data? = nil, forKey key: String,
    processorIdentifier: String = "",
    forcedExtension: String? = nil, cacheSerializer: any CacheSerializer = DefaultCacheSerializer.default,
    toDisk: Bool = true
  ) async -> CacheStoreResult {
    let options = Self.options(cacheSerializer, forcedExtension)
    return await store(image, original, computedKey(key, processorIdentifier), options, toDisk: toDisk)
  }

  static func options(
    _ serializer: any CacheSerializer, _ forcedExtension: String?
  ) -> KingfisherParsedOptionsInfo {
    var options = KingfisherParsedOptionsInfo()
    options.cacheSerializer = serializer
    options.forcedExtension = forcedExtension
    return options
  }

  /// Stores an image as the options say: their processor's identifier, serializer and expirations.
  @discardableResult
  public func store(
    _ image: KFCrossPlatformImage, original: Data? = nil, forKey key: String,
    options: KingfisherParsedOptionsInfo, toDisk: Bool = true
  ) async -> CacheStoreResult {
    let identifier = options.processor.identifier(in: version)
    return await store(image, original, computedKey(key, identifier), options, toDisk: toDisk)
  }

  /// Writes bytes to disk as they are. Memory is left alone.
  ///
  /// - Parameter expiration: nil takes the disk storage's.
  @discardableResult
  public func storeToDisk(
    _ data: Data, forKey key: String, processorIdentifier: String = "",
    expiration: StorageExpiration? = nil, forcedExtension: String? = nil
  ) async -> CacheStoreResult {
    let computedKey = computedKey(key, processorIdentifier)
    return await write { storage throws(KingfisherError) in
      try storage.store(
        value: data, forKey: computedKey, expiration: expiration, forcedExtension: forcedExtension)
    }
  }

  private func store(
    _ image: KFCrossPlatformImage, _ original: Data?, _ computedKey: String,
    _ options: KingfisherParsedOptionsInfo, toDisk: Bool
  ) async -> CacheStoreResult {
    memoryStorage.store(value: image, forKey: computedKey, expiration: options.memoryCacheExpiration)
    guard toDisk else { return CacheStoreResult() }
    return await write(Self.storing(image, original, computedKey, options))
  }

  /// The part of storing an image that takes the disk.
  static func storing(
    _ image: KFCrossPlatformImage, _ original: Data?, _ computedKey: String,
    _ options: KingfisherParsedOptionsInfo
  ) -> @Sendable (DiskStorage.Backend) throws(KingfisherError) -> Void {
    { storage throws(KingfisherError) in
      guard let data = options.cacheSerializer.data(with: image, original: original) else {
        throw .cacheError(reason: .cannotSerializeImage(key: computedKey))
      }
      try storage.store(
        value: data, forKey: computedKey, expiration: options.diskCacheExpiration,
        forcedExtension: options.forcedExtension)
    }
  }

  private func write(
    _ work: @escaping @Sendable (DiskStorage.Backend) throws(KingfisherError) -> Void
  ) async -> CacheStoreResult {
    do throws(KingfisherError) {
      try await onDisk(work)
      return CacheStoreResult()
    } catch {
      return CacheStoreResult(diskCacheResult: .failure(error))
    }
  }
}

/// What came of storing an image: Kingfisher's `CacheStoreResult`.
public struct CacheStoreResult: Sendable {
  /// Memory always takes an image.
  public var memoryCacheResult: Result<Void, Never>
  /// A success too where nothing was to be written.
  public var diskCacheResult: Result<Void, KingfisherError>

  init(diskCacheResult: Result<Void, KingfisherError> = .success(())) {
    memoryCacheResult = .success(())
    self.diskCacheResult = diskCacheResult
  }
}
