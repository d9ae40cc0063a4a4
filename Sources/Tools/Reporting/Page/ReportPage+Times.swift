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
    let whole = max(record.summary.seconds, 0.001)
    let table = PageTable(
      label: "Timeline of workers and hosts", kind: "lanes",
      head: [
        "who", axis(["0 s", DurationText.text(whole / 2), DurationText.text(whole)]), "busy", "count",
        "at once",
      ],
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
      table.html + PageFrame.note(more: record.lanes.count - shown.count, "lane"))
  }

  /// An area of steps, one for each slice of the time.
  private func plot(_ lane: RecordedLane) -> String {
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

  /// How long each operation took, with a plot of how the times are spread, all on one axis.
  var operations: PageSection? {
    guard !record.operations.isEmpty else { return nil }
    let froms = Set(record.operations.flatMap { $0.histogram.map(\.from) }).sorted()
    let middle = froms.isEmpty ? "" : bound(froms[froms.count / 2])
    let last = froms.last.map { "≥ \(DurationText.text($0))" } ?? ""
    let table = PageTable(
      label: "Times of the operations",
      head: [
        "operation", axis([froms.first.map(bound) ?? "", middle, last]), "count", "median", "95 %", "longest",
        "total", "at once", "peak",
      ],
      rows: record.operations.map { operation in
        [
          .name(MarkupText.escape(operation.name)), .html(histogram(operation, froms), "plot"),
          .number(NumberText.grouped(operation.count)),
        ]
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
      table.html)
  }

  private func bound(_ seconds: Double) -> String { seconds == 0 ? "0" : DurationText.text(seconds) }

  /// The head of a column of plots: the beginning, the middle and the end of their axis.
  private func axis(_ marks: [String]) -> String {
    "<span class=\"axis\">\(marks.map { "<span>\($0)</span>" }.joined())</span>"
  }

  private func histogram(_ operation: RecordedOperation, _ froms: [Double]) -> String {
    let most = Double(operation.histogram.map(\.count).max() ?? 1)
    let counts = Dictionary(
      operation.histogram.map { ($0.from, $0.count) }, uniquingKeysWith: { first, _ in first })
    var bars = ""
    for (index, from) in froms.enumerated() {
      guard let count = counts[from], count > 0 else { continue }
      // A bar that is there is seen, however small.
      let height = max(1.5, Double(count) / max(1, most) * 23)
      bars += "<rect class=\"fill\" x=\"\(PageFrame.coordinate(Double(index) * 10 + 1))\" "
      bars +=
        "y=\"\(PageFrame.coordinate(24 - height))\" width=\"8\" height=\"\(PageFrame.coordinate(height))\"/>"
    }
    let label =
      "half took at most \(DurationText.text(operation.median)), the longest \(DurationText.text(operation.longest))"
    return """
      <svg viewBox="0 0 \(max(1, froms.count) * 10) 24" preserveAspectRatio="none" role="img" \
      aria-label="\(label)"><rect class="track" y="23.5" width="100%" height="0.5"/>\(bars)</svg>
      """
  }
}
