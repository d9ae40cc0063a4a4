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
      .init("preheat timings run.ndjson", "every operation"),
      .init("preheat timings --by host run.ndjson", "the same for each server"),
      .init("preheat timings --by url run.ndjson | head", "the slowest pictures: download and rendering"),
      .init("preheat timings --compare before.ndjson after.ndjson", "what became faster or slower"),
    ]
    $0.options = [
      Setting(
        by, SettingType<SignpostGrouping>.choices("WHAT", of: "grouping").optional, in: .flag, .output,
        "split by host, chain, worker or url"
      ).with {
        $0.detail = """
          Operations without this value are left out. url shows all operations of each source, slowest source first.
          """
        $0.isCommon = true
      },
      Setting(
        compare, SettingType<String>.path("OTHER").optional, in: .flag, .output, "compare with an older log"
      ).with {
        $0.detail = """
          Compares medians. A difference is called faster or slower only if it is larger than the noise, the difference \
          that occurs by chance in 95 of 100 cases.
          """
        $0.isCommon = true
      },
      CommandRows.json,
    ]
  }

  private static let by = SettingKey("by", default: SignpostGrouping?.none)
  private static let compare = SettingKey("compare", default: String?.none)

  /// Signpost logs, taken together.
  private let logs: [String]
  /// The log to compare with, the older one.
  private let other: String?
  private let grouping: SignpostGrouping?

  init(_ values: OptionValues) throws(UsageError) {
    logs = values.words
    other = values[Self.compare]
    grouping = values[Self.by]
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    do throws(SignpostLogFailure) {
      let operations = try read(logs, context)
      let text =
        if let other {
          compared(
            OperationComparison.pairs(before: try read([other], context), after: operations),
            json: context.json)
        } else {
          listed(operations, json: context.json)
        }
      // The stream deals with a pipe that is full or closed.
      try? context.output.write(text)
      return .success
    } catch {
      context.console.error(error.message)
      return .usage
    }
  }

  private func read(
    _ logs: [String], _ context: CommandContext
  ) throws(SignpostLogFailure) -> [OperationStatistics] {
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
    return operations
  }

  private func listed(_ operations: [OperationStatistics], json: Bool) -> String {
    if json { return operations.map(\.json.line).joined() }
    return TimingsText.table(operations, by: grouping)
  }

  private func compared(_ comparisons: [OperationComparison], json: Bool) -> String {
    if json { return comparisons.map(\.json.line).joined() }
    return TimingsText.table(comparisons, by: grouping)
  }
}
