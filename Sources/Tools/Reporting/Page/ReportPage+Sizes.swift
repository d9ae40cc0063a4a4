import Planning
import Text

extension ReportPage {
  /// The size of each cache, against the limit of the app.
  var caches: PageSection? {
    guard !record.caches.isEmpty else { return nil }
    return PageSection("caches", "Size on the device", record.caches.map(cache).joined(separator: "\n"))
  }

  private func cache(_ cache: CacheSize) -> String {
    let title = MarkupText.escape(ReportText.shortened(cache.path))
    let counted = cache.countedBytes
    let facts =
      "\(NumberText.count(cache.files, "file")) with \(ByteCountText.text(cache.bytes)), "
      + "\(ByteCountText.text(cache.allocatedBytes)) in whole blocks; \(MarkupText.escape(cache.client))"
    guard cache.sizeLimit > 0 else {
      return "<article class=\"cache\"><h3>\(title)</h3><p>\(facts). The app sets no limit.</p></article>"
    }
    let share = Double(counted) / Double(cache.sizeLimit)
    let isBeyond = cache.isBeyondLimit
    // Beyond the limit the bar is full, and the limit moves to the left.
    let scale = max(1, share)
    let filled = share / scale * 100
    let limit = 100 / scale
    let target = Double(cache.sweepTarget) / Double(cache.sizeLimit) * limit
    // fits: a record has no number beyond 1e14.
    let percent = "\(Int((share * 100).rounded())) %"
    let verdict =
      isBeyond
      ? "The app’s first sweep removes entries until \(ByteCountText.text(cache.sweepTarget)) are left: make less, "
        + "or raise the limit here and in the app."
      : "Beyond the limit the app would sweep down to \(ByteCountText.text(cache.sweepTarget)), the mark on the bar."
    return """
      <article class="cache"><h3>\(title)</h3>
      <p><strong class="\(isBeyond ? "bad" : "good")">\(percent)</strong> of the app’s limit: \
      \(ByteCountText.text(counted)) of \(ByteCountText.text(cache.sizeLimit)).</p>
      <svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" role="img" \
      aria-label="\(percent) of the limit is taken">
      <rect class="track" width="100" height="4"/>\
      <rect class="\(isBeyond ? "bad" : "fill")" width="\(PageFrame.coordinate(filled))" height="4"/>\
      <rect class="mark" x="\(PageFrame.coordinate(max(0, target - 0.1)))" width="0.2" height="4"/>\
      <rect class="mark" x="\(PageFrame.coordinate(max(0, limit - 0.2)))" width="0.2" height="4"/></svg>
      <p class="note">\(verdict) \(facts).</p></article>
      """
  }

  /// The largest files, and those that are larger than their sources.
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
        \(PageFrame.note(more: rest))
        """)
    }
    if list.largest.count > 1 {
      parts.append("<h3>Largest files</h3>\n" + table(list.largest, "Largest files"))
    }
    return PageSection("sizes", "What takes most", parts.joined(separator: "\n"))
  }

  private func table(_ cards: [RenditionCard], _ label: String) -> String {
    let rows: [[PageTable.Cell]] = cards.map { card in
      [
        .name("<a class=\"to\" href=\"\(card.address)\">\(MarkupText.escape(card.name))</a>"),
        .text(card.chain),
        .number(bytes(card.bytes)), .number(bytes(card.sourceBytes)),
      ]
    }
    return PageTable(label: label, head: ["rendition", "chain", "file", "source"], rows: rows).html
  }

  private func bytes(_ count: Int?) -> String { count.map { ByteCountText.text($0) } ?? "" }
}
