import Foundation
import Planning
import Reporting
import Signposts
import Synchronization
import Syntax
import Text

/// Keeps what reports will say of a run, while it goes.
final class RunKeeper: Sendable {
  private struct State: Sendable {
    package var findings: [RecordedFinding] = []
    package var omittedFindings = 0
    package var caches: [String: String] = [:]
    package var failures: [RecordedRendition] = []
    package var others: [RecordedRendition] = []
    package var settled = 0
    package var report: RunReport?
    package var stopped: String?
  }

  private let jobs: [String]
  private let started = Date().timeIntervalSince1970
  private let state = Mutex(State())

  init(jobs: [String]) { self.jobs = jobs }

  package func found(_ diagnostics: Diagnostics) {
    let findings = diagnostics.sorted.map(RecordedFinding.init)
    state.withLock {
      $0.findings += findings
      $0.omittedFindings += diagnostics.omittedErrors + diagnostics.omittedWarnings
    }
  }

  package func planned(_ plans: [Plan]) {
    let caches = plans.map { ($0.settings.path, $0.settings.cache) }
    state.withLock { $0.caches = Dictionary(caches, uniquingKeysWith: { first, _ in first }) }
  }

  /// Memory is bounded: beyond the limit of a record only counts grow.
  package func settled(_ outcome: RenditionOutcome) {
    let cache: String? = state.withLock { state in
      state.settled += 1
      let kept = if case .failed = outcome.status { state.failures.count } else { state.others.count }
      return kept < RunRecord.limit ? state.caches[outcome.rendition.job] ?? "" : nil
    }
    guard let cache else { return }
    let rendition = RecordedRendition(outcome, cache: cache)
    state.withLock {
      if rendition.status == .failed { $0.failures.append(rendition) } else { $0.others.append(rendition) }
    }
  }

  package func ended(_ report: RunReport) { state.withLock { $0.report = report } }

  package func stopped(_ message: String) { state.withLock { $0.stopped = message } }

  /// Cache folders that the run has worked on; none where it could not begin.
  package var caches: [String] {
    state.withLock { $0.report == nil ? [] : Set($0.caches.values).sorted() }
  }

  package func record(exit: ExitCode, collector: SignpostCollector?) -> RunRecord {
    let state = state.withLock { $0 }
    let report = state.report ?? RunReport()
    var summary = RunSummary(
      program: "preheat \(PreheatVersion.text)", jobs: jobs, started: started, exit: Int(exit.rawValue),
      meaning: exit.meaning)
    summary.seconds = report.duration
    summary.planned = report.planned
    summary.made = report.made
    summary.current = report.current
    summary.notStored = report.notStored
    summary.failed = report.failed
    summary.retryable = report.retryable
    summary.sourcesFetched = report.sourcesFetched
    summary.bytesFetched = report.bytesFetched
    summary.filesWritten = report.filesWritten
    summary.bytesWritten = report.bytesWritten
    summary.isInterrupted = report.isInterrupted
    summary.stopped = report.storeFailure?.message ?? state.stopped
    var record = RunRecord(summary: summary)
    let room = max(0, RunRecord.limit - state.failures.count)
    record.renditions = state.failures + state.others.prefix(room)
    record.summary.omittedRenditions = state.settled - record.renditions.count
    record.summary.omittedFindings = state.omittedFindings
    record.findings = state.findings
    record.caches = report.caches.map(RecordedCache.init)
    if let collector {
      record.operations = collector.operations().map(RecordedOperation.init)
      record.lanes = collector.lanes().map(RecordedLane.init)
    }
    record.sort()
    return record
  }
}
