import Foundation
import Testing

@testable import KingfisherCache

/// The order in which a request looks, and what it leaves behind.
@Suite(.timeLimit(.minutes(10)))
struct ManagerTests {
  static let blur = KingfisherOptionsInfoItem.processor(ManagerKit.blur)

  @Test func anImageComesFromTheNetworkThenFromMemoryThenFromDisk() async throws {
    let requests = try ManagerKit()
    #expect(try await requests.get().cacheType == .none)
    #expect(try await requests.get().cacheType == .memory)
    requests.cache.clearMemoryCache()
    #expect(try await requests.get().cacheType == .disk)
    #expect(try await requests.get().cacheType == .memory)
    #expect(requests.loader.downloads == 1)
  }

  @Test func aCachedOriginalServesEveryProcessorWithoutTheNetwork() async throws {
    let requests = try ManagerKit(downloads: nil)
    try requests.kit.plant(.pngBeginning(100, 50), requests.url.cacheKey)
    let result = try await requests.get(Self.blur, .onlyFromCache)
    #expect(result.cacheType == .none && result.image.pixelWidth == 90)
    requests.cache.clearMemoryCache()
    #expect(try await requests.get(Self.blur).cacheType == .disk)
    #expect(requests.loader.drawn == [[BlurImageProcessor(blurRadius: 4)]])
  }

  @Test func aChainIsDrawnInOneGo() async throws {
    let requests = try ManagerKit()
    let chain = DefaultImageProcessor.default |> BlurImageProcessor(blurRadius: 4) |> BlackWhiteProcessor()
    #expect(try await requests.get(.processor(chain)).image.pixelWidth == 80)
    #expect(requests.loader.drawn == [[BlurImageProcessor(blurRadius: 4), BlackWhiteProcessor()]])
  }

  @Test func failuresSayWhatFailed() async throws {
    for (body, name) in [(nil, "downloadFailed"), (Data("<html>".utf8), "processingFailed")] {
      let requests = try ManagerKit(downloads: body)
      let error = await #expect(throws: KingfisherError.self) { try await requests.get() }
      #expect(error.map { "\(Mirror(reflecting: $0).children.first?.label ?? "")" } == name)
      #expect(try requests.kit.names.isEmpty && error?.localizedDescription == error?.description)
    }
    let kit = try CacheKit()
    let file = kit.temporary.file("a.png")
    try Data.pngBeginning(9, 9).write(to: file)
    let manager = KingfisherManager(cache: kit.cache)
    #expect(try await manager.retrieveImage(with: file).image.pixelWidth == 9)
    await #expect(throws: KingfisherError.self) {
      try await manager.retrieveImage(with: file, options: [Self.blur])
    }
  }
}
