import Planning
import Text

/// A run as Markdown for the summary page of a CI job.
extension RunRecord {
  /// What GitHub takes of one step: 1 MiB.
  package static let jobSummaryLimit = 1 << 20
  private static let mostFailures = 100

  package var jobSummary: String {
    let jobs = summary.jobs.prefix(8).map(MarkupText.markdown).joined(separator: ", ")
    var text = """
      ## Preheat: \(jobs)\(summary.jobs.count > 8 ? " and more" : "")

      \(MarkupText.markdown(ReportText.verdict(summary)))

      | made | up to date | not stored | failed | left undone | fetched | written | time |
      | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
      | \(summary.counts.made) | \(summary.counts.current) | \(summary.counts.notStored) | \(summary.counts.failed) | \(summary.counts.leftUndone) \
      | \(ByteCountText.text(summary.counts.bytesFetched)) | \(ByteCountText.text(summary.counts.bytesWritten)) \
      | \(DurationText.text(summary.seconds)) |


      """
    for note in summary.releases { text += "Release: \(MarkupText.markdown(note))\n\n" }
    for note in summary.drawings { text += "Drawing: \(MarkupText.markdown(note))\n\n" }
    if let stopped = summary.stopped { text += "**Stopped:** \(MarkupText.markdown(stopped))\n\n" }
    return text + cacheRows + findingLines + failureRows
  }

  private var cacheRows: String {
    guard !caches.isEmpty else { return "" }
    var text = "| cache | files | on the device | the app's limit |\n| --- | ---: | ---: | ---: |\n"
    for cache in caches.prefix(50) {
      let limit = cache.sizeLimit > 0 ? ByteCountText.text(cache.sizeLimit) : "none"
      text += "| \(MarkupText.markdown(ReportText.shortened(cache.path))) | \(cache.files) "
      text += "| \(ByteCountText.text(cache.allocatedBytes)) | \(limit) |\n"
    }
    return text + "\n"
  }

  private var findingLines: String {
    guard !findings.isEmpty else { return "" }
    var text = "### Findings about the jobs\n\n"
    for finding in findings.prefix(Self.mostFailures) {
      let place = "\(finding.file):\(finding.line):\(finding.column)"
      text += "- \(finding.isError ? "error" : "warning"), \(MarkupText.markdown(place)): "
      text += MarkupText.markdown(ReportText.shortened(finding.message)) + "\n"
    }
    return text + "\n"
  }

  /// A row for each cause, with its first line.
  private var failureRows: String {
    let groups = FailureGroup.groups(of: failures)
    guard !groups.isEmpty else { return "" }
    var text = "### Failed renditions\n\n| renditions | why | first line | source | chain |\n"
    text += "| ---: | --- | --- | --- | --- |\n"
    let shown = groups.prefix(Self.mostFailures)
    for group in shown {
      guard let first = group.renditions.first else { continue }
      let cells = [
        "\(ReportText.shortened(group.title)) (\(group.code))", "\(first.file):\(first.line)",
        ReportText.shortened(first.source), ReportText.shortened(first.chainAndScale),
      ]
      text += "| \(group.renditions.count) | \(cells.map(MarkupText.markdown).joined(separator: " | ")) |\n"
    }
    let rest = summary.counts.failed - shown.reduce(0) { $0 + $1.renditions.count }
    return text + (rest > 0 ? "\nAnd \(rest) more.\n\n" : "\n")
  }
}
