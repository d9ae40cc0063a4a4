import Foundation

/// Blocking work on a thread of its own, begun at once.
///
/// The threads of Swift's tasks are as few as the processors: two tests that block one each, waiting
/// for a task that has no thread left, would wait for ever.
public struct OwnThread<Value: Sendable>: Sendable {
  private let results: AsyncStream<Result<Value, any Error>>

  public init(_ body: @escaping @Sendable () throws -> Value) {
    let (results, continuation) = AsyncStream.makeStream(of: Result<Value, any Error>.self)
    self.results = results
    Thread.detachNewThread {
      continuation.yield(Result(catching: body))
      continuation.finish()
    }
  }

  public struct Vanished: Error {}

  /// What the work gave. To be asked for once.
  public var value: Value {
    get async throws {
      for await result in results { return try result.get() }
      throw Vanished()
    }
  }
}
