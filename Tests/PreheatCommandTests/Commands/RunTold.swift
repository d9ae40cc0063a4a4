import JobSupport
import Testing
import Text

@testable import Planning
@testable import PreheatCommand
@testable import Reporting

/// Outcomes of a planned job, and what a run tells of them.
struct RunTold {
  let plan: Plan
  let keeper: RunKeeper
  var report = RunReport()

  /// - Parameter lines: of a job, behind its client and cache.
  init(_ lines: String, limit: Int = RunRecord.limit, in context: CommandContext? = nil) throws {
    let planned = Preheat.plan("client nuke 12\ncache out/c\n\(lines)\n")
    plan = try #require(planned.plan, "\(planned.errors)")
    let nowhere = TextStream(descriptor: -1)
    keeper = RunKeeper(
      jobs: ["test.job"],
      context: context
        ?? CommandContext(
          environment: [:], output: nowhere,
          console: Console(stream: nowhere, terminal: .of(nowhere, environment: [:]))),
      limit: limit)
    keeper.planned([plan])
    report.counts.planned = plan.renditionCount
  }

  /// `count` lines with one rendition each.
  static func lines(_ count: Int) -> String {
    (1...count).map { "https://e.com/\($0).jpg circle" }.joined(separator: "\n")
  }

  static func failure(_ message: String = "no") -> RunFailure {
    RunFailure(step: .fetch, code: "fetch.status", message: message, advice: "try", isRetryable: true)
  }

  /// Settles the renditions of the plan, or the first of them, one after the other.
  mutating func settle(
    _ count: Int = .max, _ status: (Int) -> RenditionOutcome.Status
  ) {
    for (index, row) in plan.rows.prefix(count).enumerated() {
      let outcome = plan.task(at: row, session: 0).outcome(status(index), sourceBytes: 5000)
      report.counts.count(outcome)
      keeper.settled(outcome, report: report)
    }
    keeper.ended(report)
  }

  func finish(_ exit: ExitCode = .someFailed, place: String? = nil) throws {
    try keeper.finish(record(exit), place: place)
  }

  func record(_ exit: ExitCode = .someFailed) -> RunRecord { keeper.record(exit: exit) }
}
