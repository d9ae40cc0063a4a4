import Foundation
import Testing

@testable import KingfisherCache

/// Every fragment of Kingfisher's page "Common Tasks - Cache" compiles and does what the page says, in the forms that an
/// app writes. The view is the few lines that a program without views needs.
@Suite(.timeLimit(.minutes(10)))
struct CachePageTests {
  /// Stands where the page has an image view.
  private struct ImageView {
    let manager: KingfisherManager
    var kf: Self { self }

    func setImage(
      with resource: any Resource, options: KingfisherOptionsInfo? = nil,
      completionHandler: (@Sendable (Result<RetrieveImageResult, KingfisherError>) -> Void)? = nil
    ) {
      manager.retrieveImage(with: resource, options: options, completionHandler: completionHandler)
    }
  }

  private let requests: ManagerKit
  private let imageView: ImageView
  private let image: KFCrossPlatformImage
  private let cacheKey = "my_cache_key"
  private var cache: ImageCache { requests.cache }
  private var kit: CacheKit { requests.kit }
  private var url: URL { requests.url }

  init() throws {
    requests = try ManagerKit()
    imageView = ImageView(manager: requests.manager)
    image = try .png(40, 30)
  }

  private func set(_ resource: any Resource, _ options: KingfisherOptionsInfo? = nil) async -> CacheType? {
    let result = await kit.value {
      imageView.kf.setImage(with: resource, options: options, completionHandler: $0)
    }
    return try? result.get().cacheType
  }

  @Test func aResourceIsCachedUnderItsOwnKey() async throws {
    let resource = ImageResource(downloadURL: url, cacheKey: "my_cache_key")
    #expect(await set(resource) == CacheType.none)
    #expect(cache.isCached(forKey: cacheKey) && !cache.isCached(forKey: url.cacheKey))
    #expect(KF.ImageResource(downloadURL: url).cacheKey == "https://example.com/a.png")
  }

  @Test func whetherAndWhereAnImageIsCached() async throws {
    #expect(!cache.isCached(forKey: cacheKey) && cache.imageCachedType(forKey: cacheKey) == .none)
    try await kit.store(image, cacheKey)
    #expect(cache.isCached(forKey: cacheKey) && cache.imageCachedType(forKey: cacheKey) == .memory)
    cache.clearMemoryCache()
    #expect(cache.imageCachedType(forKey: cacheKey) == .disk)
  }

  @Test func aProcessedImageIsCachedUnderItsProcessorsIdentifier() async throws {
    let processor = RoundCornerImageProcessor(cornerRadius: 20)
    #expect(await set(url, [.processor(processor), .waitForCache]) == CacheType.none)
    #expect(cache.isCached(forKey: url.cacheKey, processorIdentifier: processor.identifier))
    #expect(!cache.isCached(forKey: url.cacheKey))
    let computed = "\(url.cacheKey)@com.onevcat.Kingfisher.RoundCornerImageProcessor(20.0)"
    #expect(try kit.names == [kit.name(computed)])
  }

  @Test func anImageIsGotFromTheCacheAndSaysWhere() async throws {
    func type() async -> CacheType? {
      await kit.value { done in
        cache.retrieveImage(forKey: "my_cache_key") { result in
          switch result {
          case .success(let value):
            done(value.image == nil && value.cacheType != .none ? nil : value.cacheType)
          case .failure: done(nil)
          }
        }
      }
    }
    #expect(await type() == CacheType.none)
    try await kit.store(image, cacheKey)
    #expect(await type() == .memory)
    cache.clearMemoryCache()
    #expect(await type() == .disk)
    #expect(await type() == .memory)
  }

  @Test func limitsAndExpirationsCanBeSetOnBothStorages() async throws {
    cache.memoryStorage.config.totalCostLimit = 300 * 1024 * 1024
    cache.memoryStorage.config.countLimit = 150
    cache.diskStorage.config.sizeLimit = 1000 * 1024 * 1024
    cache.memoryStorage.config.expiration = .seconds(600)
    cache.diskStorage.config.expiration = .never
    cache.memoryStorage.config.cleanInterval = 30
    #expect(cache.memoryStorage.config.totalCostLimit == 314_572_800)
    #expect(cache.diskStorage.config.sizeLimit == 1_048_576_000)
    try await kit.store(image, cacheKey)
    kit.clock.advance(by: 599)
    #expect(cache.imageCachedType(forKey: cacheKey) == .memory)
    kit.clock.advance(by: 1)
    #expect(cache.imageCachedType(forKey: cacheKey) == .disk)
    kit.clock.advance(by: 10 * 365 * 86_400)
    #expect(cache.imageCachedType(forKey: cacheKey) == .disk)
  }

