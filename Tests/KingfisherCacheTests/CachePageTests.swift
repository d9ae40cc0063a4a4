import Foundation
import TestSupport
import Testing

@testable import KingfisherCache

/// Every fragment of Kingfisher's page "Common Tasks - Cache" does what the page says. Limits and expirations of the
/// storages themselves are in their own suites.
@Suite(.timeLimit(.minutes(10)))
struct CachePageTests {
  let requests: ManagerKit
  let image = KFCrossPlatformImage.png(40, 30)
  let cacheKey = "my_cache_key"

  init() throws { requests = try ManagerKit() }

  private var cache: ImageCache { requests.cache }

  @Test func aResourceIsCachedUnderItsOwnKey() async throws {
    let resource = ImageResource(downloadURL: requests.url, cacheKey: cacheKey)
    _ = try await requests.manager.retrieveImage(with: resource, options: [.waitForCache])
    #expect(cache.isCached(forKey: cacheKey))
    #expect(!cache.isCached(forKey: requests.url.absoluteString))
    #expect(KF.ImageResource(downloadURL: requests.url).cacheKey == "https://example.com/a.png")
  }

  @Test func whetherAndWhereAnImageIsCached() async throws {
    #expect(!cache.isCached(forKey: cacheKey))
    #expect(cache.imageCachedType(forKey: cacheKey) == .none)
    await cache.store(image, forKey: cacheKey)
    #expect(cache.isCached(forKey: cacheKey))
    #expect(cache.imageCachedType(forKey: cacheKey) == .memory)
    cache.clearMemoryCache()
    #expect(cache.imageCachedType(forKey: cacheKey) == .disk)
  }

  @Test func aProcessedImageIsCachedUnderItsProcessorsIdentifier() async throws {
    let processor = RoundCornerImageProcessor(cornerRadius: 20)
    _ = try await requests.get(.processor(processor))
    let key = requests.key
    #expect(cache.isCached(forKey: key, processorIdentifier: processor.identifier))
    #expect(!cache.isCached(forKey: key))
    let computed = "\(key)@com.onevcat.Kingfisher.RoundCornerImageProcessor(20.0)"
    #expect(try requests.kit.names == [cache.hash(forKey: computed)])
  }

  @Test func anImageIsGotFromTheCacheAndSaysWhere() async throws {
    var value = try await cache.retrieveImage(forKey: cacheKey)
    #expect(value.cacheType == .none && value.image == nil)
    await cache.store(image, forKey: cacheKey)
    value = try await cache.retrieveImage(forKey: cacheKey)
    #expect(value.cacheType == .memory && value.image == image)
    cache.clearMemoryCache()
    value = try await cache.retrieveImage(forKey: cacheKey)
    #expect(value.cacheType == .disk && value.image == image)
    #expect(cache.retrieveImageInMemoryCache(forKey: cacheKey) == image)
  }

  @Test func limitsCanBeSetOnBothStorages() {
    cache.memoryStorage.config.totalCostLimit = 300 * 1024 * 1024
    cache.memoryStorage.config.countLimit = 150
    cache.diskStorage.config.sizeLimit = 1000 * 1024 * 1024
    #expect(cache.memoryStorage.config.totalCostLimit == 314_572_800)
    #expect(cache.memoryStorage.config.countLimit == 150)
    #expect(cache.diskStorage.config.sizeLimit == 1_048_576_000)
  }

  @Test func expirationsCanBeSetOnBothStorages() async throws {
    cache.memoryStorage.config.expiration = .seconds(600)
    cache.diskStorage.config.expiration = .never
    cache.memoryStorage.config.cleanInterval = 30
    await cache.store(image, forKey: cacheKey)
    requests.kit.clock.advance(by: 599)
    #expect(cache.imageCachedType(forKey: cacheKey) == .memory)
    requests.kit.clock.advance(by: 1)
    #expect(cache.imageCachedType(forKey: cacheKey) == .disk)
    requests.kit.clock.advance(by: 10 * 365 * 86_400)
    #expect(cache.imageCachedType(forKey: cacheKey) == .disk)
  }

  @Test func aRequestsOwnExpirationsHold() async throws {
    _ = try await requests.get(.memoryCacheExpiration(.never), .diskCacheExpiration(.seconds(5)))
    requests.kit.clock.advance(by: 86_400)
    #expect(cache.imageCachedType(forKey: requests.key) == .memory)
    cache.clearMemoryCache()
    #expect(cache.imageCachedType(forKey: requests.key) == .none)
  }

  @Test func anImageIsStoredByHandWithOrWithoutItsOriginal() async throws {
    try await cache.store(image, forKey: cacheKey).diskCacheResult.get()
    #expect(try Data(contentsOf: requests.kit.file(cacheKey)) == image.data)
    let original = Data.pngBeginning(400, 300)
    await cache.store(image, original: original, forKey: "kept", cacheSerializer: keeping)
    #expect(try Data(contentsOf: requests.kit.file("kept")) == original)
    await cache.store(image, original: original, forKey: "drawn")
    #expect(try Data(contentsOf: requests.kit.file("drawn")) == image.data)
    await cache.store(image, forKey: "memory", toDisk: false)
    #expect(try !FileManager.default.fileExists(atPath: requests.kit.file("memory").path))
  }

