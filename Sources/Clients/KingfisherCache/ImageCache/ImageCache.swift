import Dispatch
import Foundation

/// Images in memory and on disk: Kingfisher's `ImageCache`.
///
/// Keys and file names are those of Kingfisher, so a folder written here is read by an app and the other way round.
/// Memory is changed before a method returns; files are touched on a queue of the cache, in the order of the calls, which
/// calls the handlers too.
public final class ImageCache: Sendable {
  /// The cache that is used where no other is named, in the user's caches folder.
  public static let `default` = ImageCache(name: "default")

  /// The images in memory, and their limits.
  public let memoryStorage: MemoryStorage.Backend
  /// The files, with folder, limits and version.
  public let diskStorage: DiskStorage.Backend
  private let queue = DispatchQueue(label: "KingfisherCache.ImageCache")

  init(memoryStorage: MemoryStorage.Backend, diskStorage: DiskStorage.Backend) {
    (self.memoryStorage, self.diskStorage) = (memoryStorage, diskStorage)
  }

  /// A cache of this name in the user's caches folder. Where its folder cannot be made, every call that needs the disk
  /// fails, and memory works.
  public convenience init(name: String, version: KingfisherVersion = .latest) {
    self.init(
      memoryStorage: .init(), diskStorage: .init(DiskStorage.Config(name: name, version: version)))
  }

  /// A cache of this name in another folder; nil takes the user's caches folder.
  ///
  /// - Throws: ``KingfisherError`` if the folder cannot be made.
  public convenience init(name: String, cacheDirectoryURL: URL?, version: KingfisherVersion = .latest) throws
  {
    let config = DiskStorage.Config(name: name, directory: cacheDirectoryURL, version: version)
    self.init(memoryStorage: .init(), diskStorage: try .init(config: config))
  }

  /// The release whose names and rules apply.
  public var version: KingfisherVersion { diskStorage.config.version }

  private func computedKey(_ key: String, _ processorIdentifier: String) -> String {
    KingfisherKeyFormat(version: version).computedKey(baseKey: key, identifier: processorIdentifier)
  }

  func computedKey(_ key: String, _ options: RequestOptions) -> String {
    computedKey(key, options.processor.identifier(in: version))
  }

  /// Work on files, one thing after the other.
  func onDisk<Value: Sendable>(
    _ work: @escaping @Sendable (DiskStorage.Backend) throws(KingfisherError) -> Value,
    then finish: (@Sendable (Result<Value, KingfisherError>) -> Void)?
  ) {
    queue.async { [diskStorage] in
      let result: Result<Value, KingfisherError>
      do throws(KingfisherError) { result = .success(try work(diskStorage)) } catch {
        result = .failure(error)
      }
      finish?(result)
    }
  }

  // MARK: Looking

  /// Where the image of a key and a processor's identifier is. Its period does not begin again.
  public func imageCachedType(forKey key: String, processorIdentifier: String = "") -> CacheType {
    let key = computedKey(key, processorIdentifier)
    if memoryStorage.image(forKey: key, isLook: true) != nil { return .memory }
    return diskStorage.isCached(forKey: key) ? .disk : .none
  }

  /// Whether the image of a key and a processor's identifier is in memory or on disk.
  public func isCached(forKey key: String, processorIdentifier: String = "") -> Bool {
    imageCachedType(forKey: key, processorIdentifier: processorIdentifier) != .none
  }

  /// The image of a key and of the options' processor, from memory or else from disk; what is found on disk is in memory
  /// afterwards. A miss, and a file that is not an image, are not errors.
  public func retrieveImage(
    forKey key: String, options: KingfisherOptionsInfo? = nil,
    completionHandler: @escaping @Sendable (Result<ImageCacheResult, KingfisherError>) -> Void
  ) {
    let options = RequestOptions(options)
    let key = computedKey(key, options)
    if let image = memoryStorage.image(forKey: key) {
      return completionHandler(.success(ImageCacheResult(image: image, cacheType: .memory)))
    }
    retrieve(key) { [memoryStorage] result in
      let found = result.map { image in
        if let image { memoryStorage.store(image, forKey: key, expiration: options.memoryCacheExpiration) }
        return ImageCacheResult(image: image, cacheType: image == nil ? .none : .disk)
      }
      completionHandler(found)
    }
  }

  /// The image of a key and of the options' processor on disk; nil if there is none. Memory is left alone.
  public func retrieveImageInDiskCache(
    forKey key: String, options: KingfisherOptionsInfo? = nil,
    completionHandler: @escaping @Sendable (Result<KFCrossPlatformImage?, KingfisherError>) -> Void
  ) {
    retrieve(computedKey(key, RequestOptions(options)), completionHandler)
  }

