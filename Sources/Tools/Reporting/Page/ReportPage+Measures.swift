import Planning
import Signposts
import Text

extension ReportPage {
  private static let mostLanes = 48

  /// A row for each worker and each host, with how many were under way at each time.
  var timeline: PageSection? {
    let title = "Timeline"
    guard !record.lanes.isEmpty else {
      guard record.operations.isEmpty, record.summary.counts.planned > 0 else { return nil }
      return PageSection(
        "timeline", title,
        introduction: "This run was not timed. With <code>--report</code>, <code>--signposts</code> or "
          + "<code>--trace</code> a run notes what it does and when.", "")
    }
    let shown = record.lanes.prefix(Self.mostLanes)
    let whole = max(record.summary.seconds, 0.001)
    // The beginning, the middle and the end.
    let axis = ["0 s", DurationText.text(whole / 2), DurationText.text(whole)].map { "<span>\($0)</span>" }
    let table = PageTable.html(
      "Timeline of workers and hosts", kind: "lanes",
      head: ["who", "<span class=\"axis\">\(axis.joined())</span>", "busy", "count", "at once"],
      rows: shown.map { lane in
        [
          .name(MarkupText.escape(ReportText.shortened(lane.name, to: 200))), .html(plot(lane), "lane"),
          .number("\(Int((min(max(0, lane.busy / whole), 1) * 100).rounded())) %"),
          .number(NumberText.grouped(lane.count)), .number("\(lane.peak)"),
        ]
      })
    return PageSection(
      "timeline", title,
      introduction:
        "From left to right \(DurationText.text(whole)); the height is how many pictures a worker, "
        + "exchanges a host or groups of files the cache had under way.",
      table + PageFrame.note(more: record.lanes.count - shown.count, "lane"))
  }

  /// An area of steps, one for each slice of the time.
  private func plot(_ lane: SignpostLane) -> String {
    let top = max(lane.levels.max() ?? 0, lane.kind == "host" ? Double(lane.peak) : 1)
    var path = "M0 20"
    var height = 20.0
    for (index, level) in lane.levels.enumerated() {
      let next = 20 - level / max(top, 0.01) * 19
      guard abs(next - height) > 0.05 else { continue }
      path += "H\(index)V\(PageFrame.coordinate(next))"
      height = next
    }
    path += "H\(lane.levels.count)V20Z"
    let label = "busy for \(DurationText.text(lane.busy)), at most \(lane.peak) at once"
    return """
      <svg viewBox="0 0 \(max(1, lane.levels.count)) 20" preserveAspectRatio="none" role="img" \
      aria-label="\(label)"><path class="\(lane.kind == "worker" ? "fill" : "soft")" d="\(path)"/></svg>
      """
  }

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
    let budget = budget(cache)
    guard cache.sizeLimit > 0 else {
      return
        "<article class=\"cache\"><h3>\(title)</h3>\(budget)<p>\(facts). The app sets no limit.</p></article>"
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
      <article class="cache"><h3>\(title)</h3>\(budget)
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

  /// The content against what a bundle may have.
  private func budget(_ cache: CacheSize) -> String {
    guard let most = cache.maxSize, most > 0 else { return "" }
    // fits: a record has no number beyond 1e14.
    let percent = Int((Double(cache.bytes) / Double(most) * 100).rounded())
    let verdict = cache.isBeyondMaxSize ? " Make less, or let a bundle drop the least urgent sources." : ""
    return """
      <p><strong class="\(cache.isBeyondMaxSize ? "bad" : "good")">\(percent) %</strong> of the budget of a bundle: \
      \(ByteCountText.text(cache.bytes)) of \(ByteCountText.text(most)).\(verdict)</p>
      """
  }
}
