import CacheStore
import Concurrency
import Fetching
import Planning
import Signposts

/// Counts what is settled and tells the observer, in step.
final class RunTally: Sendable {
  private let report: Locked<RunReport>
  private let observer: any RunObserver
  private let signposts: Signposter

  init(
    planned: Int, skippedLines: Int = 0, observer: any RunObserver, signposts: Signposter = .disabled
  ) {
    self.signposts = signposts
    var report = RunReport()
    report.counts.planned = planned
    report.counts.count(skippedLines: skippedLines)
    self.report = Locked(report)
    self.observer = observer
  }

  /// More of a job has come in.
  func add(planned: Int, skippedLines: Int) {
    report.withLock {
      $0.counts.planned += planned
      $0.counts.count(skippedLines: skippedLines)
    }
  }

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

  func fetched(_ body: SourceBody) {
    report.withLock {
      guard body.origin != .httpCache else {
        $0.counts.sourcesCached += 1
        return
      }
      $0.counts.sourcesFetched += 1
      $0.counts.bytesFetched += body.bytes.count
    }
  }

  /// A source's server said that it is what it was.
  func validated() { report.withLock { $0.counts.sourcesValidated += 1 } }

  func written(_ files: [FinishedFile]) {
    report.withLock {
      $0.counts.filesWritten += files.count
      $0.counts.bytesWritten += files.reduce(0) { $0 + $1.bytes.count }
    }
  }

  func pruned(_ result: CachePruner.Result) {
    report.withLock {
      $0.prunedFiles = ($0.prunedFiles ?? 0) + result.files
      $0.prunedBytes += Int(clamping: result.bytes)
    }
  }

  func warn(_ text: String) { observer.warned(text) }

  func finished(_ cache: CacheSize) {
    report.withLock { $0.caches.append(cache) }
  }

  /// The counts so far.
  var current: RunReport { report.withLock { $0 } }
}
