import Planning
import Text

extension ReportPage {
  /// Groups on the page, and sources of a group; the list has all of them.
  static let mostFailureGroups = 100
  static let mostFailedSources = 50
  private static let mostFindings = 200

  /// What failed for one cause stands together, the most frequent cause first.
  var failures: PageSection? {
    let failed = record.failures
    guard !failed.isEmpty else { return nil }
    let groups = FailureGroup.groups(of: failed)
    let shown = groups.prefix(Self.mostFailureGroups)
    let rest = record.summary.counts.failed - shown.reduce(0) { $0 + $1.renditions.count }
    let more =
      rest > 0
      ? "<p class=\"lead\">And \(NumberText.grouped(rest)) more for other causes: see <a href=\"#pictures\">the list</a>.</p>"
      : ""
    let retryable =
      record.summary.counts.retryable > 0
      ? "\(NumberText.grouped(record.summary.counts.retryable)) of them may pass when the job is run again."
      : ""
    let cards = shown.enumerated().map { card($1, number: $0 + 1) }
    return PageSection(
      "failures", "Failures", introduction: retryable, cards.joined(separator: "\n") + more)
  }

  private func card(_ group: FailureGroup, number: Int) -> String {
    let advice = group.advice.map { "<p class=\"advice\">\(MarkupText.escape($0))</p>" } ?? ""
    let sources = group.lines
    let shown = sources.prefix(Self.mostFailedSources)
    let table = PageTable.html(
      "Failure \(number), \(group.code): renditions", head: ["line", "source", "chains"],
      rows: shown.map { line in
        [
          .html(MarkupText.escape("\(line.first.file):\(line.first.line)"), "place"),
          .html(MarkupText.source(line.first.source) + message(of: line.first, in: group), "url"),
          .text(line.chains.joined(separator: ", ")),
        ]
      })
    let title = MarkupText.escape(ReportText.shortened(group.title, to: 1000))
    let retryable = group.isRetryable ? " <span class=\"chip\">may pass again</span>" : ""
    return """
      <article class="failure">
      <h3>\(title)</h3>
      <p><span class="chip bad">\(MarkupText.escape(group.code))</span> \
      <span class="chip">\(MarkupText.escape(group.step.rawValue))</span> \
      <span class="chip">\(NumberText.count(group.renditions.count, "rendition"))</span>\(retryable)</p>
      \(advice)
      \(table)\(PageFrame.note(more: sources.count - shown.count, "source"))
      </article>
      """
  }

  /// The message of one of the group where the title says less.
  private func message(of rendition: RenditionRecord, in group: FailureGroup) -> String {
    let text = [
      group.saysAll ? nil : rendition.failure?.message, group.advice == nil ? rendition.failure?.advice : nil,
    ].compactMap { $0 }
    if text.isEmpty { return "" }
    return "<br>\(MarkupText.escape(ReportText.shortened(text.joined(separator: "; "), to: 1000)))"
  }

  /// Errors and warnings about the text of the jobs.
  var findings: PageSection? {
    guard !record.findings.isEmpty else { return nil }
    let rows = record.findings.prefix(Self.mostFindings).map { finding in
      let help = finding.help.map { "<p class=\"advice\">\(MarkupText.escape($0))</p>" } ?? ""
      return """
        <li class="finding"><span class="chip\(finding.isError ? " bad" : "")">\
        \(finding.isError ? "error" : "warning")</span> \
        <span class="place">\(MarkupText.escape("\(finding.file):\(finding.line):\(finding.column)"))</span>
        <p>\(MarkupText.escape(ReportText.shortened(finding.message, to: 1000)))</p>\(help)</li>
        """
    }
    let rest = record.summary.omittedFindings + max(0, record.findings.count - Self.mostFindings)
    return PageSection(
      "findings", "Findings about the jobs",
      "<ul class=\"findings\">\(rows.joined(separator: "\n"))</ul>" + PageFrame.note(more: rest, "finding"))
  }
}
