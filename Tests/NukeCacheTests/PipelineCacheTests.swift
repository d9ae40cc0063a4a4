import Foundation
import TestSupport
import Testing

@testable import NukeCache

/// What Nuke's public pages promise of `ImagePipeline.Cache`.
@Suite(.timeLimit(.minutes(10)))
struct PipelineCacheTests {
  private let url = URL(string: "https://example.com/image.jpeg")
  private let image = PlatformImage.undecoded(width: 4, height: 3, isOpaque: true)
  private let memory = ImageCache(costLimit: 1 << 20)
  private let disk = MemoryDataCache()

  /// As user code sees it.
  private struct Pipeline {
    var cache: ImagePipelineCache
  }

  private func pipeline(
    _ version: NukeVersion = .latest, coder: StubCoder? = StubCoder(),
    cacheKey: ImagePipelineCache.KeyHook? = nil
  ) -> Pipeline {
    Pipeline(
      cache: ImagePipelineCache(
        imageCache: memory, dataCache: disk, format: CacheKeyFormat(version: version, screenScale: 2),
        encoder: coder, decoder: coder, cacheKey: cacheKey))
  }

  @Test func theSubscriptTakesRequestsURLsAndTextAndIsAboutMemoryOnly() throws {
    let pipeline = pipeline()
    let url = try #require(url)
    pipeline.cache[url] = ImageContainer(image: image)
    #expect(pipeline.cache["https://example.com/image.jpeg"]?.image == image)
    #expect(pipeline.cache[ImageRequest(url: url)]?.image == image)
    #expect(pipeline.cache[ImageRequest(url: url, processors: [.circle()])] == nil)
    #expect(disk.keys.isEmpty)

    pipeline.cache["https://example.com/image.jpeg"] = nil
    #expect(pipeline.cache[url] == nil)
  }

  @Test func theSubscriptHonoursTheOptionsOfTheRequest() {
    let pipeline = pipeline()
    pipeline.cache[ImageRequest(url: url, options: .disableMemoryCacheWrites)] = ImageContainer(image: image)
    #expect(pipeline.cache[ImageRequest(url: url)] == nil)

    pipeline.cache[ImageRequest(url: url)] = ImageContainer(image: image)
    #expect(pipeline.cache[ImageRequest(url: url, options: .disableMemoryCacheReads)] == nil)
    #expect(pipeline.cache[ImageRequest(url: url, options: .reloadIgnoringCachedData)] == nil)
    #expect(pipeline.cache[ImageRequest(url: url, options: .disableMemoryCacheWrites)] != nil)
    pipeline.cache[ImageRequest(url: url, options: .disableMemoryCache)] = nil
    #expect(pipeline.cache[ImageRequest(url: url)] == nil)
  }

