import Foundation
import TestSupport
import Testing

@testable import KingfisherCache

/// Kingfisher's forms with completion handlers, as its page "Common Tasks - Cache" calls them: from code that does not
/// wait.
@Suite(.timeLimit(.minutes(10)))
struct HandlerTests {
  let requests: ManagerKit
  let image = KFCrossPlatformImage.png(40, 30)
  let cacheKey = "my_cache_key"

  init() throws { requests = try ManagerKit() }

  private var cache: ImageCache { requests.cache }

  /// What a handler is given, once it is.
  private func value<Value: Sendable>(
    _ call: @Sendable (@escaping @Sendable (Value) -> Void) -> Void
  ) async -> Value {
    await withCheckedContinuation { continuation in call { continuation.resume(returning: $0) } }
  }

  private func end(_ call: @Sendable (@escaping @Sendable () -> Void) -> Void) async {
    await withCheckedContinuation { continuation in call { continuation.resume() } }
  }

  /// Stores without waiting: memory has the image when the call returns.
  private func storeBoth() {
    cache.store(image, forKey: cacheKey)
    #expect(cache.imageCachedType(forKey: cacheKey) == .memory)
    let data = Data.pngBeginning(400, 300)
    cache.store(image, original: data, forKey: "original")
  }

  @Test func storesAndRemovalsAreInTheOrderOfTheCalls() async throws {
    storeBoth()
    let result = await value { handler in
      cache.store(image, forKey: "last") { handler($0) }
    }
    try result.diskCacheResult.get()
    #expect(try requests.kit.names.count == 3)
    await end { done in
      cache.removeImage(forKey: cacheKey)
      cache.removeImage(forKey: "last", processorIdentifier: "", fromMemory: false, fromDisk: true) { done() }
    }
    #expect(try requests.kit.names == [cache.hash(forKey: "original")])
    #expect(cache.imageCachedType(forKey: "last") == .memory)
    #expect(!cache.isCached(forKey: cacheKey))
  }

  @Test func anImageIsGotFromTheCacheAndSaysWhere() async throws {
    await cache.store(image, forKey: cacheKey)
    let cacheKey = cacheKey
    var found = await value { handler in cache.retrieveImage(forKey: cacheKey) { handler($0) } }
    #expect(try found.get() == .memory(image))
    cache.clearMemoryCache()
    found = await value { handler in cache.retrieveImage(forKey: cacheKey) { handler($0) } }
    #expect(try found.get() == .disk(image))
    let onDisk = await value { handler in
      cache.retrieveImageInDiskCache(forKey: cacheKey) { handler($0) }
    }
    #expect(try onDisk.get() == image)
    found = await value { handler in cache.retrieveImage(forKey: "none") { handler($0) } }
    #expect(try found.get().cacheType == .none)
  }

  @Test func aFailureReachesTheHandler() async {
    cache.diskStorage.config.pathExtension = "a/b"
    let stored = await value { handler in
      cache.storeToDisk(image.data, forKey: "k", expiration: .never) { handler($0) }
    }
    #expect(throws: KingfisherError.self) { try stored.diskCacheResult.get() }
    let result = await value { handler in
      requests.manager.retrieveImage(with: requests.url, options: [.onlyFromCache]) { handler($0) }
    }
    let error = #expect(throws: KingfisherError.self) { try result.get() }
    #expect(error?.isImageNotExisting == true)
  }

  @Test func theDiskIsMeasuredCleanedAndCleared() async throws {
    await cache.store(.png(padding: 1000 - 29), forKey: "a")
    await cache.storeToDisk(image.data, forKey: "goes", expiration: .seconds(100))
    requests.kit.clock.advance(by: 100)
    cache.cleanExpiredMemoryCache()
    await end { done in cache.cleanExpiredDiskCache { done() } }
    var size = await value { handler in cache.calculateDiskStorageSize { handler($0) } }
    #expect(try size.get() == 1000)
    await end { done in cache.clearDiskCache { done() } }
    #expect(cache.imageCachedType(forKey: "a") == .memory)
    await end { done in cache.clearCache { done() } }
    await end { done in cache.cleanExpiredCache { done() } }
    size = await value { handler in cache.calculateDiskStorageSize { handler($0) } }
    #expect(try size.get() == 0 && !cache.isCached(forKey: "a"))
  }

  @Test func aRequestWithAHandlerWaitsForTheFileWhereItIsAsked() async throws {
    let url = requests.url
    let result = await value { handler in
      requests.manager.retrieveImage(with: url, options: [.waitForCache]) { handler($0) }
    }
    #expect(try result.get().cacheType == .none)
    let again = await value { handler in
      requests.manager.retrieveImage(with: Source.network(url), completionHandler: { handler($0) })
    }
    #expect(try again.get().cacheType == .memory)
    let stored = await value { handler in
      cache.retrieveImageInDiskCache(forKey: url.cacheKey) { handler($0) }
    }
    #expect(try stored.get() != nil)
  }
}
