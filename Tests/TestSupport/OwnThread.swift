import Foundation
import Testing

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

/// Each test of a suite on threads of its own, for those that wait for processes.
public struct OwnThreads: SuiteTrait, TestTrait, TestScoping {
  public let isRecursive = true

  public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { testCase == nil ? nil : self }

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(NewThreadExecutor()) { try await function() }
  }
}

extension Trait where Self == OwnThreads {
  public static var ownThreads: Self { Self() }
}
