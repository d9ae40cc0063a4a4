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
  /// Where the true median lies in 95 of 100 cases; nil for fewer than six intervals.
  public var medianRange: ClosedRange<Int64>?
  package var histogram: [DurationBucket]

  /// - Parameters:
  ///   - sorted: All durations, in ascending order.
  ///   - busy: Time in which at least one ran.
  init(name: String, group: String?, sorted: [Int64], busy: Int64, peak: Int, unfinished: Int) {
    self.name = name
    self.group = group
    self.unfinished = unfinished
    count = sorted.count
    total = sorted.reduce(0) { $0.addingUpTo($1) }
    mean = count == 0 ? 0 : total / Int64(count)
    p50 = Self.percentile(50, of: sorted)
    p95 = Self.percentile(95, of: sorted)
    p99 = Self.percentile(99, of: sorted)
    max = sorted.last ?? 0
    meanParallelism = busy > 0 ? Double(total) / Double(busy) : Double(Swift.min(count, 1))
    peakParallelism = peak
    medianRange = Self.medianRange(of: sorted)
    histogram = DurationBucket.buckets(ofSorted: sorted)
  }

  static func percentile(_ percent: Int, of sorted: [Int64]) -> Int64 {
    guard !sorted.isEmpty else { return 0 }
    return sorted[Swift.max(0, (sorted.count * percent + 99) / 100 - 1)]
  }

  /// From order statistics, so that nothing is assumed about how durations are spread: the ranks
  /// n/2 -+ 1.96 sqrt(n)/2 (normal approximation of the binomial distribution).
  private static func medianRange(of sorted: [Int64]) -> ClosedRange<Int64>? {
    guard sorted.count >= 6 else { return nil }
    let half = Double(sorted.count) / 2
    let reach = 0.98 * Double(sorted.count).squareRoot()
    // fits: both are about half a count.
    let low = Swift.max(0, Int((half - reach).rounded(.down)))
    let high = Swift.min(sorted.count - 1, Int((half + reach).rounded(.up)))
    return sorted[low]...sorted[high]
  }
}

extension Int64 {
  /// The sum; the largest number where it is larger than that.
  func addingUpTo(_ other: Int64) -> Int64 {
    let (sum, isBeyond) = addingReportingOverflow(other)
    return isBeyond ? .max : sum
  }
}
