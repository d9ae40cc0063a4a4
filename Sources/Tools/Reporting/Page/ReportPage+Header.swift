import Planning
import Text

extension ReportPage {
  /// What came of the run, in one sentence and in numbers.
  var header: String {
    let summary = record.summary
    let jobs = summary.jobs.prefix(12).map { "<span class=\"job\">\(MarkupText.escape($0))</span>" }
    let list = facts.map { name, value in
      let isBad = name == "failed" && summary.counts.failed > 0
      return "<div\(isBad ? " class=\"bad\"" : "")><dt>\(name)</dt><dd>\(value)</dd></div>"
    }
    var notes = ""
    if let stopped = summary.stopped {
      notes += "<p class=\"notice\">Stopped: \(MarkupText.escape(stopped))</p>"
    }
    if summary.isInterrupted {
      notes += "<p class=\"notice\">The run was interrupted; run it again to complete the cache.</p>"
    }
    return """
      <header>
      <p class="eyebrow">Preheat · \(jobs.joined(separator: " "))\(summary.jobs.count > 12 ? " …" : "")</p>
      <h1>\(MarkupText.escape(ReportText.verdict(summary)))</h1>
      \(notes)<dl class="facts">\(list.joined())</dl>
      \(again)\(build)
      </header>
      """
  }

  private var facts: [(String, String)] {
    let summary = record.summary
    var facts: [(String, String)] = [
      ("made", NumberText.grouped(summary.counts.made)),
      ("up to date", NumberText.grouped(summary.counts.current)),
    ]
    if summary.counts.notStored > 0 {
      facts.append(("not stored", NumberText.grouped(summary.counts.notStored)))
    }
    facts.append(("failed", NumberText.grouped(summary.counts.failed)))
    if summary.counts.skippedLines > 0 {
      facts.append(("wrong lines", NumberText.grouped(summary.counts.skippedLines)))
    }
    if summary.counts.leftUndone > 0 {
      facts.append(("left undone", NumberText.grouped(summary.counts.leftUndone)))
    }
    facts.append(("fetched", ByteCountText.text(summary.counts.bytesFetched)))
    if summary.counts.sourcesValidated > 0 {
      facts.append(("sources unchanged", NumberText.grouped(summary.counts.sourcesValidated)))
    }
    if summary.counts.sourcesCached > 0 {
      facts.append(("sources from the HTTP cache", NumberText.grouped(summary.counts.sourcesCached)))
    }
    facts.append(("written", ByteCountText.text(summary.counts.bytesWritten)))
    if record.savedBytes > 0 {
      facts.append(("saved against the sources", ByteCountText.text(record.savedBytes)))
    }
    facts.append(("time", DurationText.text(summary.seconds)))
    return facts
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
