import Planning
import Text

extension ReportPage {
  /// How long each operation took.
  var operations: PageSection? {
    guard !record.operations.isEmpty else { return nil }
    let table = PageTable.html(
      "Times of the operations", kind: "times",
      head: ["operation", "count", "median", "95 %", "longest", "total", "at once", "peak"],
      rows: record.operations.map { operation in
        [.name(MarkupText.escape(operation.name)), .number(NumberText.grouped(operation.count))]
          + [operation.median, operation.p95, operation.longest, operation.total]
          .map { .number(DurationText.text($0)) }
          + [
            .number(NumberText.plain((operation.parallel * 10).rounded() / 10)), .number("\(operation.peak)"),
          ]
      })
    return PageSection(
      "operations", "How long each operation took",
      introduction:
        "Waiting included where the name says so. <em>At once</em>: how many ran at the same time, on "
        + "average and at most.",
      table)
  }

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
}
