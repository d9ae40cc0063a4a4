import Testing

@testable import Rendering

@Suite(.timeLimit(.minutes(1))) struct WorkerQueueTests {
  /// A worker that comes back while somebody is about to wait for one is not missed.
  @Test func nobodyWaitsForEver() async {
    let settings = RenderWorker.Settings(
      launch: WorkerLaunch(executable: "/nowhere", arguments: [], environment: [:]), picturesPerProcess: 1,
      maxAnswerBytes: 1)
    let queue = WorkerQueue((0..<3).map { _ in RenderWorker(settings) })
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<16 {
        group.addTask {
          for _ in 0..<40_000 {
            guard let worker = await queue.take() else { return }
            await Task.yield()
            queue.giveBack(worker)
          }
        }
      }
    }
    #expect(queue.length == 0)
  }
}
