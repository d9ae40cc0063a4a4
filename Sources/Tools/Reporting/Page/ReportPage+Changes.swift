import Planning
import Text

extension ReportPage {
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
      pair.picture.map { RenditionCard.image($0, alt: "before: \(card.name), \(card.chain)") }
      ?? "<span class=\"none\">the old file is gone</span>"
    let size = pair.size.map { ByteCountText.text($0) } ?? "size not known"
    let source = pair.picture == nil ? "as the last record says" : "as the last report here showed it"
    return """
      <li><h4><a class="to" href="\(card.address)">\(MarkupText.escape(card.name))</a> \
      <span class="chain">\(MarkupText.escape(card.chain))</span></h4>
      <div class="pair"><figure><div class="mat">\(before)</div><figcaption>before: \(size), \
      \(source)</figcaption></figure>
      <figure><div class="mat">\(card.image)</div><figcaption>now: \
      \(card.bytes.map { ByteCountText.text($0) } ?? "size not known")</figcaption></figure></div></li>
      """
  }

  /// Their files may still lie in the cache: a run removes none.
  private var gone: String {
    guard !list.gone.isEmpty else { return "" }
    let table = PageTable(
      label: "Renditions that are gone", kind: "plain", head: ["rendition", "chain", "file", "source"],
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
      \(table.html)\(PageFrame.note(more: list.goneCount - list.gone.count))
      """
  }
}
