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
      "<ul class=\"findings\">\(rows.joined(separator: "\n"))</ul>" + PageFrame.note(more: rest))
  }

  /// New, changed and gone renditions since the run before.
  var changes: PageSection? {
    guard let previous = list.previous, !record.summary.isInterrupted, record.summary.stopped == nil else {
      return nil
    }
    let count = { (change: RunComparison.Change) in list.changes[change] ?? 0 }
    var sentences = [
      "Compared with the run of \(ReportText.time(previous.started)): \(NumberText.grouped(count(.new))) new, "
        + "\(NumberText.grouped(count(.changed))) changed, \(NumberText.grouped(list.goneCount)) gone."
    ]
    if count(.again) > 0 {
      sentences.append(
        "\(NumberText.grouped(count(.again))) more \(count(.again) == 1 ? "was" : "were") made again, "
          + "and nothing shows that \(count(.again) == 1 ? "it is" : "they are") different.")
    }
    if previous.isInterrupted || previous.stopped != nil {
      sentences.append("That run did not come to its end.")
    }
    if previous.omittedRenditions > 0 || record.summary.omittedRenditions > 0 {
      sentences.append(
        "Not all renditions are in the records of both runs, so the numbers are not those of all.")
    }
    if previous.jobs != record.summary.jobs {
      sentences.append(
        "Its jobs: \(MarkupText.escape(ReportText.shortened(previous.jobs.prefix(12).joined(separator: ", "))))."
      )
    }
    return PageSection(
      "changes", "Since the last run", introduction: sentences.joined(separator: " "), pairs + gone)
  }

  private var pairs: String {
    guard !list.pairs.isEmpty else { return "" }
    let rest = (list.changes[.changed] ?? 0) - list.pairs.count
    return """
      <h3>Changed</h3>
      <ul class="pairs">
      \(list.pairs.map(pair).joined(separator: "\n"))
      </ul>\(PageFrame.note(more: rest))

      """
  }

  private func pair(_ pair: RenditionList.Pair) -> String {
    let card = pair.card
    let before =
      image(pair.picture, alt: "before: \(card.name), \(card.chain)") ?? none("the old file is gone")
    let now = image(card.picture, alt: "\(card.name), \(card.chain)") ?? none("no preview")
    let size = pair.size.map { ByteCountText.text($0) } ?? "size not known"
    let source = pair.picture == nil ? "as the last record says" : "as the last report here showed it"
    return """
      <li><h4><a class="to" href="#r-\(card.id)">\(MarkupText.escape(card.name))</a> \
      <span class="chain">\(MarkupText.escape(card.chain))</span></h4>
      <div class="pair"><figure><div class="mat">\(before)</div><figcaption>before: \(size), \
      \(source)</figcaption></figure>
      <figure><div class="mat">\(now)</div><figcaption>now: \
      \(card.bytes.map { ByteCountText.text($0) } ?? "size not known")</figcaption></figure></div></li>
      """
  }

  private func none(_ words: String) -> String { "<span class=\"none\">\(words)</span>" }

  private func image(_ picture: PictureShelf.Picture?, alt: String) -> String? {
    picture.map { picture in
      """
      <img src="\(picture.address)" alt="\(MarkupText.escape(alt))" width="\(picture.width)" \
      height="\(picture.height)" loading="lazy" decoding="async">
      """
    }
  }

  /// Their files may still lie in the cache: a run removes none.
  private var gone: String {
    guard !list.gone.isEmpty else { return "" }
    let table = PageTable.html(
      "Renditions that are gone", kind: "plain", head: ["rendition", "chain", "file", "source"],
      rows: list.gone.map { rendition in
        let name = ReportText.shortened(ReportText.name(ofSource: rendition.source), to: 120)
        return [
          .name(MarkupText.escape(name)), .text(ReportText.shortened(rendition.chainAndScale)),
          .number((rendition.size ?? rendition.bytes).map { ByteCountText.text($0) } ?? ""),
          .html(MarkupText.source(rendition.source), "url"),
        ]
      })
    return """
      <h3>Gone</h3>
      <p>The job no longer names them. Their files may still lie in the cache.</p>
      \(table)\(PageFrame.note(more: list.goneCount - list.gone.count))
      """
  }
}
