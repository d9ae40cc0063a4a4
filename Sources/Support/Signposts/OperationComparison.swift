import Foundation

/// One operation in two recordings, by its median.
package struct OperationComparison: Hashable, Sendable {
  package enum Verdict: String, Hashable, Sendable {
    case faster, slower
    /// The difference is as small as what chance alone makes.
    case noise
    /// Fewer than six intervals on a side, or none.
    case unknown
  }

  package var before: OperationStatistics?
  package var after: OperationStatistics?

  package var name: String { after?.name ?? before?.name ?? "" }
  package var group: String? { after?.group ?? before?.group }

  /// `after / before - 1` of the medians; nil where there is no comparison.
  package var change: Double? {
    guard let before, let after, before.p50 > 0, after.count > 0 else { return nil }
    return Double(after.p50) / Double(before.p50) - 1
  }

  /// How large a change chance alone may make, as a fraction: both medians' ranges together.
  package var noise: Double? {
    guard let before = Self.spread(before), let after = Self.spread(after) else { return nil }
    return exp((before * before + after * after).squareRoot()) - 1
  }

  package var verdict: Verdict {
    guard let change, let noise else { return .unknown }
    // In ratios, so that twice as fast counts as much as twice as slow.
    guard abs(log1p(Swift.max(change, -0.999_999))) > log1p(noise) else { return .noise }
    return change < 0 ? .faster : .slower
  }

  /// Half the width of the median's range, in natural logarithms.
  private static func spread(_ statistics: OperationStatistics?) -> Double? {
    guard let range = statistics?.medianRange, range.lowerBound > 0 else { return nil }
    return log(Double(range.upperBound) / Double(range.lowerBound)) / 2
  }

  /// Pairs what has the same name and group, in the order of `after`; what is gone comes last.
  package static func pairs(
    before: [OperationStatistics], after: [OperationStatistics]
  ) -> [OperationComparison] {
    struct Key: Hashable {
      var name: String
      var group: String?
    }
    var rest = Dictionary(before.map { (Key(name: $0.name, group: $0.group), $0) }) { first, _ in first }
    var pairs = after.map {
      OperationComparison(
        before: rest.removeValue(forKey: Key(name: $0.name, group: $0.group)), after: $0)
    }
    for old in before where rest[Key(name: old.name, group: old.group)] != nil {
      pairs.append(OperationComparison(before: old, after: nil))
    }
    return pairs
  }
}
