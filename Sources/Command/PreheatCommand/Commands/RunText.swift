import Planning
import Reporting
import Text

/// The closing summary of a run, for people.
struct RunText {
  /// Number of causes of failures that are printed, and of renditions that an app will not find.
  static let most = 20
  /// Job lines printed for a cause, and the number up to which all are.
  static let examples = 3
  static let mostExamples = 5

  let record: RunRecord
  /// A file that lists the others.
  var place: String?

  var text: String {
    let counts = record.summary.counts
    var parts = ["\(counts.made) made", "\(counts.current) up to date"]
    if counts.notStored > 0 { parts.append("\(counts.notStored) not stored by the policy") }
    if counts.failed > 0 { parts.append("\(counts.failed) failed") }
    if counts.skippedLines > 0 {
      parts.append("of these \(NumberText.count(counts.skippedLines, "wrong line"))")
    }
    if counts.leftUndone > 0 { parts.append("\(counts.leftUndone) not done") }
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
    text += connections
    if let pruned = record.summary.prunedFiles {
      text += "pruned: \(NumberText.count(pruned, "file")) that no job names "
      text += "(\(ByteCountText.text(record.summary.prunedBytes ?? 0)))\n"
    }
    for note in record.summary.releases { text += "release: \(SafeText.escape(note))\n" }
    for note in record.summary.drawings { text += "drawing: \(SafeText.escape(note))\n" }
    for cache in record.caches {
      text += "cache: \(SafeText.escape(cache.path)), \(NumberText.count(cache.files, "file")), "
      text += "\(ByteCountText.text(cache.allocatedBytes)) on the device\(RenditionText.budget(cache))\n"
    }
    text += RenditionText.found(inPart: counts.foundInPart, not: counts.notFound) ?? ""
    if counts.animated > 0 {
      let animated = NumberText.count(counts.animated, "rendition")
      text += "of animated sources, as the client stores them: \(animated)\n"
    }
    if record.summary.isInterrupted { text += "interrupted: run it again to complete the cache\n" }
    if let code = record.summary.stoppedCode, code != StoreFailure.Code.pruning.rawValue {
      text += "stopped: run it again when the cache can be written\n"
    }
    return text + unfound + failures
  }

  /// Where the number of connections was not the usual one.
  private var connections: String {
    let hosts = record.summary.connections
    let lines = hosts.prefix(3).map { host in
      let times = "halved \(NumberText.count(host.halvings, "time")) by 429, 503, resets or time-outs"
      return "connections to \(SafeText.escape(host.origin)): up to \(host.most)"
        + (host.halvings > 0 ? ", \(times)\n" : "\n")
    }
    return lines.joined() + (hosts.count > 3 ? "and to \(hosts.count - 3) more hosts\n" : "")
  }

  /// Requests of an app that find nothing although no rendition failed, each with the reason.
  private var unfound: String {
    let unfound = record.unfound.prefix(Self.most)
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

  private func rest(of total: Int, shown: Int, listed: Int) -> String {
    let rest = total - shown
    guard rest > 0 else { return "" }
    let what = listed < total ? "\(listed) of all are listed in" : "all are listed in"
    return "  and \(rest) more" + (place.map { "; \(what) \(SafeText.escape($0))" } ?? "") + "\n"
  }

  // MARK: Failures

  /// What failed: a few lines for each cause, however many renditions it has.
  var failures: String {
    let failed = record.summary.counts.failed
    let groups = FailureGroup.groups(of: record.failures)
    guard !groups.isEmpty else { return "" }
    let shown = groups.prefix(Self.most)
    var text = "failed:\n" + shown.map(text).joined()
    let rest = failed - shown.reduce(0) { $0 + $1.renditions.count }
    if rest > 0 {
      let causes = groups.count - shown.count
      text += "  and \(NumberText.grouped(rest)) more"
      text += causes > 0 ? " for \(NumberText.count(causes, "other cause"))\n" : "\n"
    }
    return text
      + whereabouts(isAllShown: rest == 0 && shown.allSatisfy { Self.shownLines(of: $0) == $0.lines.count })
  }

  private func whereabouts(isAllShown: Bool) -> String {
    guard !isAllShown, let place else { return "" }
    let listed = record.failures.count
    let what = listed < record.summary.counts.failed ? "\(NumberText.grouped(listed)) of all" : "all"
    return "  \(what) are listed in \(SafeText.escape(place))\n"
  }

  private static func shownLines(of group: FailureGroup) -> Int {
    group.lines.count <= mostExamples ? group.lines.count : examples
  }

  private func text(_ group: FailureGroup) -> String {
    var text = "  \(NumberText.grouped(group.renditions.count)) × "
    text += "\(group.step.rawValue): \(SafeText.escape(group.title, limit: 1000)) (\(group.code))"
    text += group.isRetryable ? ", may pass when tried again\n" : "\n"
    if let advice = group.advice { text += "    \(SafeText.escape(advice))\n" }
    let lines = group.lines
    let shown = lines.prefix(Self.shownLines(of: group))
    for line in shown {
      text += "    \(SafeText.escape(line.first.file)):\(line.first.line)  "
      text += RenditionText.title(line) + "\n"
      if !group.saysAll, let failure = line.first.failure {
        text += "      \(SafeText.escape(failure.message, limit: 300))\n"
      }
      if group.advice == nil, let advice = line.first.failure?.advice {
        text += "      \(SafeText.escape(advice, limit: 300))\n"
      }
    }
    let rest = lines.count - shown.count
    return text + (rest > 0 ? "    and \(NumberText.count(rest, "more line", "more lines"))\n" : "")
  }
}
