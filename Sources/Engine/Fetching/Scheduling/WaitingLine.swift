/// The requests that wait for one host, best first: a binary heap by priority, then by age.
struct WaitingLine: Sendable {
  package struct Entry: Sendable, Hashable, Comparable {
    /// Given in order of submission, so it is the age too.
    package let id: UInt64
    package let priority: HTTPRequest.Priority

    package static func < (a: Entry, b: Entry) -> Bool {
      a.priority == b.priority ? a.id < b.id : a.priority > b.priority
    }
  }

  private var heap: [Entry] = []

  package var isEmpty: Bool { heap.isEmpty }
  package var first: Entry? { heap.first }

  package mutating func insert(_ entry: Entry) {
    heap.append(entry)
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child] < heap[parent] else { return }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  package mutating func popFirst() -> Entry? {
    guard let last = heap.popLast() else { return nil }
    guard let first = heap.first else { return last }
    heap[0] = last
    var parent = 0
    while true {
      var best = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child] < heap[best] {
        best = child
      }
      guard best != parent else { return first }
      heap.swapAt(best, parent)
      parent = best
    }
  }
}

/// Tokens that come back at a steady rate, up to a number that may be spent at once.
package struct TokenBucket: Sendable, Hashable {
  private let perSecond: Double
  private let capacity: Double
  private var tokens: Double
  private var filledAt: Duration = .zero

  /// Full to begin with.
  package init(_ limit: HTTPRateLimit) {
    // Less than once in a day is never, and would only overflow.
    perSecond = max(limit.requestsPerSecond, 1.0 / 86_400)
    capacity = Double(max(1, limit.burst))
    tokens = capacity
  }

  /// When a token will be there: `now`, or later.
  package func ready(at now: Duration) -> Duration {
    let missing = 1 - level(at: now)
    return missing <= 0 ? now : now + .seconds(missing / perSecond)
  }

  package mutating func take(at now: Duration) {
    tokens = level(at: now) - 1
    filledAt = now
  }

  private func level(at now: Duration) -> Double {
    // What is missing by rounding alone would make a moment come that is still too early.
    let level = min(capacity, tokens + (now - filledAt) / .seconds(1) * perSecond)
    return abs(level - level.rounded()) < 1e-6 ? level.rounded() : level
  }
}
