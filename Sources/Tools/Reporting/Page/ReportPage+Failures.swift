import Planning
import Text

extension ReportPage {
  /// Groups on the page, and sources of a group; the list has all of them.
  static let mostFailureGroups = 100
  static let mostFailedSources = 50

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
    let rows = sources.prefix(Self.mostFailedSources).map { line in
      """
      <tr><td class="place">\(MarkupText.escape("\(line.first.file):\(line.first.line)"))</td>\
      <td class="url">\(MarkupText.source(line.first.source))\(message(of: line.first, in: group))</td>\
      <td>\(MarkupText.escape(line.chains.joined(separator: ", ")))</td></tr>
      """
    }
    let rest = sources.count - rows.count
    let more =
      rest > 0 ? "<p class=\"note\">And \(NumberText.count(rest, "more source", "more sources")).</p>" : ""
    let title = MarkupText.escape(ReportText.shortened(group.title, to: 1000))
    let retryable = group.isRetryable ? " <span class=\"chip\">may pass again</span>" : ""
    return """
      <article class="failure">
      <h3>\(title)</h3>
      <p><span class="chip bad">\(MarkupText.escape(group.code))</span> \
      <span class="chip">\(MarkupText.escape(group.step.rawValue))</span> \
      <span class="chip">\(NumberText.count(group.renditions.count, "rendition"))</span>\(retryable)</p>
      \(advice)
      <div class="scroll" tabindex="0" role="region" \
      aria-label="Failure \(number), \(MarkupText.escape(group.code)): renditions"><table>
      <thead><tr><th scope="col">line</th><th scope="col">source</th><th scope="col">chains</th></tr></thead>
      <tbody>\(rows.joined(separator: "\n"))</tbody></table></div>\(more)
      </article>
      """
  }

  /// What is wrong with one of the group, where the title says less.
  private func message(of rendition: RenditionRecord, in group: FailureGroup) -> String {
    let text = [
      group.saysAll ? nil : rendition.failure?.message, group.advice == nil ? rendition.failure?.advice : nil,
    ].compactMap { $0 }
    if text.isEmpty { return "" }
    return "<br>\(MarkupText.escape(ReportText.shortened(text.joined(separator: "; "), to: 1000)))"
  }
}
