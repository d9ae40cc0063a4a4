import Signposts

/// How long an operation took. Times in seconds.
public struct RecordedOperation: Sendable, Hashable, Codable {
  public var name: String
  public var count: Int
  public var total: Double
  public var median: Double
  public var p95: Double
  public var longest: Double
  /// How many ran at once: on average while any did, and at most.
  public var parallel: Double
  public var peak: Int
  /// How many durations lie below each bound and not below the one before.
  public var histogram: [Bucket]

  public struct Bucket: Sendable, Hashable, Codable {
    public var from: Double
    public var count: Int
  }

  public init(_ statistics: OperationStatistics) {
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
