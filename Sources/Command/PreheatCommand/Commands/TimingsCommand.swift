import Signposts
import Syntax
import Text

/// `preheat timings LOG...`: how long each operation took, and how many ran at once.
struct TimingsCommand: Command {
  static let spec = CommandSpec("timings", "show statistics of a signpost log").with {
    $0.detail = [
      "Shows for each operation of a run how often it ran, how long it took, and how many ran at the same time. "
        + "preheat run --signposts writes the log; several logs are added up.",
      "Percentiles are nearest ranks. The parallelism is the average while the operation was running, and the peak.",
    ]
    $0.positionals = [.init("LOG", 1...Int.max, "a signpost log")]
    $0.examples = [
      ("preheat timings run.ndjson", "every operation"),
      ("preheat timings --by host run.ndjson", "the same for each server"),
      ("preheat timings --by url run.ndjson | head", "the slowest pictures: download and rendering"),
    ]
    $0.options = fields.map(\.row) + [CommandRows.json]
  }

  private static let fields: [FieldSetting<TimingsCommand>] = [
    FieldSetting(
      "by", \.grouping, .choices("WHAT", of: "grouping"), in: .flag, .output,
      "split by host, chain, worker or url",
      detail: """
        Operations without this value are left out. url shows all operations of each source, slowest source first.
        """
    ).common
  ]

  /// Signpost logs, taken together.
  private let logs: [String]
  private var grouping: SignpostGrouping?

  init(_ values: OptionValues) throws(UsageError) {
    logs = values.words
    values.settings.apply(Self.fields, to: &self)
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    var statistics = SignpostStatistics(by: grouping)
    for log in logs { try statistics.add(log) }
    let operations = statistics.operations()
    if statistics.cutLogs > 0 {
      context.console.warning("the log has no end: the run was killed, or is still running")
    }
    if statistics.damagedLines > statistics.cutLogs {
      context.console.warning(
        "\(NumberText.count(statistics.damagedLines, "line")) of the log cannot be read")
    }
    if operations.isEmpty, let grouping {
      context.console.warning("no operation of the log has a \(grouping.rawValue)")
    }
    let text =
      context.json ? operations.map(\.jsonLine).joined() : Self.table(operations, by: grouping)
    // The stream deals with a pipe that is full or closed.
    try? context.output.write(text)
    return .success
  }
}

/// Statistics of signposts as people read them.
extension TimingsCommand {
  private static func table(_ operations: [OperationStatistics], by grouping: SignpostGrouping?) -> String {
    var rows = [
      ["operation"] + (grouping.map { [$0.rawValue] } ?? [])
        + ["count", "total", "mean", "p50", "p95", "p99", "max", "parallel", "peak"]
    ]
    for operation in operations {
      var row = [name(operation)]
      if let grouping { row.append(SafeText.escape(operation.group ?? "-", limit: width(grouping))) }
      row.append(NumberText.grouped(operation.count))
      row += [operation.total, operation.mean, operation.p50, operation.p95, operation.p99, operation.max]
        .map { DurationText.text(Double($0) / 1e9) }
      row += [
        NumberText.plain((operation.meanParallelism * 10).rounded() / 10), "\(operation.peakParallelism)",
      ]
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
