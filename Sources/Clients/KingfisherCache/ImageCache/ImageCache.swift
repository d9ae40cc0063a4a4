import Dispatch
import Foundation
import Text

/// Images in memory and on disk: Kingfisher's `ImageCache`.
///
/// Keys and file names are those of Kingfisher, so a folder written here is read by an app and the other way round.
/// Methods that work on files are `async`, and when one returns, what it did is done; each has Kingfisher's form with a
/// completion handler beside it. Files are touched on threads of the cache's own.
public final class ImageCache: Sendable {
  /// The cache that is used where no other is named, in the user's caches folder.
  public static let `default` = ImageCache(name: "default")

  /// The images in memory, and their limits.
  public let memoryStorage: MemoryStorage.Backend<KFCrossPlatformImage>
  /// The files, with folder, limits and version.
  public let diskStorage: DiskStorage.Backend
  /// Work that takes the disk a while; clean-ups alone, the rest side by side.
  private let queue = DispatchQueue(label: "KingfisherCache.ImageCache", attributes: .concurrent)

  /// A cache of two storages. The version of the disk storage decides about keys and names.
  public init(
    memoryStorage: MemoryStorage.Backend<KFCrossPlatformImage>, diskStorage: DiskStorage.Backend
  ) {
    self.memoryStorage = memoryStorage
    self.diskStorage = diskStorage
  }

  /// A cache of this name in the user's caches folder. Where its folder cannot be made, every call that needs the disk
  /// fails, and memory works.
  public convenience init(name: String, version: KingfisherVersion = .latest) {
    let config = DiskStorage.Config(name: name, version: version)
    self.init(
      memoryStorage: MemoryStorage.Backend(version: version),
      diskStorage: DiskStorage.Backend(noThrowConfig: config))
  }

  /// A cache of this name in another folder.
  ///
  /// - Parameters:
  ///   - name: the end of the folder's name.
  ///   - cacheDirectoryURL: the parent of the cache's folder; nil takes the user's caches folder.
  ///   - diskCachePathClosure: makes the folder's path from its parent and its usual name.
  ///   - version: whose names and rules are followed.
  /// - Throws: ``KingfisherError`` if the folder cannot be made.
  public convenience init(
    name: String, cacheDirectoryURL: URL?, diskCachePathClosure: DiskStorage.Config.PathClosure? = nil,
    version: KingfisherVersion = .latest
  ) throws {
    var config = DiskStorage.Config(name: name, directory: cacheDirectoryURL, version: version)
    if let diskCachePathClosure { config.cachePathBlock = diskCachePathClosure }
    self.init(
      memoryStorage: MemoryStorage.Backend(version: version),
      diskStorage: try DiskStorage.Backend(config: config))
  }

  /// The release whose names and rules apply.
  public var version: KingfisherVersion { diskStorage.config.version }

  /// The key under which both storages hold an image.
  func computedKey(_ key: String, _ processorIdentifier: String) -> String {
    KingfisherKeyFormat(version: version).computedKey(baseKey: key, identifier: processorIdentifier)
  }

  /// Runs disk work on a thread that may wait.
  func onDisk<Value: Sendable>(
    alone: Bool = false,
    _ work: @escaping @Sendable (DiskStorage.Backend) throws(KingfisherError) -> Value
  ) async throws(KingfisherError) -> Value {
    let result = await withCheckedContinuation { continuation in
      onDisk(alone: alone, work) { continuation.resume(returning: $0) }
    }
    return try result.get()
  }

  /// The same without waiting: work that is handed in alone is done in the order of the calls.
  func onDisk<Value: Sendable>(
    alone: Bool,
    _ work: @escaping @Sendable (DiskStorage.Backend) throws(KingfisherError) -> Value,
    then finish: @escaping @Sendable (Result<Value, KingfisherError>) -> Void
  ) {
    let storage = diskStorage
    queue.async(flags: alone ? .barrier : []) {
      let result: Result<Value, KingfisherError>
      do throws(KingfisherError) {
        result = .success(try work(storage))
      } catch {
        result = .failure(error)
      }
      finish(result)
    }
  }

  /// Stores an image in memory and on disk.
  ///
  /// - Parameters:
  ///   - image: the image, as its processor made it.
  ///   - original: the bytes that were downloaded, for serializers that keep them.
  ///   - key: without the processor's identifier.
  ///   - processorIdentifier: of the processor that made the image; empty for none.
  ///   - forcedExtension: of the file's name (8.1.0 and later).
  ///   - cacheSerializer: makes the bytes of the file.
  ///   - toDisk: false for memory alone.
  @discardableResult
  public func store(
    _ image: KFCrossPlatformImage, original: Data? = nil, forKey key: String,
    processorIdentifier: String = "", forcedExtension: String? = nil,
    cacheSerializer: any CacheSerializer = DefaultCacheSerializer.default,
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

  /// Writes bytes to disk as they are. Memory is left alone. Without an expiration the disk storage's holds.
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
