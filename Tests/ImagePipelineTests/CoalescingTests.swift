import Foundation
import NukeCache
import TestSupport
import Testing

@testable import ImagePipeline

@Suite(.timeLimit(.minutes(10)))
struct CoalescingTests {
  private static let resize = ImageProcessor.resize(width: 44, height: 44, unit: .pixels)
  private static let blur = ImageProcessor.gaussianBlur(radius: 8)

  @Test func oneDownloadOneResizeAndOneBlurServeTwoRequests() async throws {
    let gate = Gate()
    let kit = try PipelineKit.gated(gate)
    let url = kit.server.url("/image")
    let both = kit.pipeline.imageTask(
      with: ImageRequest(url: url, processors: [Self.resize, Self.blur]))
    let one = kit.pipeline.imageTask(with: ImageRequest(url: url, processors: [Self.resize]))
    #expect(await eventually { kit.downloads == 1 })
    // Both wait for the download before it comes.
    #expect(await eventually { kit.pipeline.images.waiting == 3 })
    gate.open()
    let (blurred, resized) = (try await both.image, try await one.image)
    #expect(blurred != resized)
    #expect(kit.downloads == 1)
    #expect(kit.events.processors == [Self.resize, Self.blur])
    #expect(kit.work.filter { if case .decodeImage = $0 { true } else { false } }.count == 1)
  }

  @Test func theSharedResultsAreStoredAsIfEachHadBeenMadeAlone() async throws {
    let gate = Gate()
    let kit = try PipelineKit.gated(gate)
    let url = kit.server.url("/image")
    let requests = [[Self.resize, Self.blur], [Self.resize], []].map {
      ImageRequest(url: url, processors: $0)
    }
    let tasks = requests.map { kit.pipeline.imageTask(with: $0) }
    #expect(await eventually { kit.pipeline.images.waiting == 4 })
    gate.open()
    for task in tasks { _ = try await task.response }
    for request in requests {
      #expect(kit.imageCache[request] != nil)
      #expect(kit.pipeline.cache.containsData(for: request))
      let alone = try PipelineKit()
      var same = request
      same.resource = .url(alone.server.url("/image"))
      _ = try await alone.pipeline.image(for: same)
      #expect(alone.pipeline.cache.cachedData(for: same) == kit.pipeline.cache.cachedData(for: request))
    }
  }

  @Test func withoutCoalescingEachRequestIsLoadedForItself() async throws {
    let gate = Gate()
    let kit = try PipelineKit.gated(gate) { $0.isTaskCoalescingEnabled = false }
    let tasks = (0..<2).map { _ in kit.pipeline.imageTask(with: kit.server.url("/image")) }
    #expect(await eventually { kit.downloads == 2 })
    gate.open()
    for task in tasks { _ = try await task.response }
  }

  @Test func cancellingOneRequestLeavesTheOthersWork() async throws {
    let gate = Gate()
    let kit = try PipelineKit.gated(gate)
    let url = kit.server.url("/image")
    let tasks = (0..<2).map { _ in kit.pipeline.imageTask(with: url) }
    #expect(await eventually { kit.pipeline.images.waiting == 2 })
    tasks[0].cancel()
    gate.open()
    #expect(try await tasks[1].image.isDecoded)
    await #expect(throws: ImagePipeline.Error.self) { try await tasks[0].image }
    #expect(tasks[0].state == .cancelled)
    #expect(tasks[1].state == .completed)
  }

  @Test func cancellingTheLastRequestEndsTheWork() async throws {
    let gate = Gate()
    let kit = try PipelineKit.gated(gate)
    let task = kit.pipeline.imageTask(with: kit.server.url("/image"))
    #expect(await eventually { kit.downloads == 1 })
    task.cancel()
    await #expect {
      try await task.response
    } throws: { error in
      if case ImagePipeline.Error.cancelled = error { true } else { false }
    }
    #expect(await eventually { kit.pipeline.sources.waiting == 0 && kit.pipeline.images.waiting == 0 })
    gate.open()
    // The same request works afterwards.
    #expect(try await kit.pipeline.image(for: kit.server.url("/image")).isDecoded)
  }

  @Test func cancellingTheTaskThatWaitsCancelsTheRequest() async throws {
    let gate = Gate()
    let kit = try PipelineKit.gated(gate)
    let url = kit.server.url("/image")
    let waiting = Task { try await kit.pipeline.image(for: url) }
    #expect(await eventually { kit.downloads == 1 })
    waiting.cancel()
    await #expect(throws: ImagePipeline.Error.self) { try await waiting.value }
    gate.open()
  }

  @Test func whatWaitsGoesInTheOrderOfItsPriority() async throws {
    let gate = Gate()
    let kit = try PipelineKit.gated(gate) {
      $0.dataLoadingConcurrency = 1
      $0.dataCache = nil
    }
    let first = kit.pipeline.imageTask(with: kit.server.url("/first"))
    #expect(await eventually { kit.downloads == 1 })
    let priorities: [ImageRequest.Priority] = [.low, .normal, .veryLow, .veryHigh, .high]
    var tasks: [ImageTask] = []
    for (index, priority) in priorities.enumerated() {
      let url = kit.server.url("/\(priority)")
      tasks.append(kit.pipeline.imageTask(with: ImageRequest(url: url, priority: priority)))
      #expect(await eventually { kit.pipeline.loadingQueue.waiting == index + 1 })
    }
    // Raised while it waits: it goes before all others.
    tasks[2].priority = .veryHigh
    tasks[3].priority = .high
    gate.open()
    for task in tasks + [first] { _ = try await task.response }
    #expect(
      kit.server.requests.map(\.path) == ["/first", "/veryLow", "/high", "/veryHigh", "/normal", "/low"])
  }

  @Test func sharedWorkHasTheHighestPriorityOfThoseWhoWaitForIt() async throws {
    let gate = Gate()
    let kit = try PipelineKit.gated(gate) { $0.dataLoadingConcurrency = 1 }
    let first = kit.pipeline.imageTask(with: kit.server.url("/first"))
    #expect(await eventually { kit.downloads == 1 })
    let low = kit.pipeline.imageTask(with: ImageRequest(url: kit.server.url("/shared"), priority: .low))
    #expect(await eventually { kit.pipeline.loadingQueue.waiting == 1 })
    let normal = kit.pipeline.imageTask(with: kit.server.url("/other"))
    #expect(await eventually { kit.pipeline.loadingQueue.waiting == 2 })
    let high = kit.pipeline.imageTask(
      with: ImageRequest(url: kit.server.url("/shared"), processors: [Self.resize], priority: .high))
    #expect(await eventually { kit.pipeline.sources.waiting == 4 })
    gate.open()
    for task in [first, low, normal, high] { _ = try await task.response }
    #expect(kit.server.requests.map(\.path) == ["/first", "/shared", "/other"])
  }

  @Test func skipDataLoadingQueueStartsAtOnce() async throws {
    let gate = Gate()
    let kit = try PipelineKit.gated(gate) { $0.dataLoadingConcurrency = 1 }
    let first = kit.pipeline.imageTask(with: kit.server.url("/first"))
    #expect(await eventually { kit.downloads == 1 })
    let request = ImageRequest(url: kit.server.url("/now"), options: [.skipDataLoadingQueue])
    let second = kit.pipeline.imageTask(with: request)
    #expect(await eventually { kit.downloads == 2 })
    gate.open()
    for task in [first, second] { _ = try await task.response }
  }
}
