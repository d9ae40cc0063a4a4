import Planning
import Reporting
import Text

/// The closing summary of a run, for people.
struct RunText {
  /// Failures that are listed, and renditions that an app will not find.
  static let mostFailures = 100
  static let mostUnfound = 20

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
    if let pruned = record.summary.prunedFiles {
      text += "pruned: \(NumberText.count(pruned, "file")) that no job names "
      text += "(\(ByteCountText.text(record.summary.prunedBytes ?? 0)))\n"
    }
    for cache in record.caches {
      text += "cache: \(SafeText.escape(cache.path)), \(NumberText.count(cache.files, "file")), "
      text += "\(ByteCountText.text(cache.allocatedBytes)) on the device\n"
    }
    text += RenditionText.found(inPart: counts.foundInPart, not: counts.notFound) ?? ""
    if record.summary.isInterrupted { text += "interrupted: run it again to complete the cache\n" }
    if record.summary.stoppedCode != nil {
      text += "stopped: run it again when the cache can be written\n"
    }
    return text + unfound + failures
  }

  /// What an app asks for in vain although nothing failed, each with the reason.
  private var unfound: String {
    let unfound = record.unfound.prefix(Self.mostUnfound)
    var text = unfound.isEmpty ? "" : "not found by the app:\n"
    for (index, rendition) in unfound.enumerated() {
      text += line(rendition)
      // Neighbours that share the reason say it once.
      let next = unfound.dropFirst(index + 1).first
      guard let note = rendition.note, next?.note != note else { continue }
      text += "    note: \(SafeText.escape(note))\n"
    }
    return text
      + rest(of: record.summary.counts.notFound, shown: unfound.count, listed: record.unfound.count)
  }

  /// `  catalog.job:7  https://…  card @3x`.
  private func line(_ rendition: RenditionRecord) -> String {
    "  \(SafeText.escape(rendition.file)):\(rendition.line)  \(RenditionText.title(rendition))\n"
  }

  /// In the order of the jobs, so that two runs read alike; neighbours that failed for one reason share it.
  private var failures: String {
    let failures = record.failures.prefix(Self.mostFailures)
    var text = failures.isEmpty ? "" : "failed:\n"
    for (index, rendition) in failures.enumerated() {
      text += line(rendition)
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
    return text
      + rest(
        of: record.summary.counts.failed, shown: failures.count, listed: record.failures.count)
  }

  private func rest(of total: Int, shown: Int, listed: Int) -> String {
    let rest = total - shown
    guard rest > 0 else { return "" }
    let what = listed < total ? "\(listed) of all are listed in" : "all are listed in"
    return "  and \(rest) more" + (place.map { "; \(what) \(SafeText.escape($0))" } ?? "") + "\n"
  }
}
