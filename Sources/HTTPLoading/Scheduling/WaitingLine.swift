/// The requests that wait for one host, best first: a binary heap by priority, then by age.
struct WaitingLine: Sendable {
  struct Entry: Sendable, Hashable, Comparable {
    /// Given in order of submission, so it is the age too.
    let id: UInt64
    let priority: HTTPRequest.Priority

    static func < (a: Entry, b: Entry) -> Bool {
      a.priority == b.priority ? a.id < b.id : a.priority > b.priority
    }
  }

  private var heap: [Entry] = []

  var isEmpty: Bool { heap.isEmpty }
  var first: Entry? { heap.first }

  mutating func insert(_ entry: Entry) {
    heap.append(entry)
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child] < heap[parent] else { return }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  mutating func popFirst() -> Entry? {
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
