import Foundation
import NukeCache
import Testing

@testable import ImagePipeline

/// What Nuke's pages on caching promise about lookups, options and the cache API.
@Suite(.timeLimit(.minutes(10)))
struct LookupTests {
  private static let resize = ImageProcessor.resize(width: 40, unit: .pixels)

  @Test func anImageComesFromTheSourceThenFromMemoryThenFromDisk() async throws {
    let kit = try PipelineKit()
    let request = ImageRequest(url: kit.server.url("/a.jpg"))
    let first = try await kit.pipeline.imageTask(with: request).response
    #expect(first.cacheType == nil)
    #expect(first.urlResponse?.status == 200)
    #expect(first.urlResponse?.contentType == "image/jpeg")
    let second = try await kit.pipeline.imageTask(with: request).response
    #expect(second.cacheType == .memory)
    #expect(second.urlResponse == nil)
    let third = try await kit.restarted().imageTask(with: request).response
    #expect(third.cacheType == .disk)
    #expect(third.image == first.image)
    #expect(second.image == first.image)
    #expect(kit.downloads == 1)
  }

  @Test func aProcessedImageComesFromDiskWithoutBeingProcessedAgain() async throws {
    let kit = try PipelineKit()
    let request = ImageRequest(url: kit.server.url("/a.jpg"), processors: [Self.resize, .circle()])
    let first = try await kit.pipeline.imageTask(with: request).response
    #expect(first.image.width == first.image.height)
    #expect(!first.image.isOpaque)
    #expect(await kit.events.drawings == 2)
    let second = try await kit.restarted().imageTask(with: request).response
    #expect(second.cacheType == .disk)
    #expect(second.image == first.image)
    #expect(kit.downloads == 1)
  }

  /// 12.6.0 and later store nothing that came from the disk; before, only the image's own entry is left alone.
  @Test(arguments: [
    (NukeVersion(10, 11, 2), true), (NukeVersion(12, 5, 0), true), (NukeVersion(12, 6, 0), false),
    (NukeVersion(13, 2, 0), false),
  ])
  func whatIsMadeOfAnEntryIsStoredBefore12Point6(version: NukeVersion, isStored: Bool) async throws {
    let kit = try PipelineKit()
    let url = kit.server.url("/a.jpg")
    _ = try await kit.restarted { $0.version = version }.image(for: url)
    let requests = [[Self.resize], [Self.resize, .circle()]].map { ImageRequest(url: url, processors: $0) }
    for request in requests {
      let pipeline = kit.restarted { $0.version = version }
      #expect(try await pipeline.imageTask(with: request).response.cacheType == .disk)
      #expect(pipeline.cache.containsData(for: request) == isStored)
    }
    #expect(kit.downloads == 1)
    // The image's own entry is not written again.
    let pipeline = kit.restarted { $0.version = version }
    let key = pipeline.cache.makeDataCacheKey(for: requests[0])
    let own = Data(try PipelineKit.picture("grey.jpg"))
    kit.dataCache.storeData(own, for: key)
    #expect(try await pipeline.imageTask(with: requests[0]).response.cacheType == .disk)
    #expect(kit.dataCache.cachedData(for: key) == own)
  }

