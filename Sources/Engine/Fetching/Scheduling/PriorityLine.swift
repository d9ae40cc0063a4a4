/// How urgent something is that waits.
public enum QueuePriority: Int, Sendable, Hashable, Comparable, CaseIterable {
  /// From the least urgent to the most urgent.
  case veryLow, low, normal, high, veryHigh

  /// True where the first is less urgent.
  public static func < (a: QueuePriority, b: QueuePriority) -> Bool { a.rawValue < b.rawValue }
}

/// A waiting line, the most urgent first and of equals the one that waits the longest: a binary heap, a plain value.
package struct PriorityLine: Sendable {
  package struct Entry: Sendable, Hashable, Comparable {
    /// Given in the order in which they come, so it is the age too.
    package let ticket: UInt64
    package let priority: QueuePriority
    /// Of the one behind which it stands: itself, or who came last before it moved.
    fileprivate var place: UInt64
    fileprivate var moves: UInt64 = 0

    package init(ticket: UInt64, priority: QueuePriority) {
      self.ticket = ticket
      self.priority = priority
      place = ticket
    }

    /// The one that goes first is the smaller one.
    package static func < (a: Entry, b: Entry) -> Bool {
      a.priority == b.priority ? (a.place, a.moves) < (b.place, b.moves) : a.priority > b.priority
    }
  }

  /// Entries that left or moved stay in the heap until they come to the top.
  private var heap: [Entry] = []
  private var entries: [UInt64: Entry] = [:]
  private var newest: UInt64 = 0
  private var moves: UInt64 = 0

  package init() {}

  package var count: Int { entries.count }
  package var isEmpty: Bool { entries.isEmpty }

  package mutating func insert(_ entry: Entry) {
    newest = max(newest, entry.ticket)
    entries[entry.ticket] = entry
    heap.append(entry)
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child] < heap[parent] else { return }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  /// Moves it behind all who have that priority now.
  package mutating func move(_ ticket: UInt64, to priority: QueuePriority) {
    guard let known = entries[ticket], known.priority != priority else { return }
    moves += 1
    var entry = Entry(ticket: ticket, priority: priority)
    (entry.place, entry.moves) = (newest, moves)
    insert(entry)
  }

  /// - Returns: Whether it was there.
  @discardableResult
  package mutating func remove(_ ticket: UInt64) -> Bool { entries.removeValue(forKey: ticket) != nil }

  /// The one that goes first, which stays.
  package mutating func first() -> Entry? {
    while let entry = heap.first {
      if entries[entry.ticket] == entry { return entry }
      removeTop()
    }
    return nil
  }

  package mutating func popFirst() -> Entry? {
    guard let entry = first() else { return nil }
    entries[entry.ticket] = nil
    removeTop()
    return entry
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
