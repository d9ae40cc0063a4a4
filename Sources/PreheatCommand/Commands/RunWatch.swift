import JobRunner
import Synchronization

/// Shows a run while it goes and sums it up at its end.
final class RunWatch: RunObserver {
  private let context: CommandContext
  private let json: Bool
  /// Kept until the end: the summary names every failure.
  private let failures = Mutex<[(PlannedRendition, RunFailure)]>([])

  init(context: CommandContext, json: Bool) {
    self.context = context
    self.json = json
  }

  func settled(_ outcome: RenditionOutcome, report: RunReport) {
    if case .failed(let failure) = outcome.status {
      failures.withLock { $0.append((outcome.rendition, failure)) }
    }
    // Nothing can be done here about a reader that is gone; the run goes on for the cache's sake.
    if json { try? context.output.write(outcome.json.line) }
    context.console.detail("\(outcome.status.word)  \(RenditionText.title(outcome.rendition))")
    context.console.updateProgress { state in
      state.done = report.made + report.current + report.notStored + report.failed
      state.failed = report.failed
      state.bytes = report.bytesFetched
    }
  }

  /// The closing summary: on standard output, or as the last JSON object.
  func finish(_ report: RunReport, exit: ExitCode, caches: [String]) throws {
    guard !json else {
      try context.output.write(report.json(exit: exit).line)
      return
    }
    guard context.console.verbosity > .quiet || report.failed > 0 else { return }
    try context.output.write(summary(report, caches: caches))
  }

  private func summary(_ report: RunReport, caches: [String]) -> String {
    var parts = ["\(report.made) made", "\(report.current) up to date"]
    if report.notStored > 0 { parts.append("\(report.notStored) not stored by the policy") }
    if report.failed > 0 { parts.append("\(report.failed) failed") }
    let rest = report.planned - report.made - report.current - report.notStored - report.failed
    if rest > 0 { parts.append("\(rest) left undone") }
    var text = "\(RenditionText.count(report.planned, "rendition")): \(parts.joined(separator: ", ")) "
    text += "in \(RenditionText.seconds(report.duration))\n"
    if report.sourcesFetched > 0 {
      text += "fetched \(RenditionText.count(report.sourcesFetched, "source")) "
      text += "(\(RenditionText.bytes(report.bytesFetched))), wrote "
      text +=
        "\(RenditionText.count(report.filesWritten, "file")) (\(RenditionText.bytes(report.bytesWritten)))\n"
    }
    for cache in Set(caches).sorted() { text += "cache: \(SafeText.escape(cache))\n" }
    if report.isInterrupted { text += "interrupted: run it again to complete the cache\n" }
    return text + failureList()
  }

  /// In the order of the job, so that two runs read alike.
  private func failureList() -> String {
    let failures = failures.withLock { $0 }.sorted { a, b in
      (a.0.job, a.0.file, a.0.line, a.0.key) < (b.0.job, b.0.file, b.0.line, b.0.key)
    }
    guard !failures.isEmpty else { return "" }
    var text = "failed:\n"
    for (rendition, failure) in failures {
      text += "  \(SafeText.escape(rendition.file)):\(rendition.line)  \(RenditionText.title(rendition))\n"
      text += "    \(failure.step.rawValue): \(SafeText.escape(failure.message)) (\(failure.code))"
      text += failure.isRetryable ? ", may pass when tried again\n" : "\n"
      if let advice = failure.advice { text += "    \(SafeText.escape(advice))\n" }
    }
    return text
  }
}
