import Planning
import Reporting
import Text

/// Shows a run while it goes. It keeps nothing: that is done by ``RunKeeper``.
struct RunWatch: RunObserver {
  let context: CommandContext
  let keeper: RunKeeper

  func settled(_ outcome: RenditionOutcome, report: RunReport) {
    let record = keeper.settled(outcome, isTold: context.json)
    // Nothing can be done here about a reader that is gone; the run goes on for the cache's sake.
    if context.json, let record {
      try? context.output.write(RenditionLine(record, of: outcome.rendition).jsonLine)
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

  func warned(_ text: String) { context.console.warning(text) }

  /// The closing summary: on standard output, or as the last JSON object.
  ///
  /// - Parameters:
  ///   - place: a file that lists what the summary leaves out.
  ///   - failureJobs: jobs of what failed.
  func finish(_ record: RunRecord, place: String?, failureJobs: [String] = []) throws {
    for warning in record.caches.compactMap({ BudgetText.warning($0) }) { context.console.warning(warning) }
    for cache in record.caches where cache.isBeyondLimit {
      context.console.warning(RenditionText.warning(cache))
    }
    let summary = record.summary
    guard !context.json else {
      try context.output.write(record.jsonLine)
      return
    }
    guard context.console.verbosity > .quiet || summary.counts.failed > 0 || summary.stoppedCode != nil
    else { return }
    try context.output.write(RunText(record: record, place: place, failureJobs: failureJobs).text)
  }
}