  @Test func aRequestsOwnExpirationsHold() async throws {
    _ = try await requests.get(.memoryCacheExpiration(.never), .diskCacheExpiration(.seconds(5)))
    kit.clock.advance(by: 86_400)
    #expect(cache.imageCachedType(forKey: url.cacheKey) == .memory)
    cache.clearMemoryCache()
    #expect(cache.imageCachedType(forKey: url.cacheKey) == .none)
  }

  @Test func imagesAreStoredAndRemovedInTheOrderOfTheCalls() async throws {
    cache.store(image, forKey: cacheKey)
    #expect(cache.imageCachedType(forKey: cacheKey) == .memory)
    let data = Data.pngBeginning(400, 300)
    cache.store(image, original: data, forKey: "original")
    cache.store(image, forKey: "memory", toDisk: false)
    cache.removeImage(forKey: cacheKey)
    let processor = ManagerKit.blur
    try await kit.store(image, cacheKey, processor.identifier)
    #expect(try kit.names.count == 2 && !cache.isCached(forKey: cacheKey))
    #expect(try kit.disk.value(forKey: "original") == image.data)
    await kit.end { done in
      cache.removeImage(
        forKey: cacheKey, processorIdentifier: processor.identifier, fromMemory: false, fromDisk: true
      ) { done() }
    }
    #expect(cache.imageCachedType(forKey: cacheKey, processorIdentifier: processor.identifier) == .memory)
    #expect(try kit.names == [kit.name("original")])
  }

  @Test func theCacheIsMeasuredCleanedAndCleared() async throws {
    let padded = try KFCrossPlatformImage.png(padding: 1000 - 29)
    try await kit.store(padded, "stays")
    cache.diskStorage.config.expiration = .seconds(100)
    cache.memoryStorage.config.expiration = .seconds(100)
    try await kit.store(image, "goes")
    kit.clock.advance(by: 100)
    cache.cleanExpiredMemoryCache()
    await kit.end { done in cache.cleanExpiredDiskCache { done() } }
    #expect(cache.isCached(forKey: "stays") && !cache.isCached(forKey: "goes"))
    let size = await kit.value { done in cache.calculateDiskStorageSize { done($0) } }
    #expect(try size.get() == 1000)
    cache.clearMemoryCache()
    #expect(cache.imageCachedType(forKey: "stays") == .disk)
    await kit.end { done in cache.clearDiskCache { done() } }
    #expect(try !cache.isCached(forKey: "stays") && kit.names.isEmpty)
  }

  @Test func aCacheOfOnesOwnIsUsedByItsName() async throws {
    let own = try ImageCache(name: "my-own-cache", cacheDirectoryURL: kit.temporary.url)
    #expect(await set(url, [.targetCache(own), .waitForCache]) == CacheType.none)
    #expect(own.isCached(forKey: url.cacheKey) && !cache.isCached(forKey: url.cacheKey))
    let folder = kit.temporary.file("com.onevcat.Kingfisher.ImageCache.my-own-cache")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path) == [kit.name(url.cacheKey)])
  }

  @Test func requestsForceRefreshOrStayOffline() async throws {
    #expect(await set(url, [.onlyFromCache]) == nil)
    let error = await #expect(throws: KingfisherError.self) { try await requests.get(.onlyFromCache) }
    guard case .cacheError(.imageNotExisting(let key)) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(key == url.cacheKey && requests.loader.downloads == 0)
    #expect(await set(url) == CacheType.none)
    #expect(await set(url, [.onlyFromCache]) == .memory)
    #expect(await set(url, [.forceRefresh]) == CacheType.none)
    #expect(requests.loader.downloads == 2)
  }

  @Test func aHandlerMayAskTheDiskInside() async {
    let (url, cache) = (url, cache)
    let isThere = await kit.value { done in
      imageView.kf.setImage(with: url, options: [.waitForCache]) { _ in
        cache.retrieveImageInDiskCache(forKey: url.cacheKey) { result in
          switch result {
          case .success(let image): done(image != nil)
          case .failure: done(false)
          }
        }
      }
    }
    #expect(isThere)
  }
}
