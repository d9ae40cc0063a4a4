import Concurrency
import Dispatch

/// Asynchronous work for callers that cannot wait: the work has threads of its own, so that it goes on
/// even where every thread of Swift's pool is held by such a caller.
enum BlockingCall {
  private final class Threads: TaskExecutor {
    private let queue = DispatchQueue(label: "preheat.blocking", attributes: .concurrent)

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }

  private static let threads = Threads()

  /// Holds the calling thread until the work is done.
  static func wait<Value: Sendable>(for work: @escaping @Sendable () async -> Value?) -> Value? {
    let result = Locked<Value?>(nil)
    let done = DispatchSemaphore(value: 0)
    Task(executorPreference: threads) {
      let value = await work()
      result.withLock { $0 = value }
      done.signal()
    }
    done.wait()
    return result.withLock { $0 }
  }
}
