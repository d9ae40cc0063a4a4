/// How many durations lie between 1, 2, 5, 10, 20, 50 ... microseconds.
public struct DurationHistogram: Hashable, Sendable {
  public struct Bucket: Hashable, Sendable {
    /// Nanoseconds; the upper end is outside.
    public var from: Int64
    public var to: Int64
    public var count: Int
  }

  /// From the first that holds anything to the last.
  public private(set) var buckets: [Bucket] = []

  init(sorted: [Int64]) {
    var from: Int64 = 0
    var start = 0
    for bound in Self.bounds {
      // The first index that is not below the bound.
      var low = start
      var high = sorted.count
      while low < high {
        let middle = (low + high) / 2
        if sorted[middle] < bound { low = middle + 1 } else { high = middle }
      }
      if low > start || !buckets.isEmpty {
        buckets.append(Bucket(from: from, to: bound, count: low - start))
      }
      start = low
      from = bound
      if start == sorted.count { break }
    }
    if start < sorted.count {
      buckets.append(Bucket(from: from, to: .max, count: sorted.count - start))
    }
  }

  /// Up to 10,000 seconds.
  private static let bounds: [Int64] =
    (3...12).flatMap { power -> [Int64] in
      let unit = (0..<power).reduce(Int64(1)) { product, _ in product * 10 }
      return [unit, 2 * unit, 5 * unit]
    } + [10_000_000_000_000]
}
