import Signposts

/// How long an operation took. Times in seconds.
package struct RecordedOperation: Sendable, Hashable, Codable {
  package var name: String
  package var count: Int
  package var total: Double
  var median: Double
  package var p95: Double
  package var longest: Double
  /// How many ran at once: on average while any did, and at most.
  package var parallel: Double
  package var peak: Int
  /// How many durations lie below each bound and not below the one before.
  package var histogram: [Bucket]

  package struct Bucket: Sendable, Hashable, Codable {
    package var from: Double
    package var count: Int
  }

  package init(_ statistics: OperationStatistics) {
    let seconds = { (nanoseconds: Int64) in Double(nanoseconds) / 1e9 }
    name = statistics.name
    count = statistics.count
    total = seconds(statistics.total)
    median = seconds(statistics.p50)
    p95 = seconds(statistics.p95)
    longest = seconds(statistics.max)
    parallel = statistics.meanParallelism
    peak = statistics.peakParallelism
    histogram = statistics.histogram.buckets.map { Bucket(from: seconds($0.from), count: $0.count) }
  }
}

/// The load of a worker, a host or the cache over the time of the run.
package struct RecordedLane: Sendable, Hashable, Codable {
  /// `worker 1`, `img.example.com`, `cache`.
  package var name: String
  /// `worker`, `host` or `cache`.
  package var kind: String
  package var count: Int
  /// Seconds in which it had anything to do.
  package var busy: Double
  /// Most at once.
  package var peak: Int
  /// Mean number under way in equal slices of the run's time.
  package var levels: [Double]

  package init(_ lane: SignpostLane) {
    switch lane.owner {
    case .worker(let number): (kind, name) = ("worker", "worker \(number)")
    case .host(let host): (kind, name) = ("host", host)
    case .cache: (kind, name) = ("cache", "cache")
    }
    count = lane.count
    busy = Double(lane.busy) / 1e9
    peak = lane.peak
    levels = lane.levels.map { ($0 * 100).rounded() / 100 }
  }
}
