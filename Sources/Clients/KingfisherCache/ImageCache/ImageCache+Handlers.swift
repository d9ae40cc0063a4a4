import Foundation

/// Kingfisher's forms with completion handlers, for code that does not wait. Memory is changed before a method returns,
/// files are in the order of the calls. Handlers are called on a thread of the cache's own: there is no main queue.
extension ImageCache {
  /// Stores an image in memory at once, and then on disk.
  public func store(
    _ image: KFCrossPlatformImage, original: Data? = nil, forKey key: String,
    processorIdentifier: String = "", forcedExtension: String? = nil,
    cacheSerializer: any CacheSerializer = DefaultCacheSerializer.default, toDisk: Bool = true,
    completionHandler: (@Sendable (CacheStoreResult) -> Void)? = nil
  ) {
    let options = Self.options(cacheSerializer, forcedExtension)
    let computedKey = computedKey(key, processorIdentifier)
    memoryStorage.store(value: image, forKey: computedKey, expiration: nil)
    guard toDisk else {
      completionHandler?(CacheStoreResult())
      return
    }
    onDisk(alone: true, Self.storing(image, original, computedKey, options)) {
      completionHandler?(CacheStoreResult(diskCacheResult: $0))
    }
  }

  /// Writes bytes to disk as they are.
  public func storeToDisk(
    _ data: Data, forKey key: String, processorIdentifier: String = "",
    expiration: StorageExpiration? = nil, forcedExtension: String? = nil,
    completionHandler: (@Sendable (CacheStoreResult) -> Void)? = nil
  ) {
    let computedKey = computedKey(key, processorIdentifier)
    let work: @Sendable (DiskStorage.Backend) throws(KingfisherError) -> Void = {
      storage throws(KingfisherError) in
      try storage.store(
        value: data, forKey: computedKey, expiration: expiration, forcedExtension: forcedExtension)
    }
    onDisk(alone: true, work) { completionHandler?(CacheStoreResult(diskCacheResult: $0)) }
  }

  /// Removes an image. As in Kingfisher the handler learns nothing of a file that cannot be removed.
  public func removeImage(
    forKey key: String, processorIdentifier: String = "", forcedExtension: String? = nil,
    fromMemory: Bool = true, fromDisk: Bool = true, completionHandler: (@Sendable () -> Void)? = nil
  ) {
    let computedKey = computedKey(key, processorIdentifier)
    if fromMemory { memoryStorage.remove(forKey: computedKey) }
    guard fromDisk else {
      completionHandler?()
      return
    }
    change(completionHandler) { storage throws(KingfisherError) in
      try storage.remove(forKey: computedKey, forcedExtension: forcedExtension)
    }
  }

  /// Empties the folder, other programs' files included.
  public func clearDiskCache(completion: (@Sendable () -> Void)? = nil) {
    change(completion) { storage throws(KingfisherError) in try storage.removeAll() }
  }

  /// Empties memory and folder.
  public func clearCache(completion: (@Sendable () -> Void)? = nil) {
    clearMemoryCache()
    clearDiskCache(completion: completion)
  }

  /// Removes the files that have expired, and then those beyond the size limit.
  public func cleanExpiredDiskCache(completion: (@Sendable () -> Void)? = nil) {
    change(completion) { storage throws(KingfisherError) in try storage.clean() }
  }

  /// Removes what has expired, in memory and on disk, and then the files beyond the size limit.
  public func cleanExpiredCache(completion: (@Sendable () -> Void)? = nil) {
    cleanExpiredMemoryCache()
    cleanExpiredDiskCache(completion: completion)
  }

  /// Bytes of content of the files on disk.
  public func calculateDiskStorageSize(
    completion handler: @escaping @Sendable (Result<UInt, KingfisherError>) -> Void
  ) {
    let work: @Sendable (DiskStorage.Backend) throws(KingfisherError) -> UInt = {
      storage throws(KingfisherError) in UInt(try storage.totalSize())
    }
    onDisk(alone: false, work, then: handler)
  }

  private func change(
    _ finish: (@Sendable () -> Void)?,
    _ work: @escaping @Sendable (DiskStorage.Backend) throws(KingfisherError) -> Void
  ) {
    onDisk(alone: true, work) { _ in finish?() }
  }
}

/// Loads with a handler. Decoding may wait, so they are tasks of their own.
extension ImageCache {
  /// The image of a key and of the options' processor, from memory or else from disk.
  public func retrieveImage(
    forKey key: String, options: KingfisherOptionsInfo? = nil,
    completionHandler: @escaping @Sendable (Result<ImageCacheResult, KingfisherError>) -> Void
  ) {
    answer(completionHandler) { () async throws(KingfisherError) in
      try await self.retrieveImage(forKey: key, options: options)
    }
  }

  /// The image of a key and of the options' processor on disk; nil if there is none. Memory is left alone.
  public func retrieveImageInDiskCache(
    forKey key: String, options: KingfisherOptionsInfo? = nil,
    completionHandler: @escaping @Sendable (Result<KFCrossPlatformImage?, KingfisherError>) -> Void
  ) {
    answer(completionHandler) { () async throws(KingfisherError) in
      try await self.retrieveImageInDiskCache(forKey: key, options: options)
    }
  }
}

extension KingfisherManager {
  /// What `imageView.kf.setImage` does, without the view.
  ///
  /// - Returns: the request; cancelling it ends the download.
  @discardableResult
  public func retrieveImage(
    with resource: any Resource, options: KingfisherOptionsInfo? = nil,
    completionHandler: (@Sendable (Result<RetrieveImageResult, KingfisherError>) -> Void)?
  ) -> Task<Void, Never> {
    retrieveImage(with: .network(resource), options: options, completionHandler: completionHandler)
  }

  /// The same for an image from anywhere, for example from an app's own data provider.
  @discardableResult
  public func retrieveImage(
    with source: Source, options: KingfisherOptionsInfo? = nil,
    completionHandler: (@Sendable (Result<RetrieveImageResult, KingfisherError>) -> Void)?
  ) -> Task<Void, Never> {
    answer(completionHandler) { () async throws(KingfisherError) in
      try await self.retrieveImage(with: source, options: options)
    }
  }
}

/// Calls a handler with what comes of work.
@discardableResult
private func answer<Value: Sendable>(
  _ handler: (@Sendable (Result<Value, KingfisherError>) -> Void)?,
  _ work: @escaping @Sendable () async throws(KingfisherError) -> Value
) -> Task<Void, Never> {
  Task {
    let result: Result<Value, KingfisherError>
    do throws(KingfisherError) {
      result = .success(try await work())
    } catch {
      result = .failure(error)
    }
    handler?(result)
  }
}
