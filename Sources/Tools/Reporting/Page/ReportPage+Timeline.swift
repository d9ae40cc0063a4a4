import Planning
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
    let rest = record.lanes.count - shown.count
    let whole = max(record.summary.seconds, 0.001)
    let rows = shown.map { lane in
      let share = "\(Int((min(max(0, lane.busy / whole), 1) * 100).rounded())) %"
      return """
        <tr><th scope="row">\(MarkupText.escape(ReportText.shortened(lane.name, to: 200)))</th>\
        <td class="lane">\(plot(lane))</td><td class="number">\(share)</td>\
        <td class="number">\(NumberText.grouped(lane.count))</td><td class="number">\(lane.peak)</td></tr>
        """
    }
    let more = rest > 0 ? "<p class=\"note\">And \(NumberText.count(rest, "more lane")).</p>" : ""
    return PageSection(
      "timeline", title,
      introduction:
        "From left to right \(DurationText.text(whole)); the height is how many pictures a worker, "
        + "exchanges a host or groups of files the cache had under way.",
      """
      <div class="scroll" tabindex="0" role="region" aria-label="Timeline of workers and hosts"><table class="lanes">
      <thead><tr><th scope="col">who</th><th scope="col"><span class="axis"><span>0 s</span>\
      <span>\(DurationText.text(whole / 2))</span><span>\(DurationText.text(whole))</span></span></th>\
      <th scope="col">busy</th><th scope="col">count</th><th scope="col">at once</th></tr></thead>
      <tbody>\(rows.joined(separator: "\n"))</tbody></table></div>\(more)
      """)
  }

  /// An area of steps, one for each slice of the time.
  private func plot(_ lane: RecordedLane) -> String {
    let top = max(lane.levels.max() ?? 0, lane.kind == "host" ? Double(lane.peak) : 1)
    var path = "M0 20"
    var height = 20.0
    for (index, level) in lane.levels.enumerated() {
      let next = 20 - level / max(top, 0.01) * 19
      guard abs(next - height) > 0.05 else { continue }
      path += "H\(index)V\(Self.coordinate(next))"
      height = next
    }
    path += "H\(lane.levels.count)V20Z"
    let label = "busy for \(DurationText.text(lane.busy)), at most \(lane.peak) at once"
    return """
      <svg viewBox="0 0 \(max(1, lane.levels.count)) 20" preserveAspectRatio="none" role="img" \
      aria-label="\(label)"><path class="\(lane.kind == "worker" ? "fill" : "soft")" d="\(path)"/></svg>
      """
  }
}
