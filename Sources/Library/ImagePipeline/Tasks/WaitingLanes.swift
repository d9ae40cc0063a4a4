import NukeCache

/// Who waits, by priority and then by age. A plain value: it knows no threads.
struct WaitingLanes<Waiter: Sendable>: Sendable {
  private var waiters: [Int: (lane: ImageRequest.Priority, waiter: Waiter)] = [:]
  /// Tickets in the order of their coming; those that moved or left are skipped when they are met.
  private var lanes: [ImageRequest.Priority: [Int]] = [:]

  package var count: Int { waiters.count }

  package mutating func insert(_ waiter: Waiter, ticket: Int, priority: ImageRequest.Priority) {
    waiters[ticket] = (priority, waiter)
    lanes[priority, default: []].append(ticket)
  }

  /// Moves a waiter to the end of another lane.
  package mutating func move(_ ticket: Int, to priority: ImageRequest.Priority) {
    guard let known = waiters[ticket], known.lane != priority else { return }
    insert(known.waiter, ticket: ticket, priority: priority)
  }

  package mutating func remove(_ ticket: Int) -> Waiter? {
    waiters.removeValue(forKey: ticket)?.waiter
  }

  package mutating func popFirst() -> Waiter? {
    for priority in ImageRequest.Priority.allCases.reversed() {
      while let ticket = lanes[priority]?.first {
        lanes[priority]?.removeFirst()
        guard waiters[ticket]?.lane == priority else { continue }
        return waiters.removeValue(forKey: ticket)?.waiter
      }
    }
    return nil
  }
}
