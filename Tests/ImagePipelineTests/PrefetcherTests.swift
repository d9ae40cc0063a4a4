import Foundation
import NukeCache
import TestSupport
import Testing

@testable import ImagePipeline

@Suite(.timeLimit(.minutes(10)))
struct PrefetcherTests {
  private static let resize = ImageProcessor.resize(width: 30, unit: .pixels)

  /// Waits until all that was asked for is done.
  private func finish(_ prefetcher: ImagePrefetcher) async {
    #expect(await eventually { prefetcher.isIdle })
  }

  private func urls(_ kit: PipelineKit, _ count: Int) -> [URL] {
    (0..<count).map { kit.server.url("/\($0).jpg") }
  }

  @Test func imagesAreInMemoryBeforeTheyAreAskedFor() async throws {
    let kit = try PipelineKit()
    let prefetcher = ImagePrefetcher(pipeline: kit.pipeline)
    let requests = urls(kit, 3).map { ImageRequest(url: $0, processors: [Self.resize]) }
    prefetcher.startPrefetching(with: requests)
    await finish(prefetcher)
    for request in requests {
      #expect(try await kit.pipeline.imageTask(with: request).response.cacheType == .memory)
    }
    #expect(kit.downloads == 3)
    // What is in memory is not asked for again.
    prefetcher.startPrefetching(with: requests)
    await finish(prefetcher)
    #expect(kit.downloads == 3)
  }

  @Test func toDiskOnlyTheDataGoesAndNothingIsDecoded() async throws {
    let kit = try PipelineKit()
    let prefetcher = ImagePrefetcher(pipeline: kit.pipeline, destination: .diskCache)
    prefetcher.startPrefetching(with: urls(kit, 3))
    await finish(prefetcher)
    for url in urls(kit, 3) { #expect(kit.pipeline.cache.containsData(for: url)) }
    #expect(kit.imageCache.totalCount == 0)
    #expect(kit.work.allSatisfy { if case .loadData = $0 { true } else { false } })
  }

  @Test(arguments: [
    (DataCachePolicy.storeOriginalData, true), (.storeAll, true), (.automatic, false),
    (.storeEncodedImages, false),
  ])
  func whetherPrefetchingToDiskStoresAProcessedRequestsDataIsUpToThePolicy(
    policy: DataCachePolicy, isStored: Bool
  ) async throws {
    let kit = try PipelineKit { $0.dataCachePolicy = policy }
    let prefetcher = ImagePrefetcher(pipeline: kit.pipeline, destination: .diskCache)
    let url = kit.server.url("/a.jpg")
    prefetcher.startPrefetching(with: [ImageRequest(url: url, processors: [Self.resize])])
    await finish(prefetcher)
    #expect(kit.downloads == 1)
    #expect(kit.pipeline.cache.containsData(for: url) == isStored)
  }

  @Test func onlySoManyAreUnderWayAtOnceAndStoppingEndsTheRest() async throws {
    let gate = Gate()
    let kit = try PipelineKit.gated(gate, picture: "logo.png")
    let prefetcher = ImagePrefetcher(
      pipeline: kit.pipeline, destination: .diskCache, maxConcurrentRequestCount: 2)
    prefetcher.startPrefetching(with: urls(kit, 8))
    #expect(await eventually { kit.downloads == 2 })
    prefetcher.stopPrefetching(with: Array(urls(kit, 8).suffix(3)))
    prefetcher.stopPrefetching()
    gate.open()
    await finish(prefetcher)
    #expect(kit.downloads == 2)
  }

  @Test func pausedNothingIsBegun() async throws {
    let kit = try PipelineKit()
    let prefetcher = ImagePrefetcher(pipeline: kit.pipeline)
    prefetcher.isPaused = true
    prefetcher.startPrefetching(with: urls(kit, 2))
    #expect(await eventually { prefetcher.waiting == 2 })
    #expect(kit.downloads == 0)
    prefetcher.isPaused = false
    await finish(prefetcher)
    #expect(kit.downloads == 2)
  }

  @Test func prefetchedRequestsAreOfLowPriorityUntilItIsChanged() async throws {
    let gate = Gate()
    let kit = try PipelineKit.gated(gate, picture: "logo.png") { $0.dataLoadingConcurrency = 1 }
    let first = kit.pipeline.imageTask(with: kit.server.url("/first"))
    #expect(await eventually { kit.downloads == 1 })
    let prefetcher = ImagePrefetcher(pipeline: kit.pipeline)
    #expect(prefetcher.priority == .low)
    prefetcher.startPrefetching(with: [kit.server.url("/prefetched")])
    #expect(await eventually { kit.pipeline.loadingQueue.waiting == 1 })
    let shown = kit.pipeline.imageTask(with: kit.server.url("/shown"))
    #expect(await eventually { kit.pipeline.loadingQueue.waiting == 2 })
    gate.open()
    for task in [first, shown] { _ = try await task.response }
    await finish(prefetcher)
    #expect(kit.server.requests.map(\.path) == ["/first", "/shown", "/prefetched"])
  }

  @Test func raisingThePrefetchersPriorityMovesWhatWaits() async throws {
    let gate = Gate()
    let kit = try PipelineKit.gated(gate, picture: "logo.png") { $0.dataLoadingConcurrency = 1 }
    let first = kit.pipeline.imageTask(with: kit.server.url("/first"))
    #expect(await eventually { kit.downloads == 1 })
    let shown = kit.pipeline.imageTask(with: kit.server.url("/shown"))
    #expect(await eventually { kit.pipeline.loadingQueue.waiting == 1 })
    let prefetcher = ImagePrefetcher(pipeline: kit.pipeline)
    prefetcher.startPrefetching(with: [kit.server.url("/prefetched")])
    #expect(await eventually { kit.pipeline.loadingQueue.waiting == 2 })
    prefetcher.priority = .high
    gate.open()
    for task in [first, shown] { _ = try await task.response }
    await finish(prefetcher)
    #expect(kit.server.requests.map(\.path) == ["/first", "/prefetched", "/shown"])
  }

  @Test func lettingGoOfThePrefetcherCancelsItsRequests() async throws {
    let gate = Gate()
    let kit = try PipelineKit { _ in
    } handler: { _ in
      gate.wait()
      return OriginServer.Answer(body: [1])
    }
    var prefetcher: ImagePrefetcher? = ImagePrefetcher(pipeline: kit.pipeline)
    prefetcher?.startPrefetching(with: urls(kit, 1))
    #expect(await eventually { kit.pipeline.sources.waiting == 1 })
    prefetcher = nil
    #expect(await eventually { kit.pipeline.sources.waiting == 0 })
    gate.open()
  }

  @Test func completionIsReported() async throws {
    let kit = try PipelineKit()
    let prefetcher = ImagePrefetcher(pipeline: kit.pipeline)
    await withCheckedContinuation { continuation in
      let once = Once { continuation.resume() }
      prefetcher.didComplete = { once.run() }
      prefetcher.startPrefetching(with: urls(kit, 2))
    }
    #expect(prefetcher.isIdle)
    #expect(kit.imageCache.totalCount == 2)
  }
}
