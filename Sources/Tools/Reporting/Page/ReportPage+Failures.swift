import Planning
import Text

/// Renditions that failed for one reason.
struct FailureGroup: Sendable {
  package var failure: RunFailure
  /// In the order of the jobs.
  package var renditions: [RenditionRecord] = []

  /// One group for each reason, in the order of their first renditions.
  package static func groups(of failed: [RenditionRecord]) -> [FailureGroup] {
    var groups: [FailureGroup] = []
    var places: [RunFailure: Int] = [:]
    for rendition in failed {
      guard let failure = rendition.failure else { continue }
      let place = places[failure] ?? groups.count
      if place == groups.count {
        places[failure] = place
        groups.append(FailureGroup(failure: failure))
      }
      groups[place].renditions.append(rendition)
    }
    return groups
  }
}

extension ReportPage {
  /// Groups on the page, and sources of a group; the list has all of them.
  static let mostFailureGroups = 100
  static let mostFailedSources = 50

  /// What failed for one reason stands together.
  var failures: PageSection? {
    let failed = record.failures
    guard !failed.isEmpty else { return nil }
    let groups = FailureGroup.groups(of: failed)
    let shown = groups.prefix(Self.mostFailureGroups)
    let rest = record.summary.counts.failed - shown.reduce(0) { $0 + $1.renditions.count }
    let more =
      rest > 0
      ? "<p class=\"lead\">And \(NumberText.grouped(rest)) more for other reasons: see <a href=\"#pictures\">the list</a>.</p>"
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
    let failure = group.failure
    let advice = failure.advice.map { "<p class=\"advice\">\(MarkupText.escape($0))</p>" } ?? ""
    let sources = bySource(group.renditions)
    let rows = sources.prefix(Self.mostFailedSources).map { rendition, chains in
      """
      <tr><td class="place">\(MarkupText.escape("\(rendition.file):\(rendition.line)"))</td>\
      <td class="url">\(MarkupText.source(rendition.source))</td>\
      <td>\(MarkupText.escape(chains.joined(separator: ", ")))</td></tr>
      """
    }
    let rest = sources.count - rows.count
    let more =
      rest > 0 ? "<p class=\"note\">And \(NumberText.count(rest, "more source", "more sources")).</p>" : ""
    let message = MarkupText.escape(ReportText.shortened(failure.message, to: 1000))
    let retryable = failure.isRetryable ? " <span class=\"chip\">may pass again</span>" : ""
    return """
      <article class="failure">
      <h3>\(message)</h3>
      <p><span class="chip bad">\(MarkupText.escape(failure.code))</span> \
      <span class="chip">\(MarkupText.escape(failure.step.rawValue))</span>\(retryable)</p>
      \(advice)
      <div class="scroll" tabindex="0" role="region" \
      aria-label="Failure \(number), \(MarkupText.escape(failure.code)): renditions"><table>
      <thead><tr><th scope="col">line</th><th scope="col">source</th><th scope="col">chains</th></tr></thead>
      <tbody>\(rows.joined(separator: "\n"))</tbody></table></div>\(more)
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
