import Concurrency
import FileStore
import Foundation
import JobFile
import Planning
import Reporting
import Signposts
import Syntax
import Text

/// Shows a run while it goes, and keeps what is to be said about it: the only place of the command that holds outcomes.
///
/// Memory is bounded: beyond the limit of a record only counts grow.
struct RunKeeper: RunObserver {
  private struct State: Sendable {
    var findings: [FindingRecord] = []
    var omittedFindings = 0
    var caches: [ByteText: String] = [:]
    var failures: [RenditionRecord] = []
    /// Those that an app will not find.
    var unfound: [RenditionRecord] = []
    var others: [RenditionRecord] = []
    var settled = 0
    var report: RunReport?
    var stopped: String?
    var plans: [Plan] = []

    /// The list that a rendition goes into.
    static func list(of found: PlannedRendition.Found?) -> WritableKeyPath<State, [RenditionRecord]> {
      switch found {
      case nil: \.failures
      case .nothing: \.unfound
      case .exact, .part: \.others
      }
    }
  }

  let jobs: [String]
  let context: CommandContext
  /// Of the failures that are kept, of what an app will not find, and of the other renditions.
  var limit = RunRecord.limit
  private let started = Date().timeIntervalSince1970
  private let state = Locked(State())

  func found(_ diagnostics: Diagnostics) {
    let findings = diagnostics.digest.map(FindingRecord.init)
    state.withLock {
      $0.findings += findings
      $0.omittedFindings += diagnostics.count - findings.count
    }
  }

  func planned(_ plans: [Plan]) {
    let caches = plans.map { (ByteText($0.settings.path), $0.settings.cache) }
    state.withLock {
      $0.caches = Dictionary(caches, uniquingKeysWith: { first, _ in first })
      $0.plans = plans
    }
  }

  func settled(_ outcome: RenditionOutcome, report: RunReport) {
    let record = keep(outcome)
    // Nothing can be done here about a reader that is gone; the run goes on for the cache's sake.
    if context.json, let record {
      try? context.output.write(RenditionLine(record).jsonLine)
    }
    if context.console.verbosity >= .verbose {
      context.console.detail("\(outcome.status.record.rawValue)  \(RenditionText.title(outcome.rendition))")
    }
    context.console.updateProgress { state in
      state.done = report.counts.settled
      state.skipped = report.counts.current + report.counts.notStored
      state.failed = report.counts.failed
      state.bytes = report.counts.bytesFetched
    }
  }

  func warned(_ text: String, evenIfQuiet: Bool) {
    context.console.warning(text, from: evenIfQuiet ? .quiet : .normal)
  }

  /// - Returns: its record; nil where it is neither kept nor printed.
  private func keep(_ outcome: RenditionOutcome) -> RenditionRecord? {
    let list = State.list(of: outcome.found)
    let (isKept, cache) = state.withLock { state in
      state.settled += 1
      return (state[keyPath: list].count < limit, state.caches[ByteText(outcome.rendition.job)] ?? "")
    }
    guard isKept || context.json else { return nil }
    let rendition = RenditionRecord(outcome, cache: cache)
    if isKept { state.withLock { $0[keyPath: list].append(rendition.shortened) } }
    return rendition
  }

  func ended(_ report: RunReport) { state.withLock { $0.report = report } }

  func stopped(_ message: String) { state.withLock { $0.stopped = message } }

  /// Cache folders that the run has worked on; none where it could not begin.
  var caches: [String] {
    state.withLock { $0.report == nil ? [] : Set($0.caches.values).sorted() }
  }

  /// What the run found in its cache folders in the end.
  var listings: [String: FolderListing] { state.withLock { $0.report?.listings ?? [:] } }

  /// - Parameters:
  ///   - showsLossesOnly: leaves out what is well, which may be much to sort.
  ///   - isLast: hands the renditions over. A copy of them would be the largest thing in memory.
  func record(
    exit: ExitCode, collector: SignpostCollector? = nil, showsLossesOnly: Bool = false, isLast: Bool = false
  ) -> RunRecord {
    var state = state.withLock { state in
      defer { if isLast { (state.failures, state.unfound, state.others) = ([], [], []) } }
      return state
    }
    // Lines that were left out are failures of a run that has begun.
    for plan in state.report == nil ? [] : state.plans {
      state.settled += plan.skipped.count
      let lines = plan.skipped.lines.prefix(max(0, limit - state.failures.count))
      state.failures += lines.map { RenditionRecord($0, of: plan.settings) }
    }
    if showsLossesOnly { state.others = [] }
    let report = state.report ?? RunReport()
    var summary = RunSummary(
      program: "preheat \(PreheatVersion.text)", jobs: jobs, started: started, exit: Int(exit.rawValue),
      meaning: exit.meaning)
    func said(_ note: (JobSettings) -> String?) -> [String] {
      state.plans.compactMap { plan in note(plan.settings).map { "\(plan.settings.path): \($0)" } }
    }
    (summary.releases, summary.drawings) = (said(\.releaseNote), said(\.drawing.note))
    summary.seconds = report.duration
    summary.counts = report.counts
    summary.isInterrupted = report.isInterrupted
    summary.stopped = report.storeFailure?.message ?? state.stopped
    summary.stoppedCode = report.storeFailure?.code.rawValue
    summary.confinement = report.confinement
    summary.connections = report.connections
    summary.prunedFiles = report.prunedFiles
    summary.prunedBytes = report.prunedFiles.map { _ in report.prunedBytes }
    var record = RunRecord(summary: summary)
    swap(&record.renditions, &state.others)
    if !(state.failures.isEmpty && state.unfound.isEmpty) {
      record.renditions = Array((state.failures + state.unfound + record.renditions).prefix(limit))
    }
    record.summary.omittedRenditions = state.settled - record.renditions.count
    record.summary.omittedFindings = state.omittedFindings
    record.findings = state.findings
    record.caches = report.caches
    record.operations = collector?.operations().map(RecordedOperation.init) ?? []
    record.sort()
    return record
  }

  /// The closing summary: on standard output, or as the last JSON object.
  ///
  /// - Parameter place: a file that lists what the summary leaves out.
  func finish(_ record: RunRecord, place: String?) throws {
    for warning in record.caches.flatMap(RenditionText.warnings) { context.console.warning(warning) }
    let summary = record.summary
    if context.json {
      try context.output.write(record.jsonLine)
    } else if context.console.verbosity > .quiet || summary.counts.failed > 0 || summary.stoppedCode != nil {
      try context.output.write(RunText(record: record, place: place).text)
    }
  }
}
