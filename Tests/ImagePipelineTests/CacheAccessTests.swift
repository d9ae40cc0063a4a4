import Foundation
import NukeCache
import TestSupport
import Testing

@testable import Concurrency
@testable import ImagePipeline

/// The fragments of Nuke's page on accessing caches, through a pipeline and its workers.
@Suite(.timeLimit(.minutes(10)))
struct CacheAccessTests {
  private static let url = URL(string: "https://example.com/image.jpeg")

  private func image(_ side: Int = 4, opaque: Bool = true) throws -> PlatformImage {
    var pixels = Data(count: side * side * 4)
    for index in 0..<side * side { pixels.replaceSubrange(index * 4..<index * 4 + 4, with: [9, 8, 7, 255]) }
    return try #require(
      PlatformImage(width: side, height: side, bytesPerRow: side * 4, pixels: pixels, isOpaque: opaque))
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
    #expect(fromDisk.type == .jpeg)
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
    #expect(!kit.pipeline.cache.containsCachedImage(for: request))
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

  private final class KeyDelegate: ImagePipelineDelegate {
    func cacheKey(for request: ImageRequest, pipeline: ImagePipeline) -> String? {
      request.userInfo["imageId"] as? String
    }
  }

  @Test func theDelegatesKeyIsTheWholeKeyInMemoryAndOnDisk() async throws {
    let kit = try PipelineKit(delegate: KeyDelegate())
    var request = ImageRequest(url: kit.server.url("/a.jpg?token=1"), userInfo: ["imageId": "image-1"])
    _ = try await kit.pipeline.image(for: request)
    #expect(kit.dataCache.containsData(for: "image-1"))
    #expect(kit.dataCache.cachedData(for: request.imageID ?? "") == nil)
    #expect(kit.imageCache[ImageCacheKey(key: "image-1")] != nil)
    request.resource = .url(kit.server.url("/a.jpg?token=2"))
    #expect(try await kit.pipeline.imageTask(with: request).response.cacheType == .memory)
    #expect(
      try await kit.restarted(delegate: KeyDelegate()).imageTask(with: request).response.cacheType == .disk)
    #expect(kit.pipeline.cache.makeDataCacheKey(for: request) == "image-1")
  }

  private final class CacheDelegate: ImagePipelineDelegate {
    let other: DataCache
    let images = ImageCache(costLimit: 1 << 20)
    let seen = Locked<[String]>([])

    init(_ other: DataCache) { self.other = other }

    func dataCache(for request: ImageRequest, pipeline: ImagePipeline) -> (any DataCaching)? { other }
    func imageCache(for request: ImageRequest, pipeline: ImagePipeline) -> (any ImageCaching)? { images }

    func willCache(
      data: Data, image: ImageContainer?, for request: ImageRequest, pipeline: ImagePipeline
    ) async -> Data? {
      seen.withLock { $0.append(image == nil ? "original" : "encoded") }
      return image == nil ? nil : Data("mine".utf8)
    }
  }

  @Test func theDelegateChoosesCachesAndTheBytesThatAreStored() async throws {
    let folder = try TemporaryFolder()
    let other = try DataCache(path: folder.file("other"))
    folder.beforeRemoval { other.flush() }
    let delegate = CacheDelegate(other)
    let kit = try PipelineKit(delegate: delegate) { $0.dataCachePolicy = .storeAll }
    let processor = ImageProcessor.resize(width: 10, unit: .pixels)
    let request = ImageRequest(url: kit.server.url("/a"), processors: [processor])
    _ = try await kit.pipeline.image(for: request)
    #expect(delegate.seen.withLock { $0 }.sorted() == ["encoded", "original"])
    let key = kit.pipeline.cache.makeDataCacheKey(for: request)
    #expect(delegate.other.cachedData(for: key) == Data("mine".utf8))
    #expect(!delegate.other.containsData(for: request.imageID ?? ""))
    #expect(delegate.images.totalCount == 1)
    #expect(kit.imageCache.totalCount == 0)
    #expect(!kit.dataCache.containsData(for: key))
  }
}