  private func retrieve(
    _ key: String, _ finish: @escaping @Sendable (Result<KFCrossPlatformImage?, KingfisherError>) -> Void
  ) {
    onDisk(
      { storage throws(KingfisherError) in
        try storage.value(forKey: key).flatMap { KFCrossPlatformImage(data: $0) }
      }, then: finish)
  }

  // MARK: Changing

  /// Stores an image in memory at once, and then on disk.
  ///
  /// - Parameters:
  ///   - image: the image, as its processor made it. Its own bytes are stored.
  ///   - original: the bytes that were downloaded, which tell Kingfisher the format; here they are of no use.
  ///   - key: without the processor's identifier.
  ///   - processorIdentifier: of the processor that made the image; empty for none.
  ///   - toDisk: false for memory alone.
  ///   - completionHandler: called when the file is there.
  public func store(
    _ image: KFCrossPlatformImage, original: Data? = nil, forKey key: String,
    processorIdentifier: String = "", toDisk: Bool = true,
    completionHandler: (@Sendable (CacheStoreResult) -> Void)? = nil
  ) {
    store(
      image, computedKey(key, processorIdentifier), RequestOptions(nil), toDisk: toDisk, completionHandler)
  }

  func store(
    _ image: KFCrossPlatformImage, _ key: String, _ options: RequestOptions, toDisk: Bool,
    _ finish: (@Sendable (CacheStoreResult) -> Void)?
  ) {
    memoryStorage.store(image, forKey: key, expiration: options.memoryCacheExpiration)
    guard toDisk else {
      finish?(CacheStoreResult(diskCacheResult: .success(())))
      return
    }
    onDisk(
      { storage throws(KingfisherError) in
        try storage.store(value: image.data, forKey: key, expiration: options.diskCacheExpiration)
      }, then: finish.map { finish in { finish(CacheStoreResult(diskCacheResult: $0)) } })
  }

  /// Removes an image. As in Kingfisher the handler learns nothing of a file that cannot be removed.
  public func removeImage(
    forKey key: String, processorIdentifier: String = "", fromMemory: Bool = true, fromDisk: Bool = true,
    completionHandler: (@Sendable () -> Void)? = nil
  ) {
    let key = computedKey(key, processorIdentifier)
    if fromMemory { memoryStorage.remove(forKey: key) }
    guard fromDisk else {
      completionHandler?()
      return
    }
    change(completionHandler) { storage throws(KingfisherError) in try storage.remove(forKey: key) }
  }

  /// Forgets the images in memory.
  public func clearMemoryCache() { memoryStorage.removeAll() }

  /// Empties the folder, other programs' files included.
  public func clearDiskCache(completion: (@Sendable () -> Void)? = nil) {
    change(completion) { storage throws(KingfisherError) in try storage.removeAll() }
  }

  /// Forgets the images in memory that have expired.
  public func cleanExpiredMemoryCache() { memoryStorage.removeExpired() }

  /// Removes the files that have expired, and then those used the longest ago if the size limit is reached. An app does
  /// it when it leaves the foreground; here only the caller does.
  public func cleanExpiredDiskCache(completion: (@Sendable () -> Void)? = nil) {
    change(completion) { storage throws(KingfisherError) in
      try storage.removeExpiredValues()
      try storage.removeSizeExceededValues()
    }
  }

  /// Bytes of content of the files on disk.
  public func calculateDiskStorageSize(
    completion handler: @escaping @Sendable (Result<UInt, KingfisherError>) -> Void
  ) {
    onDisk({ storage throws(KingfisherError) in UInt(try storage.totalSize()) }, then: handler)
  }

  private func change(
    _ finish: (@Sendable () -> Void)?,
    _ work: @escaping @Sendable (DiskStorage.Backend) throws(KingfisherError) -> Void
  ) {
    onDisk(work) { _ in finish?() }
  }
}

/// What a cache has under a key: Kingfisher's `ImageCacheResult`.
public struct ImageCacheResult: Hashable, Sendable {
  /// Nil where there is nothing, or nothing that is an image.
  public let image: KFCrossPlatformImage?
  /// Where the image was.
  public let cacheType: CacheType
}

/// Where an image was found: Kingfisher's `CacheType`.
public enum CacheType: Hashable, Sendable {
  /// Nowhere: it was downloaded, or made of its original.
  case none
  /// In memory.
  case memory
  /// On disk, and not in memory.
  case disk
}

/// What came of storing an image: Kingfisher's `CacheStoreResult`. Memory always takes an image.
public struct CacheStoreResult: Sendable {
  /// A success too where nothing was to be written.
  public let diskCacheResult: Result<Void, KingfisherError>
}
