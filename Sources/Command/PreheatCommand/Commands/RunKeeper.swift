import Concurrency
import Foundation
import Planning
import Reporting
import Signposts
import Synchronization
import Syntax
import Text

/// Keeps what is told of a run, while it goes: the only place that holds outcomes.
///
/// Memory is bounded: beyond the limit of a record only counts grow.
final class RunKeeper: Sendable {
  private struct State: Sendable {
    package var findings: [FindingRecord] = []
    package var omittedFindings = 0
    package var caches: [String: String] = [:]
    package var failures: [RenditionRecord] = []
    package var others: [RenditionRecord] = []
    package var settled = 0
    package var report: RunReport?
    package var stopped: String?
  }

  private let jobs: [String]
  private let limit: Int
  private let started = Date().timeIntervalSince1970
  private let state = Locked(State())

  /// - Parameter limit: of the failures that are kept, and of the other renditions.
  init(jobs: [String], limit: Int = RunRecord.limit) {
    self.jobs = jobs
    self.limit = limit
  }

  package func found(_ diagnostics: Diagnostics) {
    let findings = diagnostics.sorted.map(FindingRecord.init)
    state.withLock {
      $0.findings += findings
      $0.omittedFindings += diagnostics.omittedErrors + diagnostics.omittedWarnings
    }
  }

  package func planned(_ plans: [Plan]) {
    let caches = plans.map { ($0.settings.path, $0.settings.cache) }
    state.withLock { $0.caches = Dictionary(caches, uniquingKeysWith: { first, _ in first }) }
  }

  /// - Parameter isTold: the record is wanted also where it is not kept.
  @discardableResult
  package func settled(_ outcome: RenditionOutcome, isTold: Bool = false) -> RenditionRecord? {
    let isFailure = outcome.status.record == .failed
    let (isKept, cache) = state.withLock { state in
      state.settled += 1
      let kept = isFailure ? state.failures.count : state.others.count
      return (kept < limit, state.caches[outcome.rendition.job] ?? "")
    }
    guard isKept || isTold else { return nil }
    let rendition = RenditionRecord(outcome, cache: cache)
    guard isKept else { return rendition }
    state.withLock {
      if isFailure { $0.failures.append(rendition) } else { $0.others.append(rendition) }
    }
    return rendition
  }

  package func ended(_ report: RunReport) { state.withLock { $0.report = report } }

  package func stopped(_ message: String) { state.withLock { $0.stopped = message } }

  /// Cache folders that the run has worked on; none where it could not begin.
  package var caches: [String] {
    state.withLock { $0.report == nil ? [] : Set($0.caches.values).sorted() }
  }

  /// - Parameter showsFailuresOnly: leaves the other renditions out, which may be many to sort.
  package func record(
    exit: ExitCode, collector: SignpostCollector? = nil, showsFailuresOnly: Bool = false
  ) -> RunRecord {
    var state = state.withLock { $0 }
    if showsFailuresOnly { state.others = [] }
    let report = state.report ?? RunReport()
    var summary = RunSummary(
      program: "preheat \(PreheatVersion.text)", jobs: jobs, started: started, exit: Int(exit.rawValue),
      meaning: exit.meaning)
    summary.seconds = report.duration
    summary.counts = report.counts
    summary.isInterrupted = report.isInterrupted
    summary.stopped = report.storeFailure?.message ?? state.stopped
    summary.stoppedCode = report.storeFailure?.code.rawValue
    var record = RunRecord(summary: summary)
    record.renditions = state.failures + state.others.prefix(max(0, limit - state.failures.count))
    record.summary.omittedRenditions = state.settled - record.renditions.count
    record.summary.omittedFindings = state.omittedFindings
    record.findings = state.findings
    record.caches = report.caches
    if let collector {
      record.operations = collector.operations().map(RecordedOperation.init)
      record.lanes = collector.lanes().map(RecordedLane.init)
    }
    record.sort()
    return record
  }
}
