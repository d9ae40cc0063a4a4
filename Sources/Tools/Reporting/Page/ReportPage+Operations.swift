import Text

extension ReportPage {
  /// How long each operation took, with a plot of how the times are spread, all on one axis.
  var operations: PageSection? {
    guard !record.operations.isEmpty else { return nil }
    let froms = Set(record.operations.flatMap { $0.histogram.map(\.from) }).sorted()
    let rows = record.operations.map { operation in
      """
      <tr><th scope="row">\(MarkupText.escape(operation.name))</th>\
      <td class="plot">\(histogram(operation, froms))</td>\
      <td class="number">\(NumberText.grouped(operation.count))</td>\
      <td class="number">\(DurationText.text(operation.median))</td>\
      <td class="number">\(DurationText.text(operation.p95))</td>\
      <td class="number">\(DurationText.text(operation.longest))</td>\
      <td class="number">\(DurationText.text(operation.total))</td>\
      <td class="number">\(NumberText.plain((operation.parallel * 10).rounded() / 10))</td>\
      <td class="number">\(operation.peak)</td></tr>
      """
    }
    let first = froms.first.map(axis) ?? ""
    let middle = froms.isEmpty ? "" : axis(froms[froms.count / 2])
    let last = froms.last.map { "≥ \(DurationText.text($0))" } ?? ""
    return PageSection(
      "operations", "How long each operation took",
      introduction:
        "Waiting included where the name says so. <em>At once</em>: how many ran at the same time, on "
        + "average and at most.",
      """
      <div class="scroll" tabindex="0" role="region" aria-label="Times of the operations"><table>
      <thead><tr><th scope="col">operation</th><th scope="col"><span class="axis"><span>\(first)</span>\
      <span>\(middle)</span><span>\(last)</span></span></th><th scope="col">count</th>\
      <th scope="col">median</th><th scope="col">95 %</th><th scope="col">longest</th><th scope="col">total</th>\
      <th scope="col">at once</th><th scope="col">peak</th></tr></thead>
      <tbody>\(rows.joined(separator: "\n"))</tbody></table></div>
      """)
  }

  private func axis(_ seconds: Double) -> String { seconds == 0 ? "0" : DurationText.text(seconds) }

  private func histogram(_ operation: RecordedOperation, _ froms: [Double]) -> String {
    let most = Double(operation.histogram.map(\.count).max() ?? 1)
    let counts = Dictionary(
      operation.histogram.map { ($0.from, $0.count) }, uniquingKeysWith: { first, _ in first })
    var bars = ""
    for (index, from) in froms.enumerated() {
      guard let count = counts[from], count > 0 else { continue }
      // A bar that is there is seen, however small.
      let height = max(1.5, Double(count) / max(1, most) * 23)
      bars += "<rect class=\"fill\" x=\"\(Self.coordinate(Double(index) * 10 + 1))\" "
      bars += "y=\"\(Self.coordinate(24 - height))\" width=\"8\" height=\"\(Self.coordinate(height))\"/>"
    }
    let label =
      "half took at most \(DurationText.text(operation.median)), the longest \(DurationText.text(operation.longest))"
    return """
      <svg viewBox="0 0 \(max(1, froms.count) * 10) 24" preserveAspectRatio="none" role="img" \
      aria-label="\(label)"><rect class="track" y="23.5" width="100%" height="0.5"/>\(bars)</svg>
      """
  }
}
