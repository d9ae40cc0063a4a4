import Signposts

/// How long an operation took. Times in seconds.
package struct RecordedOperation: Sendable, Hashable, Codable {
  package var name: String
  package var count: Int
  package var total: Double
  package var median: Double
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
