import Foundation
import Testing

@testable import Rendering

@Suite(.timeLimit(.minutes(1))) struct WorkerQueueTests {
  /// Whoever is cancelled takes neither the worker of another nor its own after it is done.
  @Test func aCancelledTaskEndsNothingButItsOwn() async throws {
    let fake = FakePool()
    let first = try await fake.run("echo one")
    let begun = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: begun) }
    let long = Task { try await fake.run("touch \(begun.path)\nsleep 4\necho two") }
    try await FakePool.waitFor(begun)
    let waiting = Task { await fake.failure("echo three") }
    try await Task.sleep(for: .milliseconds(20))
    waiting.cancel()
    #expect(await waiting.value?.code == .cancelled)
    #expect(try await long.value.pid == first.pid)
    long.cancel()
    #expect(try await fake.run("echo four").pid == first.pid)
    await fake.pool.shutdown()
  }

  /// A worker that comes back while somebody is about to wait for one is not missed.
  @Test func nobodyWaitsForEver() async {
    let settings = RenderWorker.Settings(
      launch: WorkerLaunch(executable: "/nowhere", arguments: [], environment: [:]), picturesPerProcess: 1,
      maxAnswerBytes: 1)
    let queue = WorkerQueue((0..<3).map { _ in RenderWorker(settings) })
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<16 {
        group.addTask {
          for _ in 0..<1000 {
            #expect(await queue.run { _ in true } == true)
          }
        }
      }
    }
    #expect(queue.length == 0)
  }
}
