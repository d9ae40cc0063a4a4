/// How intervals lie over each other.
struct Overlap {
  /// Time in which at least one ran.
  private(set) var busy: Int64 = 0
  /// The most that ran at once.
  private(set) var peak = 0

  /// Sorts both. Each end has to come after its begin.
  init(begins: inout [Int64], ends: inout [Int64]) {
    begins.sort()
    ends.sort()
    var running = 0
    var next = 0
    var since: Int64 = 0
    for end in ends {
      while next < begins.count, begins[next] < end {
        if running == 0 { since = begins[next] }
        running += 1
        next += 1
      }
      peak = max(peak, running)
      running -= 1
      if running == 0 { busy += end - since }
    }
  }
}

/// The intervals of one operation, 16 bytes each.
struct OperationSamples {
  var durations: [Int64] = []
  /// Of the log that is being read.
  var begins: [Int64] = []
  var busy: Int64 = 0
  var peak = 0
  var unfinished = 0

  /// - Parameter limit: more are not kept.
  mutating func add(begin: Int64, duration: Int64, limit: Int = .max) {
    guard durations.count < limit else { return }
    begins.append(begin)
    durations.append(duration)
  }

  /// Times of different logs have nothing to do with each other: how many ran at once is counted in each.
  mutating func closeLog() {
    let first = durations.count - begins.count
    // Nothing is empty, so that each begin comes before its end.
    var ends = begins.indices.map { begins[$0] + max(1, durations[first + $0]) }
    let overlap = Overlap(begins: &begins, ends: &ends)
    busy = busy.addingUpTo(overlap.busy)
    peak = max(peak, overlap.peak)
    begins = []
  }

  mutating func statistics(name: String, group: String?) -> OperationStatistics {
    durations.sort()
    return OperationStatistics(
      name: name, group: group, sorted: durations, busy: busy, peak: peak, unfinished: unfinished)
  }
}

/// How many durations lie between 1, 2, 5, 10, 20, 50 ... microseconds.
package struct DurationBucket: Hashable, Sendable {
  /// Nanoseconds; the upper end is outside.
  package var from: Int64
  package var to: Int64
  package var count: Int

  /// From the first bucket that holds anything to the last.
  static func buckets(ofSorted durations: [Int64]) -> [DurationBucket] {
    var buckets: [DurationBucket] = []
    var rest = durations[...]
    var from: Int64 = 0
    for bound in bounds where !rest.isEmpty {
      let end = bound == .max ? rest.endIndex : rest.firstIndex { $0 >= bound } ?? rest.endIndex
      if end > rest.startIndex || !buckets.isEmpty {
        buckets.append(DurationBucket(from: from, to: bound, count: end - rest.startIndex))
      }
      rest = rest[end...]
      from = bound
    }
    return buckets
  }

  /// Up to 10,000 seconds, and all that is longer.
  private static let bounds: [Int64] =
    (3...12).flatMap { power -> [Int64] in
      let unit = (0..<power).reduce(Int64(1)) { product, _ in product * 10 }
      return [unit, 2 * unit, 5 * unit]
    } + [10_000_000_000_000, .max]
}
