import Concurrency
import Dispatch

/// Asynchronous work for callers that cannot wait: the work has threads of its own, so that it goes on
/// even where every thread of Swift's pool is held by such a caller.
enum BlockingCall {
  private final class Threads: TaskExecutor {
    private let queue = DispatchQueue(label: "preheat.blocking", attributes: .concurrent)

    package func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }

  private final class Box<Value: Sendable>: Sendable {
    package let result = Locked<Result<Value, any Error>?>(nil)
  }

  private static let threads = Threads()

  /// Holds the calling thread until the work is done.
  package static func wait<Value: Sendable>(
    for work: @escaping @Sendable () async throws -> Value
  ) throws -> Value {
    let box = Box<Value>()
    let done = DispatchSemaphore(value: 0)
    Task(executorPreference: threads) {
      let result: Result<Value, any Error>
      do { result = .success(try await work()) } catch { result = .failure(error) }
      box.result.withLock { $0 = result }
      done.signal()
    }
    done.wait()
    guard let result = box.result.withLock({ $0 }) else { throw CancellationError() }
    return try result.get()
  }
}
