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

  /// Characters of a group's name: the end of a URL tells the picture.
  private static func width(_ grouping: SignpostGrouping) -> Int { grouping == .url ? 120 : 40 }

  private static func name(_ operation: OperationStatistics) -> String {
    let name = SafeText.escape(operation.name, limit: 40)
    return operation.unfinished > 0 ? "\(name) (+\(operation.unfinished) open)" : name
  }

  /// Columns two spaces apart: the first `left` ones begin together, the others end together.
  private static func aligned(_ rows: [[String]], left: Int) -> String {
    let columns = rows.first?.count ?? 0
    let widths = (0..<columns).map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      row.enumerated().map { column, cell in
        let space = String(repeating: " ", count: widths[column] - cell.count)
        return column < left ? cell + space : space + cell
      }.joined(separator: "  ") + "\n"
    }.joined()
  }
}

/// Times in nanoseconds, as in the log.
extension OperationStatistics: JSONRecord {
  package static let json = JSONMembers<Self>(
    type: "operation", ("name", \.name), ("group?", \.group), ("count", \.count), ("total", \.total),
    ("mean", \.mean), ("p50", \.p50), ("p95", \.p95), ("p99", \.p99), ("max", \.max),
    ("parallelism", \.meanParallelism), ("peakParallelism", \.peakParallelism),
    ("unfinished", \.unfinished))
}
