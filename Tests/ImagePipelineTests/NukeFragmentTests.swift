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
      PlatformImage(
        width: 2, height: 2, bytesPerRow: 8, pixels: Data(repeating: 9, count: 16), isOpaque: true))
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
    #expect(response.cacheType == nil && response.image.isDecoded)
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
    #expect(try await task.image.isDecoded)
  }

  @Test func theSameProcessorHasTheSameIdentifierHoweverItIsSpelled() {
    let size = CGSize(width: 4, height: 3)
    let red = ImageProcessingOptions.Border(color: .red, width: 2, unit: .pixels)
    let pairs: [(ImageProcessor, ImageProcessor)] = [
      (
        ImageProcessors.Resize(size: size, unit: .pixels, crop: true),
        .resize(size: size, unit: .pixels, crop: true)
      ),
      (.resize(size: size), .resize(width: 4, height: 3)),
      (ImageProcessors.Resize(width: 9), .resize(width: 9)),
      (ImageProcessors.Resize(height: 9), .resize(height: 9)), (ImageProcessors.Circle(), .circle()),
      (ImageProcessors.Circle(border: red), .circle(border: red)),
      (ImageProcessors.RoundedCorners(radius: 8), .roundedCorners(radius: 8)),
      (ImageProcessors.GaussianBlur(), .gaussianBlur()),
      (ImageProcessors.CoreImageFilter(name: "CISepiaTone"), .coreImageFilter(name: "CISepiaTone")),
      (
        .coreImageFilter(name: "CISepiaTone", parameters: ["inputIntensity": 0.5], identifier: "sepia"),
        .custom(identifier: "sepia")
      ),
      (ImageProcessors.Anonymous(id: "own") { $0 }, .process(id: "own") { $0 }),
      (
        ImageProcessors.Composition([.circle(), .gaussianBlur()]), .composition([.circle(), .gaussianBlur()])
      ),
    ]
    let format = CacheKeyFormat(version: .latest, screenScale: 2)
    for (one, other) in pairs { #expect(format.identifier(of: one) == format.identifier(of: other)) }
    #expect(
      format.identifier(of: .circle(border: red)).hasSuffix(
        "?border=Border(color: #FF0000, width: 2.0 pixels)"))
  }

  @Test func heicIsPreferredOrAnyFormatChosen() async throws {
    var heic = ImageEncoders.Default(compressionQuality: 0.7)
    heic.isHEIFPreferred = true
    let encoder = heic
    for (make, types) in [
      ({ @Sendable _ in encoder }, [[0xFF, 0xD8], [0, 0]]),
      ({ @Sendable _ in ImageEncoders.ImageIO(type: .png) }, [[0x89, 0x50]]),
    ] as [(@Sendable (ImageEncodingContext) -> any ImageEncoding, [[UInt8]])] {
      let kit = try PipelineKit {
        $0.dataCachePolicy = .storeEncodedImages
        $0.makeImageEncoder = make
      }
      let request = ImageRequest(url: kit.server.url("/a.jpg"), processors: [.resize(width: 16)])
      _ = try await kit.pipeline.image(for: request)
      let data = try #require(kit.pipeline.cache.cachedData(for: request))
      // HEIC where the system writes it, else JPEG.
      #expect(types.contains(Array(data.prefix(2))))
    }
  }

  private struct Own: ImageEncoding {
    func encode(_ image: PlatformImage) -> Data? { Data("\(image.width)".utf8) }
  }

  @Test func anEncoderOfPixelsAloneIsEnough() async throws {
    let kit = try PipelineKit {
      $0.dataCachePolicy = .automatic
      $0.makeImageEncoder = { context in
        if context.image.isOpaque { Own() } else { ImageEncoders.Default() }
      }
    }
    let request = ImageRequest(url: kit.server.url("/a.jpg"), processors: [.resize(width: 16)])
    _ = try await kit.pipeline.image(for: request)
    #expect(kit.pipeline.cache.cachedData(for: request) == Data("16".utf8))
  }

  @Test func signpostsAreSwitchedOn() {
    #expect(!ImagePipeline.Configuration.isSignpostLoggingEnabled)
    ImagePipeline.Configuration.isSignpostLoggingEnabled = true
    defer { ImagePipeline.Configuration.isSignpostLoggingEnabled = false }
    #expect(ImagePipeline(configuration: .withURLCache).configuration.signposts.isEnabled)
  }

  // MARK: userInfo

  @Test(arguments: [(NukeVersion(12, 9, 0), true), (NukeVersion(13, 0, 0), false)])
  func keysOfUserInfoCountUpTo12(version: NukeVersion, counts: Bool) throws {
    let pipeline = kit.restarted { $0.version = version }
    var request = ImageRequest(url: url)
    request.userInfo[.imageIdKey] = "one"
    request.userInfo[.thumbnailKey] = ImageRequest.ThumbnailOptions(maxPixelSize: 64)
    request.userInfo[.scaleKey] = 2.0
    let key = pipeline.cache.makeDataCacheKey(for: request)
    let url = url.absoluteString
    #expect(
      key == (counts ? "onecom.github/kean/nuke/thumbnail?maxPixelSize=64.0,options=truetruetruetrue" : url))
    // The properties hold in every version.
    request.imageID = "two"
    request.thumbnail = nil
    #expect(pipeline.cache.makeDataCacheKey(for: request) == "two")
    #expect(request.userInfo[.imageIdKey] == nil && request.scale == 2)
    let loose = pipeline.cache.makeImageCacheKey(for: request)
    request.userInfo[.scaleKey] = nil
    #expect((loose == pipeline.cache.makeImageCacheKey(for: request)) == !counts)
  }
}
