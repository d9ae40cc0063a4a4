import Foundation

/// Blocking work on a thread of its own, begun at once.
///
/// The threads of Swift's tasks are as few as the processors: two tests that block one each, waiting
/// for a task that has no thread left, would wait for ever. The work is still part of the test that
/// began it, so what it expects is told under that test's name.
public struct OwnThread<Value: Sendable>: Sendable {
  private let task: Task<Value, any Error>

  public init(_ body: @escaping @Sendable () throws -> Value) {
    task = Task(executorPreference: NewThreadExecutor()) { try body() }
  }

  /// What the work gave.
  public var value: Value {
    get async throws { try await task.value }
  }
}

/// Runs each job on a new thread.
private final class NewThreadExecutor: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    Thread.detachNewThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
