import Concurrency
import Planning
import Signposts

final class RunTally: Sendable {
  private let report: Locked<RunReport>
  private let observer: any RunObserver
  private let signposts: Signposter

  init(_ plans: [Plan], observer: any RunObserver, signposts: Signposter) {
    self.signposts = signposts
    var report = RunReport()
    for plan in plans { report.counts.count(plan) }
    self.report = Locked(report)
    self.observer = observer
  }

  /// Counts what nobody is told of by itself.
  func count(_ change: (inout RunReport) -> Void) { report.withLock { change(&$0) } }

  func settle(_ outcomes: [RenditionOutcome]) {
    for outcome in outcomes {
      let report = report.withLock { report in
        report.counts.count(outcome)
        return report
      }
      observer.settled(outcome, report: report)
      if case .failed(let failure) = outcome.status {
        signposts.emitEvent(
          .failRendition, [.chain: .text(outcome.rendition.chain), .code: .text(failure.code)])
      }
    }
  }

  func warn(_ text: String) { observer.warned(text) }

  var current: RunReport { report.withLock { $0 } }
}