  @Test func returnCacheDataDontLoadNeverLoads() async throws {
    let kit = try PipelineKit()
    let url = kit.server.url("/a.jpg")
    let request = ImageRequest(url: url, options: [.returnCacheDataDontLoad])
    await #expect {
      try await kit.pipeline.imageTask(with: request).response
    } throws: { error in
      guard case ImagePipeline.Error.dataMissingInCache = error else { return false }
      return "\(error)".hasSuffix(".")
    }
    #expect(kit.downloads == 0)
    _ = try await kit.pipeline.image(for: url)
    #expect(try await kit.pipeline.imageTask(with: request).response.cacheType == .memory)
    #expect(try await kit.restarted().imageTask(with: request).response.cacheType == .disk)
    #expect(kit.downloads == 1)
  }

  @Test func offlineTheOriginalIsNotProcessed() async throws {
    let kit = try PipelineKit()
    let url = kit.server.url("/a.jpg")
    _ = try await kit.pipeline.image(for: url)
    let request = ImageRequest(url: url, processors: [Self.resize], options: [.returnCacheDataDontLoad])
    await #expect(throws: ImagePipeline.Error.self) {
      try await kit.restarted().image(for: request)
    }
  }

  @Test func reloadIgnoringCachedDataLoadsAgainAndRefreshesTheCaches() async throws {
    let pictures = [try PipelineKit.picture("mountains.jpg"), try PipelineKit.picture("grey.jpg")]
    let kit = try PipelineKit(
      handler: { request in
        OriginServer.Answer(body: pictures[request.headers["x-second"] == nil ? 0 : 1])
      })
    let url = kit.server.url("/a.jpg")
    let before = try await kit.pipeline.image(for: url)
    var request = ImageRequest(url: url, options: [.reloadIgnoringCachedData])
    request.headers = [.init(name: "X-Second", value: "1")]
    let response = try await kit.pipeline.imageTask(with: request).response
    #expect(response.cacheType == nil)
    #expect(response.image != before)
    #expect(kit.downloads == 2)
    let after = try await kit.pipeline.imageTask(with: ImageRequest(url: url)).response
    #expect(after.cacheType == .memory)
    #expect(after.image == response.image)
    #expect(kit.dataCache.cachedData(for: url.absoluteString) == Data(pictures[1]))
  }

  @Test func removingAnImageMakesThePipelineLoadItAgain() async throws {
    let kit = try PipelineKit()
    let request = ImageRequest(url: kit.server.url("/a.jpg"))
    _ = try await kit.pipeline.image(for: request)
    kit.pipeline.cache.removeCachedImage(for: request)
    #expect(try await kit.pipeline.imageTask(with: request).response.cacheType == nil)
    #expect(kit.downloads == 2)
  }

  @Test(
    arguments: [
      (.disableMemoryCacheReads, .disk), (.disableDiskCacheReads, .memory),
      ([.disableMemoryCacheReads, .disableDiskCacheReads], nil), (.disableMemoryCache, .disk),
      (.disableDiskCache, .memory), (.reloadIgnoringCachedData, nil),
    ] as [(ImageRequest.Options, ImageResponse.CacheType?)])
  func anOptionSwitchesALayersReadsOff(
    options: ImageRequest.Options, cacheType: ImageResponse.CacheType?
  ) async throws {
    let kit = try PipelineKit()
    let url = kit.server.url("/a.jpg")
    _ = try await kit.pipeline.image(for: url)
    let response = try await kit.pipeline.imageTask(with: ImageRequest(url: url, options: options)).response
    #expect(response.cacheType == cacheType)
  }

  @Test(
    arguments: [
      (.disableMemoryCacheWrites, false, true), (.disableDiskCacheWrites, true, false),
      ([.disableMemoryCacheWrites, .disableDiskCacheWrites], false, false), ([], true, true),
    ] as [(ImageRequest.Options, Bool, Bool)])
  func anOptionSwitchesALayersWritesOff(options: ImageRequest.Options, memory: Bool, disk: Bool) async throws
  {
    let kit = try PipelineKit()
    let request = ImageRequest(url: kit.server.url("/a.jpg"), options: options)
    _ = try await kit.pipeline.image(for: request)
    #expect((kit.imageCache[request] != nil) == memory)
    #expect(kit.pipeline.cache.containsData(for: request) == disk)
  }

  @Test func aDamagedEntryOnDiskIsPassedOver() async throws {
    let kit = try PipelineKit()
    let url = kit.server.url("/a.jpg")
    kit.dataCache.storeData(Data("no picture".utf8), for: url.absoluteString)
    let response = try await kit.pipeline.imageTask(with: url).response
    #expect(response.cacheType == nil)
    #expect(kit.dataCache.cachedData(for: url.absoluteString)?.prefix(2) == Data([0xff, 0xd8]))
  }

  @Test func aCachedPrefixInMemoryIsWhereTheRestOfTheChainBegins() async throws {
    let kit = try PipelineKit()
    let url = kit.server.url("/a.jpg")
    _ = try await kit.pipeline.image(for: ImageRequest(url: url, processors: [Self.resize]))
    kit.dataCache.removeAll()
    let blur = ImageProcessor.gaussianBlur(radius: 3)
    let request = ImageRequest(url: url, processors: [Self.resize, blur])
    let response = try await kit.pipeline.imageTask(with: request).response
    #expect(response.cacheType == .memory)
    #expect(kit.downloads == 1)
    // And it is the same as one that was made in one go.
    let fresh = try PipelineKit()
    let other = ImageRequest(url: fresh.server.url("/a.jpg"), processors: [Self.resize, blur])
    #expect(try await fresh.pipeline.image(for: other) == response.image)
  }

  @Test func anOriginalInMemoryIsProcessedWithoutADownload() async throws {
    let kit = try PipelineKit { $0.dataCache = nil }
    let url = kit.server.url("/a.jpg")
    _ = try await kit.pipeline.image(for: url)
    let image = try await kit.pipeline.image(for: ImageRequest(url: url, processors: [Self.resize]))
    #expect(image.width == 40)
    #expect(kit.downloads == 1)
  }
}
