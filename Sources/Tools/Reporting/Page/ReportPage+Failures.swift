import Planning
import Text

extension ReportPage {
  private static let most = 1000

  /// What failed for one reason stands together.
  var failures: PageSection? {
    let failed = record.failures
    guard !failed.isEmpty else { return nil }
    var order: [RunFailure] = []
    var members: [RunFailure: [RenditionRecord]] = [:]
    for rendition in failed.prefix(Self.most) {
      guard let failure = rendition.failure else { continue }
      if members[failure] == nil { order.append(failure) }
      members[failure, default: []].append(rendition)
    }
    let rest = record.summary.counts.failed - min(failed.count, Self.most)
    let more = rest > 0 ? "<p class=\"lead\">And \(NumberText.grouped(rest)) more.</p>" : ""
    let retryable =
      record.summary.counts.retryable > 0
      ? "\(NumberText.grouped(record.summary.counts.retryable)) of them may pass when the job is run again."
      : ""
    return PageSection(
      "failures", "Failures", introduction: retryable,
      order.map { group($0, members[$0] ?? []) }.joined(separator: "\n") + more)
  }

  private func group(_ failure: RunFailure, _ renditions: [RenditionRecord]) -> String {
    let advice = failure.advice.map { "<p class=\"advice\">\(MarkupText.escape($0))</p>" } ?? ""
    let rows = bySource(renditions).map { rendition, chains in
      """
      <tr><td class="place">\(MarkupText.escape("\(rendition.file):\(rendition.line)"))</td>\
      <td class="url">\(MarkupText.escape(ReportText.shortened(rendition.source)))</td>\
      <td>\(MarkupText.escape(chains.joined(separator: ", ")))</td></tr>
      """
    }
    let message = MarkupText.escape(ReportText.shortened(failure.message, to: 1000))
    let retryable = failure.isRetryable ? " <span class=\"chip\">may pass again</span>" : ""
    return """
      <article class="failure">
      <h3>\(message)</h3>
      <p><span class="chip bad">\(MarkupText.escape(failure.code))</span> \
      <span class="chip">\(MarkupText.escape(failure.step.rawValue))</span>\(retryable)</p>
      \(advice)
      <div class="scroll" tabindex="0" role="region" aria-label="Renditions that failed with \(MarkupText.escape(failure.code))"><table>
      <thead><tr><th scope="col">line</th><th scope="col">source</th><th scope="col">chains</th></tr></thead>
      <tbody>\(rows.joined(separator: "\n"))</tbody></table></div>
      </article>
      """
  }

  /// Neighbours of one line and source, with all their chains.
  private func bySource(
    _ renditions: [RenditionRecord]
  ) -> [(first: RenditionRecord, chains: [String])] {
    var rows: [(first: RenditionRecord, chains: [String])] = []
    for rendition in renditions {
      let last = rows.last?.first
      if let last, (last.file, last.line, last.source) == (rendition.file, rendition.line, rendition.source) {
        rows[rows.count - 1].chains.append(rendition.chainAndScale)
      } else {
        rows.append((rendition, [rendition.chainAndScale]))
      }
    }
    return rows
  }
}
