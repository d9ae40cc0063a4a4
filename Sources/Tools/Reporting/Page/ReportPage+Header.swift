import Planning
import Text

extension ReportPage {
  /// The result of the run, in one sentence and in numbers.
  var header: PageHeader {
    let summary = record.summary
    let jobs = summary.jobs.prefix(12).map { "<span class=\"job\">\(MarkupText.escape($0))</span>" }
    var notes = ""
    if let stopped = summary.stopped {
      notes += "<p class=\"notice\">Stopped: \(MarkupText.escape(stopped))</p>"
    }
    if summary.isInterrupted {
      notes += "<p class=\"notice\">The run was interrupted; run it again to complete the cache.</p>"
    }
    return PageHeader(
      eyebrow: jobs.joined(separator: " ") + (summary.jobs.count > 12 ? " …" : ""),
      headline: ReportText.verdict(summary), notes: notes, facts: facts, end: "\(again)\(build)\n")
  }

  private var facts: [FactsPage.Fact] {
    let counts = record.summary.counts
    func unlessZero(_ name: String, _ count: Int) -> FactsPage.Fact? {
      count > 0 ? .init(name, NumberText.grouped(count)) : nil
    }
    let saved = record.savedBytes
    return [
      .init("made", NumberText.grouped(counts.made)), .init("up to date", NumberText.grouped(counts.current)),
      unlessZero("not stored", counts.notStored),
      .init("failed", NumberText.grouped(counts.failed), isBad: counts.failed > 0),
      unlessZero("wrong lines", counts.skippedLines), unlessZero("left undone", counts.leftUndone),
      .init("fetched", ByteCountText.text(counts.bytesFetched)),
      unlessZero("sources unchanged", counts.sourcesValidated),
      unlessZero("sources from the HTTP cache", counts.sourcesCached),
      .init("written", ByteCountText.text(counts.bytesWritten)),
      saved > 0 ? .init("saved against the sources", ByteCountText.text(saved)) : nil,
      .init("time", DurationText.text(record.summary.seconds)),
    ].compactMap { $0 }
  }

  /// Options are not in the record, for they may hold secrets.
  private var again: String {
    guard !record.summary.jobs.isEmpty else { return "" }
    let jobs = record.summary.jobs.prefix(12).map { ReportText.quotedForShell(ReportText.shortened($0)) }
    let command = (["preheat", "run"] + jobs).joined(separator: " ")
    return """
      <p class="again">Run it again: <code>\(MarkupText.escape(command))</code>\
      \(record.summary.jobs.count > 12 ? " and the other jobs," : "") with the options of this run.</p>
      """
  }

  private var build: String {
    var parts: [String] = []
    if let commit = record.summary.commit {
      parts.append("Commit <code>\(MarkupText.escape(String(commit.prefix(12))))</code>")
    }
    if let address = record.summary.build, ReportText.isAddress(address) {
      parts.append(
        "<a href=\"\(MarkupText.escape(address))\" rel=\"noreferrer\">the CI build of this run</a>")
    }
    return parts.isEmpty ? "" : "<p class=\"build\">\(parts.joined(separator: ", ")).</p>"
  }
}
