import Text

extension ReportPage {
  /// Which files take most, and which are larger than what they are made from.
  var sizes: PageSection? {
    guard list.largest.count > 1 || list.excessiveCount > 0 else { return nil }
    var parts: [String] = []
    if list.excessiveCount > 0 {
      let rest = list.excessiveCount - list.excessive.count
      parts.append(
        """
        <h3>Larger than the source</h3>
        <p>\(NumberText.count(list.excessiveCount, "rendition")) \
        \(list.excessiveCount == 1 ? "takes" : "take") \(ByteCountText.text(list.excess)) more than \
        \(list.excessiveCount == 1 ? "its source does" : "their sources do").</p>
        <p class="advice">Draw them no larger than the source is, or choose another format or a lower quality with \
        <code>encode</code>; <code>encode keep</code> keeps the format of the source.</p>
        \(table(list.excessive, "Renditions that are larger than their sources"))\
        \(rest > 0 ? "<p class=\"note\">And \(NumberText.grouped(rest)) more.</p>" : "")
        """)
    }
    if list.largest.count > 1 {
      parts.append("<h3>Largest files</h3>\n" + table(list.largest, "Largest files"))
    }
    return PageSection("sizes", "What takes most", parts.joined(separator: "\n"))
  }

  private func table(_ cards: [RenditionCard], _ label: String) -> String {
    let rows = cards.map { card in
      """
      <tr><th scope="row"><a class="to" href="\(card.address)">\(MarkupText.escape(card.name))</a></th>\
      <td>\(MarkupText.escape(card.chain))</td><td class="number">\(bytes(card.bytes))</td>\
      <td class="number">\(bytes(card.sourceBytes))</td></tr>
      """
    }
    return """
      <div class="scroll" tabindex="0" role="region" aria-label="\(label)"><table>
      <thead><tr><th scope="col">rendition</th><th scope="col">chain</th><th scope="col">file</th>\
      <th scope="col">source</th></tr></thead>
      <tbody>\(rows.joined(separator: "\n"))</tbody></table></div>
      """
  }

  private func bytes(_ count: Int?) -> String { count.map { ByteCountText.text($0) } ?? "" }
}