  private var keeping: DefaultCacheSerializer {
    var serializer = DefaultCacheSerializer.default
    serializer.preferCacheOriginalData = true
    return serializer
  }

  @Test func bytesAreStoredToDiskAlone() async throws {
    let expiration = StorageExpiration.seconds(50)
    await cache.storeToDisk(image.data, forKey: cacheKey, processorIdentifier: "p", expiration: expiration)
    #expect(cache.imageCachedType(forKey: cacheKey, processorIdentifier: "p") == .disk)
    #expect(try requests.kit.dates("\(cacheKey)@p").expiry == TestClock.start.addingTimeInterval(50))
  }

  @Test func anImageIsRemovedFromBothOrFromOne() async throws {
    let identifier = ManagerKit.blur.identifier
    for identifier in ["", identifier] {
      await cache.store(image, forKey: cacheKey, processorIdentifier: identifier)
    }
    try await cache.removeImage(forKey: cacheKey)
    #expect(!cache.isCached(forKey: cacheKey))
    #expect(cache.isCached(forKey: cacheKey, processorIdentifier: identifier))

    try await cache.removeImage(
      forKey: cacheKey, processorIdentifier: identifier, fromMemory: false, fromDisk: true)
    #expect(cache.imageCachedType(forKey: cacheKey, processorIdentifier: identifier) == .memory)
    cache.clearMemoryCache()
    #expect(!cache.isCached(forKey: cacheKey, processorIdentifier: identifier))
  }

  @Test func everythingCanBeCleared() async throws {
    await cache.store(image, forKey: cacheKey)
    cache.clearMemoryCache()
    #expect(cache.imageCachedType(forKey: cacheKey) == .disk)
    try await cache.clearDiskCache()
    #expect(cache.imageCachedType(forKey: cacheKey) == .none)
    #expect(try requests.kit.names.isEmpty)
    await cache.store(image, forKey: cacheKey)
    try await cache.clearCache()
    #expect(!cache.isCached(forKey: cacheKey))
  }

  @Test func whatExpiredCanBeCleaned() async throws {
    await cache.store(image, forKey: "stays")
    await cache.storeToDisk(image.data, forKey: "goes", expiration: .seconds(100))
    cache.memoryStorage.store(value: image, forKey: "goes", expiration: .seconds(100))
    requests.kit.clock.advance(by: 100)
    cache.cleanExpiredMemoryCache()
    #expect(cache.memoryStorage.totalCount == 1)
    try await cache.cleanExpiredDiskCache()
    #expect(try requests.kit.names == [cache.hash(forKey: "stays")])
  }

  @Test func theSizeOnDiskIsReported() async throws {
    #expect(try await cache.calculateDiskStorageSize() == 0)
    await cache.store(.png(padding: 1000 - 29), forKey: "a")
    await cache.store(.png(padding: 500 - 29), forKey: "b")
    #expect(try await cache.calculateDiskStorageSize() == 1500)
    #expect(try await cache.diskStorageSize == 1500)
  }

  @Test func aCacheOfOnesOwnIsUsedByItsName() async throws {
    let own = try ImageCache(name: "my-own-cache", cacheDirectoryURL: requests.kit.temporary.url)
    _ = try await requests.get(.targetCache(own))
    #expect(own.isCached(forKey: requests.key))
    #expect(!cache.isCached(forKey: requests.key))
    let folder = requests.kit.temporary.path + "/com.onevcat.Kingfisher.ImageCache.my-own-cache/"
    #expect(try own.cachePath(forKey: requests.key) == folder + cache.hash(forKey: requests.key))
  }

  @Test func thePathOfACacheCanBeReplaced() throws {
    let other = try ImageCache(name: "n", cacheDirectoryURL: requests.kit.temporary.url) { root, name in
      root.appendingPathComponent("elsewhere").appendingPathComponent(name)
    }
    let path = requests.kit.temporary.path + "/elsewhere/com.onevcat.Kingfisher.ImageCache.n"
    #expect(other.diskStorage.directoryURL.path == path)
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test func forceRefreshDownloadsAgain() async throws {
    _ = try await requests.get()
    #expect(try await requests.get().cacheType == .memory)
    #expect(requests.downloader.count == 1)
    #expect(try await requests.get(.forceRefresh).cacheType == .none)
    #expect(requests.downloader.count == 2)
  }

  @Test func onlyFromCacheNeverDownloads() async throws {
    let error = await #expect(throws: KingfisherError.self) { try await requests.get(.onlyFromCache) }
    #expect(error?.isImageNotExisting == true)
    #expect(requests.downloader.count == 0)
    _ = try await requests.get()
    #expect(try await requests.get(.onlyFromCache).cacheType == .memory)
  }

  @Test func waitForCacheAnswersWhenTheFileIsThere() async throws {
    _ = try await requests.manager.retrieveImage(with: requests.url, options: [.waitForCache])
    #expect(try await cache.retrieveImageInDiskCache(forKey: requests.url.cacheKey) != nil)
  }

  @Test func withoutWaitForCacheMemoryHasTheImageAndTheFileComes() async throws {
    _ = try await requests.manager.retrieveImage(with: requests.url)
    #expect(cache.retrieveImageInMemoryCache(forKey: requests.key) != nil)
    await requests.manager.waitForStores()
    #expect(try await cache.retrieveImageInDiskCache(forKey: requests.key) != nil)
  }
}
