import Signposts
import Text

/// `preheat timings LOG...`: how long each operation took, and how many ran at once.
struct TimingsCommand: Command {
  package static let name = "timings"
  private let arguments: TimingsArguments

  init(_ values: OptionValues) throws(UsageError) {
    arguments = try TimingsArguments(values)
  }

  package func run(in context: CommandContext) async throws -> ExitCode {
    do throws(SignpostLogFailure) {
      let operations = try read(arguments.logs, context)
      let text =
        if let other = arguments.other {
          compared(OperationComparison.pairs(before: try read([other], context), after: operations))
        } else {
          listed(operations)
        }
      // What a full pipe makes of it is the stream's matter.
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
    var statistics = SignpostStatistics(by: arguments.grouping)
    for log in logs { try statistics.add(log) }
    let operations = statistics.operations()
    if statistics.cutLogs > 0 {
      context.console.warning("the log has no end: its run was stopped by force, or is still going on")
    }
    if statistics.damagedLines > statistics.cutLogs {
      context.console.warning(
        "\(NumberText.count(statistics.damagedLines, "line")) of the log cannot be read")
    }
    if operations.isEmpty, let grouping = arguments.grouping {
      context.console.warning("no operation of the log has a \(grouping.rawValue)")
    }
    return operations
  }

  private func listed(_ operations: [OperationStatistics]) -> String {
    if arguments.common.json { return operations.map(\.json.line).joined() }
    let table = TimingsText.table(operations, by: arguments.grouping)
    return arguments.hasHistogram ? table + TimingsText.histograms(operations) : table
  }

  private func compared(_ comparisons: [OperationComparison]) -> String {
    if arguments.common.json { return comparisons.map(\.json.line).joined() }
    return TimingsText.table(comparisons, by: arguments.grouping)
  }
}
