import Foundation
import NukeCache
import TestSupport
import Testing

@testable import Concurrency
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
    #expect(await kit.events.drawings == 2)
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
      let same = ImageRequest(url: alone.server.url("/image"), processors: request.processors)
      _ = try await alone.pipeline.image(for: same)
      #expect(alone.pipeline.cache.cachedData(for: same) == kit.pipeline.cache.cachedData(for: request))
    }
  }

  @Test func cancellingOneRequestLeavesTheOthersWork() async throws {
    let gate = Gate()
    let kit = try PipelineKit.gated(gate)
    let url = kit.server.url("/image")
    let tasks = (0..<2).map { _ in kit.pipeline.imageTask(with: url) }
    #expect(await eventually { kit.pipeline.images.waiting == 2 })
    tasks[0].cancel()
    gate.open()
    #expect(try await tasks[1].image.width > 0)
    await #expect(throws: ImagePipeline.Error.self) { try await tasks[0].image }
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
    #expect(try await kit.pipeline.image(for: kit.server.url("/image")).width > 0)
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
    let order = Locked<[String]>([])
    let coalescer = Coalescer<String, Int>(limit: 1)
    func begin(_ name: String, _ priority: WorkPriority, count: Int) async -> Task<Int, any Error> {
      let task = Task {
        try await coalescer.value(for: name, priority) { _ in
          order.withLock { $0.append(name) }
          if name == "first" { await Task.detached { gate.wait() }.value }
          return 1
        }
      }
      #expect(await eventually { coalescer.waiting == count })
      return task
    }
    var tasks = [await begin("first", WorkPriority(.normal), count: 1)]
    let priorities: [ImageRequest.Priority] = [.low, .normal, .veryLow, .veryHigh, .high]
    let own = priorities.map { WorkPriority($0) }
    for (index, priority) in priorities.enumerated() {
      tasks.append(await begin("\(priority)", own[index], count: index + 2))
    }
    // Raised while it waits: it goes before the others. Another waits for the low one with more haste.
    own[2].set(.veryHigh)
    own[3].set(.high)
    tasks.append(await begin("low", WorkPriority(.veryHigh), count: 7))
    gate.open()
    for task in tasks { #expect(try await task.value == 1) }
    #expect(order.withLock { $0 } == ["first", "low", "veryLow", "veryHigh", "high", "normal"])
  }
}
