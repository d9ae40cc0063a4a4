import Planning
import Reporting
import Text

/// Shows a run while it goes. It keeps nothing: that is done by ``RunKeeper``.
struct RunWatch: RunObserver {
  let context: CommandContext
  let json: Bool
  let keeper: RunKeeper

  package func settled(_ outcome: RenditionOutcome, report: RunReport) {
    let record = keeper.settled(outcome, isTold: json)
    // Nothing can be done here about a reader that is gone; the run goes on for the cache's sake.
    if json, let record { try? context.output.write(record.json(of: outcome.rendition).line) }
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

  package func warned(_ text: String) { context.console.warning(text) }

  /// The closing summary: on standard output, or as the last JSON object.
  ///
  /// - Parameter place: a file that lists what the summary leaves out.
  package func finish(_ record: RunRecord, place: String?) throws {
    for cache in record.caches where cache.isBeyondLimit {
      context.console.warning(RenditionText.warning(cache))
    }
    let summary = record.summary
    guard !json else {
      try context.output.write(summary.json(record.caches).line)
      return
    }
    guard context.console.verbosity > .quiet || summary.counts.failed > 0 || summary.stoppedCode != nil
    else { return }
    try context.output.write(RunText(record: record, place: place).text)
  }
}

/// The closing summary of a run, for people.
struct RunText {
  /// Failures that are listed.
  static let mostFailures = 100

  let record: RunRecord
  /// A file that lists the others.
  var place: String?

  var text: String {
    let counts = record.summary.counts
    var parts = ["\(counts.made) made", "\(counts.current) up to date"]
    if counts.notStored > 0 { parts.append("\(counts.notStored) not stored by the policy") }
    if counts.failed > 0 { parts.append("\(counts.failed) failed") }
    if counts.leftUndone > 0 { parts.append("\(counts.leftUndone) left undone") }
    var text = "\(NumberText.count(counts.planned, "rendition")): \(parts.joined(separator: ", ")) "
    text += "in \(DurationText.wholeSeconds(record.summary.seconds))\n"
    if counts.sourcesFetched > 0 {
      text += "fetched \(NumberText.count(counts.sourcesFetched, "source")) "
      text += "(\(ByteCountText.text(counts.bytesFetched))), wrote "
      text +=
        "\(NumberText.count(counts.filesWritten, "file")) (\(ByteCountText.text(counts.bytesWritten)))\n"
    }
    if counts.sourcesValidated + counts.sourcesCached > 0 {
      text += "unchanged at their servers: \(NumberText.count(counts.sourcesValidated, "source")); "
      text += "from the HTTP cache: \(NumberText.count(counts.sourcesCached, "source"))\n"
    }
    for cache in record.caches {
      text += "cache: \(SafeText.escape(cache.path)), \(NumberText.count(cache.files, "file")), "
      text += "\(ByteCountText.text(cache.allocatedBytes)) on the device\n"
    }
    if record.summary.isInterrupted { text += "interrupted: run it again to complete the cache\n" }
    if record.summary.stoppedCode != nil {
      text += "stopped: run it again when the cache can be written\n"
    }
    return text + failures
  }

  /// In the order of the jobs, so that two runs read alike; neighbours that failed for one reason share it.
  private var failures: String {
    let failures = record.failures.prefix(Self.mostFailures)
    var text = failures.isEmpty ? "" : "failed:\n"
    for (index, rendition) in failures.enumerated() {
      text += "  \(SafeText.escape(rendition.file)):\(rendition.line)  \(RenditionText.title(rendition))\n"
      let next = failures.dropFirst(index + 1).first
      if let next, next.failure == rendition.failure, next.file == rendition.file,
        next.line == rendition.line
      {
        continue
      }
      guard let failure = rendition.failure else { continue }
      text +=
        "    \(failure.step.rawValue): \(SafeText.escape(failure.message, limit: 1000)) (\(failure.code))"
      text += failure.isRetryable ? ", may pass when tried again\n" : "\n"
      if let advice = failure.advice { text += "    \(SafeText.escape(advice))\n" }
    }
    return text + rest(shown: failures.count)
  }

  private func rest(shown: Int) -> String {
    let rest = record.summary.counts.failed - shown
    guard rest > 0 else { return "" }
    let listed = record.failures.count
    let what = listed < record.summary.counts.failed ? "\(listed) of all are listed in" : "all are listed in"
    return "  and \(rest) more" + (place.map { "; \(what) \(SafeText.escape($0))" } ?? "") + "\n"
  }
}
