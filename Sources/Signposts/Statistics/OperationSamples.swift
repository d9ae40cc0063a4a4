/// The intervals of one operation, 16 bytes each.
struct OperationSamples {
  let name: Int
  let group: Int?
  private(set) var durations: [Int64] = []
  /// Of the log that is being read.
  private var begins: [Int64] = []
  private var busy: Int64 = 0
  private var peak = 0
  var unfinished = 0

  init(name: Int, group: Int?) {
    self.name = name
    self.group = group
  }

  mutating func add(begin: Int64, duration: Int64) {
    begins.append(begin)
    durations.append(duration)
  }

  /// Times of different logs have nothing to do with each other: how many ran at once is counted in each.
  mutating func closeLog() {
    let first = durations.count - begins.count
    // Nothing is empty, so that each begin comes before its end.
    var ends = begins.indices.map { begins[$0] + max(1, durations[first + $0]) }
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
    begins = []
  }

  /// - Parameter name, group: as texts.
  mutating func statistics(name: String, group: String?) -> OperationStatistics {
    durations.sort()
    return OperationStatistics(
      name: name, group: group, sorted: durations, busy: busy, peak: peak, unfinished: unfinished)
  }
}
