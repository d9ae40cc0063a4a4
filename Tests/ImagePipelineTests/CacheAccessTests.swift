import Foundation
import NukeCache
import Testing

@testable import ImagePipeline

/// The fragments of Nuke's page on accessing caches, through a pipeline and its workers.
@Suite(.timeLimit(.minutes(10)))
struct CacheAccessTests {
  private static let url = URL(string: "https://example.com/image.jpeg")

  private func image(_ side: Int = 4, opaque: Bool = true) throws -> PlatformImage {
    var pixels = Data(count: side * side * 4)
    for index in 0..<side * side { pixels.replaceSubrange(index * 4..<index * 4 + 4, with: [9, 8, 7, 255]) }
    return try #require(
      PlatformImage(width: side, height: side, pixels: pixels, isOpaque: opaque))
  }

  @Test func theMemoryCacheIsReadAndWrittenBySubscript() throws {
    let pipeline = try PipelineKit().pipeline
    let url = try #require(Self.url)
    pipeline.cache[url] = ImageContainer(image: try image())
    #expect(pipeline.cache["https://example.com/image.jpeg"]?.image.width == 4)
    #expect(pipeline.cache[ImageRequest(url: url, options: [.disableMemoryCacheReads])] == nil)
    pipeline.cache[ImageRequest(url: url)] = nil
    #expect(pipeline.cache[url] == nil)
  }

  @Test func imagesAreStoredInMemoryAndEncodedOnDisk() throws {
    let kit = try PipelineKit()
    let cache = kit.pipeline.cache
    let request = ImageRequest(url: Self.url)
    cache.storeCachedImage(ImageContainer(image: try image()), for: request)
    #expect(cache.cachedImage(for: request)?.image.width == 4)
    #expect(cache.cachedImage(for: request, caches: [.memory]) != nil)
    #expect(cache.containsData(for: request))
    #expect(cache.cachedData(for: request)?.prefix(3) == Data([0xff, 0xd8, 0xff]))
    kit.imageCache.removeAll()
    let fromDisk = try #require(cache.cachedImage(for: request, caches: [.disk]))
    #expect((fromDisk.image.width, fromDisk.image.isOpaque) == (4, true))
    cache.removeCachedImage(for: request)
    #expect(cache.cachedImage(for: request) == nil)
    #expect(!cache.containsData(for: request))
  }

  @Test func anImageWithAlphaIsStoredAsPNG() throws {
    let cache = try PipelineKit().pipeline.cache
    cache.storeCachedImage(ImageContainer(image: try image(opaque: false)), for: ImageRequest(url: Self.url))
    #expect(cache.cachedData(for: ImageRequest(url: Self.url))?.prefix(4) == Data([0x89, 0x50, 0x4e, 0x47]))
  }

  @Test func removeAllEmptiesBothLayers() async throws {
    let kit = try PipelineKit()
    let request = ImageRequest(url: kit.server.url("/a"))
    _ = try await kit.pipeline.image(for: request)
    kit.pipeline.cache.removeAll()
    #expect(kit.pipeline.cache.cachedImage(for: request) == nil)
  }

  @Test func manyThreadsMayWaitForADecodeAtOnce() async throws {
    let kit = try PipelineKit()
    let cache = kit.pipeline.cache
    let request = ImageRequest(url: Self.url)
    cache.storeCachedImage(ImageContainer(image: try image()), for: request, caches: [.disk])
    await withTaskGroup(of: Bool.self) { group in
      // More than there are threads for tasks.
      for _ in 0..<16 { group.addTask { cache.cachedImage(for: request, caches: [.disk]) != nil } }
      for await isThere in group { #expect(isThere) }
    }
  }

  @Test func keysAreThoseOfTheConfiguredVersionAndScale() throws {
    let kit = try PipelineKit {
      $0.version = NukeVersion(12, 9, 0)
      $0.screenScale = 3
    }
    let request = ImageRequest(url: Self.url, processors: [.resize(width: 50)])
    #expect(
      kit.pipeline.cache.makeDataCacheKey(for: request)
        == "https://example.com/image.jpegcom.github.kean/nuke/resize?s=(150.0, 29997.0),cm=.aspectFit,"
        + "crop=false,upscale=false")
    #expect(kit.pipeline.cache.makeImageCacheKey(for: request) == ImageCacheKey(request: request))
  }

  private final class KeyDelegate: ImagePipeline.Delegate {
    func cacheKey(for request: ImageRequest, pipeline: ImagePipeline) -> String? {
      request.userInfo["imageId"] as? String
    }
  }

  @Test func theDelegatesKeyIsTheWholeKeyInMemoryAndOnDisk() async throws {
    let kit = try PipelineKit(delegate: KeyDelegate())
    let first = ImageRequest(url: kit.server.url("/a.jpg?token=1"), userInfo: ["imageId": "image-1"])
    _ = try await kit.pipeline.image(for: first)
    #expect(kit.dataCache.containsData(for: "image-1"))
    #expect(kit.dataCache.cachedData(for: first.imageID ?? "") == nil)
    #expect(kit.imageCache[ImageCacheKey(key: "image-1")] != nil)
    let request = ImageRequest(url: kit.server.url("/a.jpg?token=2"), userInfo: ["imageId": "image-1"])
    #expect(try await kit.pipeline.imageTask(with: request).response.cacheType == .memory)
    #expect(
      try await kit.restarted(delegate: KeyDelegate()).imageTask(with: request).response.cacheType == .disk)
    #expect(kit.pipeline.cache.makeDataCacheKey(for: request) == "image-1")
  }
}
