import Settings
import Signposts
import Text

/// `preheat timings LOG...`: how long each operation took, and how many ran at once.
struct TimingsCommand: Command {
  static let spec = CommandSpec("timings", "show statistics of a signpost log").with {
    $0.detail = [
      "Shows for each operation of a run how often it ran, how long it took, and how many ran at the same time. "
        + "preheat run --signposts writes the log; several logs are added up.",
      "Percentiles are nearest ranks. The parallelism is the average while the operation was running, and the peak.",
    ]
    $0.positionals = [.init("LOG", .file, 1...Int.max, "a signpost log")]
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
      context.json ? operations.map(\.jsonLine).joined() : TimingsText.table(operations, by: grouping)
    // The stream deals with a pipe that is full or closed.
    try? context.output.write(text)
    return .success
  }
}
