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
}
