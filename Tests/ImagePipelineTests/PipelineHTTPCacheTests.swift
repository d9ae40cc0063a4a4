import Foundation
import NukeCache
import TestSupport
import Testing

@testable import Fetching
@testable import ImagePipeline

/// `Configuration.withURLCache`, over the wire.
@Suite(.timeLimit(.minutes(10)))
struct PipelineHTTPCacheTests {
  private static let tag = "\"686897696a7c876b7e\""

  /// A pipeline with an HTTP cache and nothing else, so that every image asks for its data.
  private func kit(
    _ folder: TemporaryFolder, control: String
  ) throws -> (kit: PipelineKit, cache: HTTPCache) {
    let picture = try PipelineKit.picture("mountains.jpg")
    let cache = try HTTPCache(folder: folder.file("http"))
    let kit = try PipelineKit {
      $0.dataLoader = PipelineKit.loader(cache: cache)
      $0.dataCache = nil
      $0.imageCache = nil
    } handler: { request in
      let fields = ["Cache-Control": control, "ETag": Self.tag]
      if request.headers["if-none-match"] == Self.tag {
        return OriginServer.Answer(status: 304, headers: fields)
      }
      return OriginServer.Answer(headers: fields, body: picture)
    }
    return (kit, cache)
  }

  @Test func aFreshResponseIsServedWithoutTheNetwork() async throws {
    let folder = try TemporaryFolder()
    let (kit, _) = try kit(folder, control: "public, max-age=3600")
    let url = kit.server.url("/a.jpg")
    let first = try await kit.pipeline.imageTask(with: url).response
    let second = try await kit.pipeline.imageTask(with: url).response
    #expect(first.urlResponse?.source == .network)
    #expect(second.urlResponse?.source == .cache)
    // Not one of the pipeline's own caches.
    #expect(second.cacheType == nil)
    #expect(second.image == first.image)
    #expect(kit.downloads == 1)
  }

  @Test func aStaleResponseIsValidatedAndA304UsesTheCachedData() async throws {
    let folder = try TemporaryFolder()
    let (kit, _) = try kit(folder, control: "no-cache")
    let url = kit.server.url("/a.jpg")
    let first = try await kit.pipeline.imageTask(with: url).response
    let second = try await kit.pipeline.imageTask(with: url).response
    #expect(second.urlResponse?.source == .validatedCache)
    #expect(second.image == first.image)
    #expect(kit.server.requests.map { $0.headers["if-none-match"] } == [nil, Self.tag])
  }

  @Test func cachedResponsesAreReadAndRemovedByRequest() async throws {
    let folder = try TemporaryFolder()
    let (kit, cache) = try kit(folder, control: "max-age=3600")
    let request = ImageRequest(url: kit.server.url("/a.jpg"))
    let httpRequest = try #require(request.httpRequest)
    #expect(cache.cachedResponse(for: httpRequest) == nil)
    _ = try await kit.pipeline.image(for: request)
    #expect(cache.cachedResponse(for: httpRequest)?.etag == Self.tag)
    #expect(cache.currentDiskUsage > 0)
    cache.removeCachedResponse(for: httpRequest)
    #expect(cache.cachedResponse(for: httpRequest) == nil)
    _ = try await kit.pipeline.image(for: request)
    cache.removeAllCachedResponses()
    #expect(cache.currentDiskUsage == 0)
    cache.diskCapacity = 100
    _ = try await kit.pipeline.image(for: request)
    #expect(cache.cachedResponse(for: httpRequest) == nil)
    #expect(kit.downloads == 3)
  }

  @Test func aStaleImageIsShownOfflineOnlyWhenAskedFor() async throws {
    let folder = try TemporaryFolder()
    let (kit, _) = try kit(folder, control: "no-cache")
    var request = ImageRequest(url: kit.server.url("/a.jpg"))
    request.httpCachePolicy = .returnCacheDontLoad
    await #expect(throws: ImagePipeline.Error.self) { try await kit.pipeline.image(for: request) }
    _ = try await kit.pipeline.image(for: kit.server.url("/a.jpg"))
    #expect(try await kit.pipeline.imageTask(with: request).response.urlResponse?.source == .cache)
    #expect(kit.downloads == 1)
  }

  @Test func thePipelinesOptionsDoNotTouchTheHTTPCache() async throws {
    let folder = try TemporaryFolder()
    let (kit, _) = try kit(folder, control: "max-age=3600")
    let url = kit.server.url("/a.jpg")
    _ = try await kit.pipeline.image(for: url)
    let request = ImageRequest(url: url, options: [.reloadIgnoringCachedData])
    #expect(try await kit.pipeline.imageTask(with: request).response.urlResponse?.source == .cache)
  }

  /// The one with a data cache lies in the user's own caches folder and is not made here.
  @Test func theDefaultsAreThoseOfNuke() {
    let configuration = ImagePipeline.Configuration.withURLCache
    #expect(configuration.dataCache == nil && configuration.dataCachePolicy == .storeOriginalData)
    #expect(configuration.imageCache === ImageCache.shared)
  }
}
