import Foundation
import Preheat
import TestSupport
import Testing

/// What Nuke's public pages show in code, by the one import that a program needs. Where a page has no screen in it, its
/// calls compile here under the same names; `docs/nuke.md` lists the others.
@Suite(.timeLimit(.minutes(10)))
struct NukeFragmentTests {
  private let kit: PipelineKit
  private var pipeline: ImagePipeline { kit.pipeline }
  private var url: URL { kit.server.url("/a.jpg") }

  init() throws { kit = try PipelineKit() }

  private func picture() throws -> PlatformImage {
    try #require(
      PlatformImage(width: 2, height: 2, pixels: Data(repeating: 9, count: 16), isOpaque: true))
  }

  // MARK: Cache Configuration; Caching, Configuration and Aggressive Disk Cache

  @Test func aPipelineIsConfigured() throws {
    #expect(ImagePipeline(configuration: .withDataCache).configuration.dataCache != nil)
    #expect(ImagePipeline(configuration: .withURLCache).configuration.dataCache == nil)
    let folder = try TemporaryFolder()
    let own = ImagePipeline {
      $0.dataCache = try? DataCache(path: folder.file("com.myapp.datacache"))
      $0.dataCachePolicy = .automatic
    }
    #expect(own.configuration.dataCachePolicy == .automatic)
    let replace = { ImagePipeline.shared = own }
    _ = replace
  }

  // MARK: Caching, Memory Cache

  @Test func theMemoryCacheIsConfiguredReadAndCleared() throws {
    let cache = ImageCache()
    cache.costLimit = 1024 * 1024 * 64
    cache.countLimit = 50
    cache.ttl = 60
    let request = ImageRequest(url: url)
    cache[request] = ImageContainer(image: try picture())
    #expect(cache[request]?.image.width == 2)
    cache.removeAll()
    #expect(cache[request] == nil && ImageCache.shared !== cache)
  }

  // MARK: Caching, HTTP Disk Cache: HTTPCache in the place of URLCache

  @Test func theHTTPCacheIsConfiguredReadAndCleared() throws {
    let cache: HTTPCache? = try HTTPCache(folder: kit.folder.file("http"))
    cache?.diskCapacity = 1 << 20
    let request = try #require(ImageRequest(url: url).httpRequest)
    #expect(cache?.cachedResponse(for: request) == nil)
    cache?.removeCachedResponse(for: request)
    cache?.removeAllCachedResponses()
    let shared = { DataLoader.sharedHTTPCache }
    _ = shared
  }

  // MARK: Caching, Aggressive Disk Cache

  @Test func theDataCacheStoresAndFlushes() throws {
    let dataCache = try DataCache(path: kit.folder.file("own"))
    dataCache.sizeLimit = 1024 * 1024 * 64
    let data = Data("picture".utf8)
    dataCache.storeData(data, for: "key")
    #expect(dataCache.containsData(for: "key"))
    #expect(dataCache.cachedData(for: "key") == data && dataCache["key"] == data)
    dataCache.flush()
    dataCache.flush(for: "key")
    let file = try #require(dataCache.url(for: "key"))
    #expect(try Data(contentsOf: file) == data)
    dataCache.removeData(for: "key")
    dataCache.removeAll()
    #expect(dataCache.cachedData(for: "key") == nil)
  }

  // MARK: Caching and Accessing Caches, Cache Lookup

  @Test func aRequestForCachesAloneFails() async throws {
    let request = ImageRequest(url: url, options: [.returnCacheDataDontLoad])
    let isMissing = await withCheckedContinuation { done in
      pipeline.loadImage(with: request) { result in
        switch result {
        case .success(let response): done.resume(returning: response.cacheType == nil)
        case .failure: done.resume(returning: true)
        }
      }
    }
    #expect(isMissing)
    await #expect(throws: ImagePipeline.Error.self) { try await pipeline.imageTask(with: request).response }
  }

  @Test func anImageIsLoadedAgain() async throws {
    pipeline.cache.removeCachedImage(for: ImageRequest(url: url))
    let request = ImageRequest(url: url, options: [.reloadIgnoringCachedData])
    let response = try await pipeline.imageTask(with: request).response
    #expect(response.cacheType == nil && response.image.width > 0)
  }

  // MARK: Caching and Accessing Caches, Direct Access

  @Test func theMemoryCacheHasASubscriptForAnyRequest() throws {
    let image = try picture()
    pipeline.cache[url] = ImageContainer(image: image)
    #expect(pipeline.cache[url] != nil && pipeline.cache[url.absoluteString] != nil)
    #expect(pipeline.cache[ImageRequest(url: url, options: [.disableMemoryCacheReads])] == nil)
    pipeline.cache[ImageRequest(url: url)] = nil
    pipeline.cache["https://example.com/image.jpeg"] = ImageContainer(image: image)
    #expect(pipeline.cache[url] == nil)
  }

  @Test func imagesAreReadAndStoredInBothLayers() throws {
    let cache = pipeline.cache
    let request = ImageRequest(url: url)
    cache.storeCachedImage(ImageContainer(image: try picture()), for: request)
    #expect(cache.cachedImage(for: request) != nil)
    #expect(cache.cachedImage(for: request, caches: [.memory]) != nil)
    #expect(cache.cachedImage(for: request, caches: [.disk]) != nil)
    #expect(cache.cachedData(for: request) != nil && cache.containsData(for: request))
    cache.removeCachedImage(for: request)
    cache.removeAll()
    #expect(!cache.containsData(for: request))
  }

  private final class Keys: ImagePipeline.Delegate {
    func cacheKey(for request: ImageRequest, pipeline: ImagePipeline) -> String? {
      request.userInfo["imageId"] as? String ?? request.imageID
    }
  }

  @Test func keysAreMadeAndCustomised() throws {
    let request = ImageRequest(url: url)
    _ = pipeline.cache.makeImageCacheKey(for: request)
    #expect(pipeline.cache.makeDataCacheKey(for: request) == url.absoluteString)
    let own = ImagePipeline(configuration: .withURLCache, delegate: Keys())
    var named = ImageRequest(url: url, processors: [.circle()])
    #expect(own.cache.makeDataCacheKey(for: named) == url.absoluteString)
    named.userInfo["imageId"] = "one"
    #expect(own.cache.makeDataCacheKey(for: named) == "one")
  }

  // MARK: Performance Guide

  @Test func aPictureIsDownsampledAndRequestsShareTheirWork() async throws {
    let small = ImageRequest(url: url, processors: [.resize(width: 32)])
    #expect(try await pipeline.image(for: small).width == 32)
    pipeline.loadImage(
      with: ImageRequest(
        url: url, processors: [.resize(size: CGSize(width: 30, height: 20)), .gaussianBlur(radius: 3)]))
    pipeline.loadImage(
      with: ImageRequest(url: url, processors: [.resize(size: CGSize(width: 30, height: 20))]))
    let thumbnail = ImageRequest.ThumbnailOptions(
      size: CGSize(width: 30, height: 30), unit: .pixels, contentMode: .aspectFit)
    var request = ImageRequest(url: url)
    request.thumbnail = thumbnail
    #expect(try await pipeline.image(for: request).width <= 30)
    let task = pipeline.imageTask(with: ImageRequest(url: url, priority: .low))
    task.priority = .high
    #expect(try await task.image.width > 0)
  }
}
