import Fetching
import Signposts
import Text

/// Statistics of signposts as people read them.
enum TimingsText {
  static func table(_ operations: [OperationStatistics], by grouping: SignpostGrouping?) -> String {
    var rows = [
      ["operation"] + (grouping.map { [$0.rawValue] } ?? [])
        + ["count", "total", "mean", "p50", "p95", "p99", "max", "parallel", "peak"]
    ]
    for operation in operations {
      var row = [name(operation)]
      if let grouping { row.append(SafeText.escape(operation.group ?? "-", limit: width(grouping))) }
      row.append(NumberText.grouped(operation.count))
      row += [operation.total, operation.mean, operation.p50, operation.p95, operation.p99, operation.max]
        .map { DurationText.exact(nanoseconds: $0) }
      row += [NumberText.fixed(operation.meanParallelism, 1), "\(operation.peakParallelism)"]
      rows.append(row)
    }
    return aligned(rows, left: grouping == nil ? 1 : 2)
  }

  static func table(_ comparisons: [OperationComparison], by grouping: SignpostGrouping?) -> String {
    var rows = [
      ["operation"] + (grouping.map { [$0.rawValue] } ?? [])
        + ["count", "p50 before", "p50 after", "change", "noise", ""]
    ]
    for comparison in comparisons {
      var row = [SafeText.escape(comparison.name, limit: 40)]
      if let grouping { row.append(SafeText.escape(comparison.group ?? "-", limit: width(grouping))) }
      let counts = [comparison.before, comparison.after].map { NumberText.grouped($0?.count ?? 0) }
      row.append(counts[0] == counts[1] ? counts[0] : "\(counts[0]) -> \(counts[1])")
      row += [comparison.before, comparison.after].map {
        $0.map { DurationText.exact(nanoseconds: $0.p50) } ?? "-"
      }
      row.append(comparison.change.map { percent($0, signed: true) } ?? "-")
      row.append(comparison.noise.map { "±" + percent($0, signed: false) } ?? "-")
      row.append(words(comparison.verdict))
      rows.append(row)
    }
    return aligned(rows, left: grouping == nil ? 1 : 2)
  }

  /// Characters of a group's name: the end of a URL tells the picture.
  private static func width(_ grouping: SignpostGrouping) -> Int { grouping == .url ? 120 : 40 }

  private static func percent(_ fraction: Double, signed: Bool) -> String {
    (signed && fraction > 0 ? "+" : "") + NumberText.fixed(fraction * 100, abs(fraction) < 1 ? 1 : 0) + " %"
  }

  private static func name(_ operation: OperationStatistics) -> String {
    let name = SafeText.escape(operation.name, limit: 40)
    return operation.unfinished > 0 ? "\(name) (+\(operation.unfinished) open)" : name
  }

  private static func words(_ verdict: OperationComparison.Verdict) -> String {
    switch verdict {
    case .faster: "faster"
    case .slower: "slower"
    case .noise: "within noise"
    case .unknown: "too few"
    }
  }

  /// Columns two spaces apart: the first `left` ones begin together, and a last one without a heading; the
  /// others end together.
  private static func aligned(_ rows: [[String]], left: Int) -> String {
    let columns = rows.first?.count ?? 0
    let widths = (0..<columns).map { column in rows.map { $0[column].count }.max() ?? 0 }
    let lastIsLeft = rows.first?.last == ""
    return rows.map { row in
      var line = row.enumerated().map { column, cell in
        let space = String(repeating: " ", count: widths[column] - cell.count)
        return column < left || (lastIsLeft && column == columns - 1) ? cell + space : space + cell
      }.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }.joined()
  }
}

/// Times in nanoseconds, as in the log.
extension OperationStatistics: JSONRecord {
  package static let json = JSONMembers<Self>(
    type: "operation", ("name", \.name), ("group?", \.group), ("count", \.count), ("total", \.total),
    ("mean", \.mean), ("p50", \.p50), ("p95", \.p95), ("p99", \.p99), ("max", \.max),
    ("parallelism", \.meanParallelism), ("peakParallelism", \.peakParallelism),
    ("unfinished", \.unfinished), ("histogram", \.histogram))
}

extension DurationBucket: JSONRecord {
  package static let json = JSONMembers<Self>(("from", \.from), ("to", \.end), ("count", \.count))

  /// Nil for the last.
  private var end: Int64? { to == .max ? nil : to }
}

extension OperationComparison: JSONRecord {
  package static let json = JSONMembers<Self>(
    type: "change", ("name", \.name), ("group?", \.group), ("before", \.before), ("after", \.after),
    ("change", \.change), ("noise", \.noise), ("verdict", \.verdict.rawValue))
}
