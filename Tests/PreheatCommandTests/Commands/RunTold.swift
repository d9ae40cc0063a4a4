import Concurrency
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
  init(_ lines: String, limit: Int = RunRecord.limit) throws {
    let planned = Preheat.plan("client nuke 12\ncache out/c\n\(lines)\n")
    plan = try #require(planned.plan, "\(planned.errors)")
    keeper = RunKeeper(jobs: ["test.job"], limit: limit)
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
    _ count: Int = .max, by watch: (any RunObserver)? = nil,
    _ status: (Int) -> RenditionOutcome.Status
  ) {
    for (index, row) in plan.rows.prefix(count).enumerated() {
      let outcome = plan.task(at: row, session: 0).outcome(status(index), sourceBytes: 5000)
      report.counts.count(outcome)
      if let watch { watch.settled(outcome, report: report) } else { keeper.settled(outcome) }
    }
    keeper.ended(report)
  }

  func record(_ exit: ExitCode = .someFailed) -> RunRecord { keeper.record(exit: exit) }
}
