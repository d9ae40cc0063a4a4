import Concurrency
import NukeCache

/// The priority of a piece of work, which may change while the work waits.
package final class WorkPriority: Sendable {
  package typealias Value = ImageRequest.Priority

  private struct State {
    package var value: Value
    package var version = 0
    var lastObserver = 0
    var observers: [Int: @Sendable () -> Void] = [:]
  }

  private let state: Locked<State>

  init(_ value: Value = .normal) { state = Locked(State(value: value)) }

  package var value: Value { state.withLock { $0.value } }

  /// As a queue has it.
  package var queued: QueuePriority { QueuePriority(rawValue: value.rawValue) ?? .normal }

  /// - Parameter version: where several threads set it, an older value never replaces a newer one.
  package func set(_ value: Value, version: Int? = nil) {
    let observers = state.withLock { state in
      if let version {
        guard version > state.version else { return [@Sendable () -> Void]() }
        state.version = version
      }
      guard state.value != value else { return [] }
      state.value = value
      return Array(state.observers.values)
    }
    // Without the lock, for they ask for the value; whoever is told last sees the newest.
    for observer in observers { observer() }
  }

  /// - Parameter change: asks for the new value itself.
  func observe(_ change: @escaping @Sendable () -> Void) -> Int {
    state.withLock { state in
      state.lastObserver += 1
      state.observers[state.lastObserver] = change
      return state.lastObserver
    }
  }

  func removeObserver(_ id: Int) {
    state.withLock { _ = $0.observers.removeValue(forKey: id) }
  }
}
