@testable import Concurrency

/// Values that callbacks hand over from any thread.
final class Recorder<Value: Sendable>: Sendable {
  private let storage = Locked<[Value]>([])

  var values: [Value] { storage.withLock { $0 } }

  @Sendable func record(_ value: Value) {
    storage.withLock { $0.append(value) }
  }
}
