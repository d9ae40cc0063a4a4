import Planning
import Synchronization
import Text

/// Shows a run while it goes and sums it up at its end.
final class RunWatch: RunObserver {
  private let context: CommandContext
  private let json: Bool
  private let keeper: RunKeeper
  /// Kept until the end: the summary names every failure.
  private let failures = Mutex<[(PlannedRendition, RunFailure)]>([])

  init(context: CommandContext, json: Bool, keeper: RunKeeper) {
    self.context = context
    self.json = json
    self.keeper = keeper
  }

  package func settled(_ outcome: RenditionOutcome, report: RunReport) {
    if case .failed(let failure) = outcome.status {
      failures.withLock { $0.append((outcome.rendition, failure)) }
    }
    keeper.settled(outcome)
    // Nothing can be done here about a reader that is gone; the run goes on for the cache's sake.
    if json { try? context.output.write(outcome.json.line) }
    context.console.detail("\(outcome.status.word)  \(RenditionText.title(outcome.rendition))")
    context.console.updateProgress { state in
      state.done = report.made + report.current + report.notStored + report.failed
      state.skipped = report.current + report.notStored
      state.failed = report.failed
      state.bytes = report.bytesFetched
    }
  }

  /// The closing summary: on standard output, or as the last JSON object.
  package func finish(_ report: RunReport, exit: ExitCode) throws {
    for cache in report.caches where cache.isBeyondLimit {
      context.console.warning(RenditionText.warning(cache))
    }
    guard !json else {
      try context.output.write(report.json(exit: exit).line)
      return
    }
    guard context.console.verbosity > .quiet || report.failed > 0 || report.storeFailure != nil else {
      return
    }
    try context.output.write(summary(report))
  }

  private func summary(_ report: RunReport) -> String {
    var parts = ["\(report.made) made", "\(report.current) up to date"]
    if report.notStored > 0 { parts.append("\(report.notStored) not stored by the policy") }
    if report.failed > 0 { parts.append("\(report.failed) failed") }
    let rest = report.planned - report.made - report.current - report.notStored - report.failed
    if rest > 0 { parts.append("\(rest) left undone") }
    var text = "\(NumberText.count(report.planned, "rendition")): \(parts.joined(separator: ", ")) "
    text += "in \(DurationText.wholeSeconds(report.duration))\n"
    if report.sourcesFetched > 0 {
      text += "fetched \(NumberText.count(report.sourcesFetched, "source")) "
      text += "(\(ByteCountText.text(report.bytesFetched))), wrote "
      text +=
        "\(NumberText.count(report.filesWritten, "file")) (\(ByteCountText.text(report.bytesWritten)))\n"
    }
    if report.sourcesValidated + report.sourcesCached > 0 {
      text += "unchanged at their servers: \(NumberText.count(report.sourcesValidated, "source")); "
      text += "from the HTTP cache: \(NumberText.count(report.sourcesCached, "source"))\n"
    }
    for cache in report.caches {
      text += "cache: \(SafeText.escape(cache.cache)), \(NumberText.count(cache.files, "file")), "
      text += "\(ByteCountText.text(cache.allocatedBytes)) on the device\n"
    }
    if report.isInterrupted { text += "interrupted: run it again to complete the cache\n" }
    if report.storeFailure != nil { text += "stopped: run it again when the cache can be written\n" }
    return text + failureList()
  }

  /// In the order of the job, so that two runs read alike; what failed for one reason stands together.
  private func failureList() -> String {
    let failures = failures.withLock { $0 }.sorted { a, b in
      (a.0.job, a.0.file, a.0.line, a.1.message, a.0.key) < (
        b.0.job, b.0.file, b.0.line, b.1.message, b.0.key
      )
    }
    var text = failures.isEmpty ? "" : "failed:\n"
    for (index, (rendition, failure)) in failures.enumerated() {
      text += "  \(SafeText.escape(rendition.file)):\(rendition.line)  \(RenditionText.title(rendition))\n"
      let next = failures.dropFirst(index + 1).first
      if let next, next.1 == failure, (next.0.file, next.0.line) == (rendition.file, rendition.line) {
        continue
      }
      text +=
        "    \(failure.step.rawValue): \(SafeText.escape(failure.message, limit: 1000)) (\(failure.code))"
      text += failure.isRetryable ? ", may pass when tried again\n" : "\n"
      if let advice = failure.advice { text += "    \(SafeText.escape(advice))\n" }
    }
    return text
  }
}
