import Concurrency
import Fetching
import NukeCache
import Scheduling

/// The priority of a piece of work, which may change while the work waits.
final class WorkPriority: Sendable {
  typealias Value = ImageRequest.Priority

  private struct State {
    var value: Value
    var version = 0
    var lastObserver = 0
    var observers: [Int: @Sendable () -> Void] = [:]
  }

  private let state: Locked<State>

  init(_ value: Value = .normal) { state = Locked(State(value: value)) }

  var value: Value { state.withLock { $0.value } }

  /// As a queue has it.
  package var queued: QueuePriority { QueuePriority(rawValue: value.rawValue) ?? .normal }

  /// - Parameter version: where several threads set it, an older value never replaces a newer one.
  func set(_ value: Value, version: Int? = nil) {
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

/// What goes with a piece of work: how urgent it is, and who wants to know how far it is.
struct WorkContext: Sendable {
  var priority: WorkPriority
  var report: HTTPProgress.Handler
}
