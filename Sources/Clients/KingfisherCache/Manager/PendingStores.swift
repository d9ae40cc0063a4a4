import Concurrency

/// Stores that go on after their request was answered.
final class PendingStores: Sendable {
  private struct State: Sendable {
    package var tasks: [Int: Task<Void, Never>] = [:]
    package var next = 0
  }

  private let state = Locked(State())

  package func begin(_ work: @escaping @Sendable () async -> Void) {
    state.withLock { state in
      let number = state.next
      state.next += 1
      // The task cannot take itself out before it is in: that needs the lock, which is held here.
      state.tasks[number] = Task {
        await work()
        self.state.withLock { _ = $0.tasks.removeValue(forKey: number) }
      }
    }
  }

  /// Returns when everything begun before is done.
  package func wait() async {
    for task in state.withLock({ Array($0.tasks.values) }) { await task.value }
  }
}