  @Test func aStoredImageIsFoundInEitherLayerOrInBoth() {
    let cache = pipeline().cache
    let request = ImageRequest(url: url, processors: [.resize(width: 320)])
    cache.storeCachedImage(ImageContainer(image: image), for: request)

    #expect(cache.cachedImage(for: request)?.userInfo["decoded"] == nil)
    #expect(cache.cachedImage(for: request, caches: [.memory])?.image == image)
    #expect(cache.cachedImage(for: request, caches: [.disk])?.userInfo["decoded"] as? Bool == true)
    #expect(
      disk.keys == [
        "https://example.com/image.jpegcom.github.kean/nuke/resize?s=(640.0, 19998.0),cm=.aspectFit,crop=false,upscale=false"
      ])
    #expect(cache.containsCachedImage(for: request))
    #expect(cache.containsCachedImage(for: request, caches: [.disk]))
    #expect(!cache.containsCachedImage(for: ImageRequest(url: url)))
    #expect(cache.cachedImage(for: request, caches: []) == nil)
  }

  @Test func oneLayerCanBeStoredToRemovedFromAndEmptiedAlone() {
    let cache = pipeline().cache
    let request = ImageRequest(url: url)
    cache.storeCachedImage(ImageContainer(image: image), for: request, caches: .memory)
    #expect(disk.keys.isEmpty)
    cache.storeCachedImage(ImageContainer(image: image), for: request, caches: .disk)
    cache.removeCachedImage(for: request, caches: .memory)
    #expect(cache.cachedImage(for: request, caches: .memory) == nil)
    #expect(cache.containsData(for: request))
    // Found on disk, and not moved up.
    #expect(cache.cachedImage(for: request) != nil)
    #expect(cache[request] == nil)

    cache[request] = ImageContainer(image: image)
    cache.removeAll(caches: .disk)
    #expect(cache[request] != nil)
    #expect(!cache.containsData(for: request))
    cache.removeAll()
    #expect(cache[request] == nil)
    cache.storeCachedImage(ImageContainer(image: image), for: request)
    cache.removeCachedImage(for: request)
    #expect(!cache.containsCachedImage(for: request))
  }

  @Test func dataIsStoredFoundAndRemovedUnderTheExactKey() {
    let cache = pipeline().cache
    let request = ImageRequest(url: url, thumbnail: ThumbnailOptions(maxPixelSize: 400))
    cache.storeCachedData(Data("x".utf8), for: request)
    #expect(cache.cachedData(for: request) == Data("x".utf8))
    #expect(cache.cachedData(for: ImageRequest(url: url)) == nil)
    #expect(cache.makeDataCacheKey(for: request).hasSuffix("?maxPixelSize=400.0,options=truetruetruetrue"))
    #expect(disk.keys == [cache.makeDataCacheKey(for: request)])
    cache.removeCachedData(for: request)
    #expect(!cache.containsData(for: request))
  }

  @Test func dataHonoursTheOptionsForTheDiskAndAskingWhetherItIsThereDoesNot() {
    let cache = pipeline().cache
    let request = ImageRequest(url: url)
    cache.storeCachedData(Data("x".utf8), for: ImageRequest(url: url, options: .disableDiskCacheWrites))
    #expect(!cache.containsData(for: request))

    cache.storeCachedData(Data("x".utf8), for: ImageRequest(url: url, options: .disableDiskCacheReads))
    let blind = ImageRequest(url: url, options: .disableDiskCache)
    #expect(cache.cachedData(for: blind) == nil)
    #expect(cache.cachedData(for: ImageRequest(url: url, options: .reloadIgnoringCachedData)) == nil)
    #expect(cache.containsData(for: blind))
    #expect(cache.cachedImage(for: blind) == nil)
    cache.removeCachedData(for: blind)
    #expect(!cache.containsData(for: request))
  }

  @Test func theHookSTextIsTheWholeKeyInBothLayersNilLeavesItAlone() {
    let cache = pipeline { $0.userInfo["imageId"] as? String }.cache
    var request = ImageRequest(url: url, processors: [.circle()])
    #expect(
      cache.makeDataCacheKey(for: request) == "https://example.com/image.jpegcom.github.kean/nuke/circle")
    #expect(cache.makeImageCacheKey(for: request) == ImageCacheKey(request: request))

    request.userInfo["imageId"] = "own"
    #expect(cache.makeDataCacheKey(for: request) == "own")
    #expect(cache.makeImageCacheKey(for: request) == ImageCacheKey(key: "own"))
    cache.storeCachedImage(ImageContainer(image: image), for: request)
    #expect(disk.keys == ["own"])
    #expect(memory[ImageCacheKey(key: "own")] != nil)
  }

  @Test func aRequestThatTheVersionCannotExpressHasNoKeyOnDisk() throws {
    let temporary = try TemporaryFolder()
    let disk = try DataCache(path: temporary.file("cache"))
    let cache = ImagePipelineCache(
      imageCache: nil, dataCache: disk, format: CacheKeyFormat(version: NukeVersion(10, 3, 0)))
    let request = ImageRequest(url: url, thumbnail: ThumbnailOptions(maxPixelSize: 400))
    cache.storeCachedData(Data("x".utf8), for: request)
    disk.flush()
    #expect(cache.makeDataCacheKey(for: request) == "")
    #expect(!cache.containsData(for: request))
    #expect(disk.totalCount == 0)
  }

  @Test(arguments: [(NukeVersion(12, 0, 0), "encoded"), (NukeVersion(12, 1, 0), "GIF89a")])
  func aGIFKeepsItsBytesSince121(version: NukeVersion, stored: String) {
    let cache = pipeline(version).cache
    let gif = ImageContainer(image: image, type: .gif, data: Data("GIF89a".utf8))
    cache.storeCachedImage(gif, for: ImageRequest(url: url, processors: [.circle()]))
    #expect(disk.values == [Data(stored.utf8)])
  }

  @Test(arguments: [(NukeVersion(13, 1, 0), 1), (NukeVersion(13, 2, 0), 0)])
  func aPreviewStaysInMemorySince132(version: NukeVersion, stored: Int) {
    let cache = pipeline(version).cache
    cache.storeCachedImage(ImageContainer(image: image, isPreview: true), for: ImageRequest(url: url))
    #expect(disk.keys.count == stored)
    #expect(cache["https://example.com/image.jpeg"]?.isPreview == true)
  }

  @Test func withoutCodersAnImageIsStoredByItsOwnDataAndNotFoundOnDisk() {
    let cache = pipeline(coder: nil).cache
    cache.storeCachedImage(ImageContainer(image: image), for: "https://example.com/1")
    #expect(disk.keys.isEmpty)
    let encoded = ImageContainer(image: image, type: .png, data: Data("png".utf8))
    cache.storeCachedImage(encoded, for: "https://example.com/2")
    #expect(cache.cachedData(for: "https://example.com/2") == Data("png".utf8))
    #expect(cache.cachedImage(for: "https://example.com/2", caches: .disk) == nil)
  }

  @Test func anImageThatCannotBeEncodedIsNotStoredAndDataThatIsNoImageIsAMiss() {
    let cache = pipeline(coder: StubCoder(fails: true)).cache
    cache.storeCachedImage(ImageContainer(image: image, data: Data("x".utf8)), for: "https://example.com/1")
    #expect(disk.keys.isEmpty)
    cache.storeCachedData(Data("x".utf8), for: "https://example.com/2")
    #expect(cache.cachedImage(for: "https://example.com/2") == nil)
    #expect(cache.containsData(for: "https://example.com/2"))
  }

  @Test func aPipelineWithoutCachesFindsNothing() {
    let cache = ImagePipelineCache(
      imageCache: nil, dataCache: nil, format: CacheKeyFormat(version: .latest))
    cache.storeCachedImage(ImageContainer(image: image), for: "https://example.com/1")
    #expect(!cache.containsCachedImage(for: "https://example.com/1"))
    #expect(cache.cachedData(for: "https://example.com/1") == nil)
    cache.removeAll()
  }
}
