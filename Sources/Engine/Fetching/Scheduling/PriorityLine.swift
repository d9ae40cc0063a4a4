/// How urgent something is that waits.
public enum QueuePriority: Int, Sendable, Hashable, Comparable, CaseIterable {
  /// From the least urgent to the most urgent.
  case veryLow, low, normal, high, veryHigh

  /// True where the first is less urgent.
  public static func < (a: QueuePriority, b: QueuePriority) -> Bool { a.rawValue < b.rawValue }
}

/// A waiting line, the most urgent first and of equals the one that waits the longest: a binary heap, a plain value.
struct PriorityLine: Sendable {
  struct Entry: Sendable, Hashable, Comparable {
    /// Given in the order in which they come, so it is the age too.
    let ticket: UInt64
    let priority: QueuePriority

    /// The one that goes first is the smaller one.
    static func < (a: Entry, b: Entry) -> Bool {
      a.priority == b.priority ? a.ticket < b.ticket : a.priority > b.priority
    }
  }

  /// Entries that left stay in the heap until they come to the top.
  private var heap: [Entry] = []
  private var tickets: Set<UInt64> = []

  var isEmpty: Bool { tickets.isEmpty }

  mutating func insert(_ entry: Entry) {
    tickets.insert(entry.ticket)
    heap.append(entry)
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child] < heap[parent] else { return }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  mutating func remove(_ ticket: UInt64) { tickets.remove(ticket) }

  /// The one that goes first, which stays.
  mutating func first() -> Entry? {
    while let entry = heap.first {
      if tickets.contains(entry.ticket) { return entry }
      removeTop()
    }
    return nil
  }

  private mutating func removeTop() {
    guard let last = heap.popLast(), !heap.isEmpty else { return }
    heap[0] = last
    var parent = 0
    while true {
      var best = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child] < heap[best] {
        best = child
      }
      guard best != parent else { return }
      heap.swapAt(best, parent)
      parent = best
    }
  }
}
