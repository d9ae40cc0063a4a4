import Foundation
import NukeCache
import TestSupport
import Testing

@testable import Concurrency
@testable import ImagePipeline

/// The parts that order a pipeline's work, each by itself.
@Suite(.timeLimit(.minutes(10)))
struct SchedulingTests {
  // MARK: Rate limiter

  @Test func requestsThatAreMadeTooFastAreHeldBackAndCancelledOnesCostNothing() async throws {
    let limiter = RateLimiter(rate: 0.000_1, burst: 2)
    try await limiter.wait()
    try await limiter.wait()
    let third = Task { try await limiter.wait() }
    try await Task.sleep(for: .milliseconds(20))
    third.cancel()
    await #expect(throws: CancellationError.self) { try await third.value }
  }

  @Test func thePipelineAsksTheLimiterForDownloadsOnly() async throws {
    let picture = try PipelineKit.picture("logo.png")
    let kit = try PipelineKit()
    let file = kit.folder.file("a.png")
    try Data(picture).write(to: file)
    // More than a burst; had each of them waited, it would take seconds.
    for index in 0..<100 {
      _ = try await kit.pipeline.data(for: ImageRequest(url: URL(string: "\(file.absoluteString)?\(index)")))
    }
    #expect(kit.pipeline.rateLimiter.taken == 0)
    _ = try await kit.pipeline.data(for: kit.server.url("/a"))
    #expect(kit.pipeline.rateLimiter.taken == 1)
  }

  // MARK: Queue

  @Test func aQueueRunsNoMoreThanItMay() async throws {
    let queue = WorkQueue(limit: 3)
    let counters = Counters()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<50 {
        group.addTask {
          try await queue.run(WorkPriority()) {
            counters.begin()
            try await Task.sleep(for: .milliseconds(1))
            counters.end()
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(counters.most <= 3)
    #expect(counters.total == 50)
  }

  private final class Counters: Sendable {
    private let state = Locked((running: 0, most: 0, total: 0))
    var most: Int { state.withLock { $0.most } }
    var total: Int { state.withLock { $0.total } }
    func begin() {
      state.withLock {
        $0.running += 1
        $0.total += 1
        $0.most = max($0.most, $0.running)
      }
    }
    func end() { state.withLock { $0.running -= 1 } }
  }

  @Test func whoIsCancelledWhileWaitingNeverRuns() async throws {
    let queue = WorkQueue(limit: 1)
    queue.isPaused = true
    let task = Task { try await queue.run(WorkPriority()) { true } }
    #expect(await eventually { queue.waiting == 1 })
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    queue.isPaused = false
    #expect(try await queue.run(WorkPriority()) { 7 } == 7)
  }

  // MARK: Coalescer

  @Test func manyCallersOfOneKeyDoTheWorkOnceAndEachGetsItsResult() async throws {
    let coalescer = Coalescer<String, Int>()
    let counters = Counters()
    let gate = WorkQueue(limit: 1)
    gate.isPaused = true
    try await withThrowingTaskGroup(of: Int.self) { group in
      for index in 0..<40 {
        group.addTask {
          let context = WorkContext(priority: WorkPriority()) { _ in }
          return try await coalescer.value(for: "\(index % 4)", context) { _ in
            counters.begin()
            return try await gate.run(WorkPriority()) { index % 4 }
          }
        }
      }
      #expect(await eventually { coalescer.waiting == 40 })
      gate.isPaused = false
      var results: [Int: Int] = [:]
      for try await result in group { results[result, default: 0] += 1 }
      #expect(results == [0: 10, 1: 10, 2: 10, 3: 10])
    }
    #expect(counters.total == 4)
    #expect(coalescer.waiting == 0)
  }

  @Test func joiningAndLeavingAtRandomLosesNobody() async throws {
    let coalescer = Coalescer<Int, Int>()
    let outcomes = await withTaskGroup(of: Bool.self) { group in
      for index in 0..<400 {
        group.addTask {
          let task = Task {
            try await coalescer.value(for: index % 5, WorkContext(priority: WorkPriority()) { _ in }) { _ in
              try await Task.sleep(for: .microseconds(index % 7 * 100))
              return index % 5
            }
          }
          if index % 3 == 0 { task.cancel() }
          switch await task.result {
          case .success(let value): return value == index % 5
          case .failure(let error): return error is CancellationError && index % 3 == 0
          }
        }
      }
      return await group.reduce(into: [Bool]()) { $0.append($1) }
    }
    #expect(outcomes.count == 400)
    #expect(outcomes.allSatisfy { $0 })
    #expect(coalescer.waiting == 0)
  }
}
