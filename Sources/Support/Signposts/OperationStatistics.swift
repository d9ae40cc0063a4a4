/// How long an operation took, and how many of it ran at once. Times in nanoseconds.
public struct OperationStatistics: Hashable, Sendable {
  /// The operation: the raw value of a ``SignpostName``.
  public var name: String
  /// The host, chain or worker, where the log was split.
  public var group: String?
  /// How many ended.
  public var count: Int
  /// The sum of their durations.
  public var total: Int64
  /// The arithmetic mean; 0 where none ended.
  public var mean: Int64
  /// Nearest rank: the smallest duration that half, 95 or 99 in a hundred do not exceed.
  public var p50: Int64
  /// The duration that 95 in a hundred do not exceed.
  public var p95: Int64
  /// The duration that 99 in a hundred do not exceed.
  public var p99: Int64
  /// The longest duration.
  public var max: Int64
  /// How many ran at once, on average over the time in which any did.
  public var meanParallelism: Double
  /// The most that ran at once.
  public var peakParallelism: Int
  /// Begun, but not ended before the log did.
  public var unfinished: Int

  init(name: String, group: String? = nil, _ samples: OperationSamples) {
    let sorted = samples.durations.sorted()
    self.name = name
    self.group = group
    unfinished = samples.unfinished
    count = sorted.count
    total = sorted.reduce(0) { $0.addingUpTo($1) }
    mean = count == 0 ? 0 : total / Int64(count)
    p50 = Self.percentile(50, of: sorted)
    p95 = Self.percentile(95, of: sorted)
    p99 = Self.percentile(99, of: sorted)
    max = sorted.last ?? 0
    meanParallelism = samples.busy > 0 ? Double(total) / Double(samples.busy) : Double(Swift.min(count, 1))
    peakParallelism = samples.peak
  }

  static func percentile(_ percent: Int, of sorted: [Int64]) -> Int64 {
    guard !sorted.isEmpty else { return 0 }
    return sorted[Swift.max(0, (sorted.count * percent + 99) / 100 - 1)]
  }
}

extension Int64 {
  /// The sum; the largest number where it is larger than that.
  func addingUpTo(_ other: Int64) -> Int64 {
    let (sum, isBeyond) = addingReportingOverflow(other)
    return isBeyond ? .max : sum
  }
}
