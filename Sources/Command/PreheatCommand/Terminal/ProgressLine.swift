/// The line that shows a run's progress.
package enum ProgressLine {
  /// Draws a state as text of at most `width` columns; what matters least is left out first.
  ///
  ///     [=====>              ]  1,250/5,000  2 failed  45.2 MB  3.1 MB/s  0:42 left
  package static func draw(_ state: ProgressState, width: Int) -> String {
    let count = "\(grouped(min(state.done, state.total)))/\(grouped(state.total))"
    let failed = state.failed > 0 ? "\(grouped(state.failed)) failed" : nil
    let bytes = state.bytes > 0 ? size(state.bytes) : nil
    let rate =
      state.bytes > 0 && state.seconds >= 1
      ? size(Int(min(Double(state.bytes) / state.seconds, 1e18))) + "/s" : nil
    let left = state.idle >= 10 ? "nothing for \(clock(state.idle))" : state.secondsLeft.map(left)

    let choices = [
      [count, failed, bytes, rate, left], [count, failed, bytes, left], [count, failed, left],
      [count, failed], [count],
    ]
    let texts = choices.map { $0.compactMap { $0 }.joined(separator: "  ") }
    guard let text = texts.first(where: { $0.count <= width }) else {
      return String(count.prefix(max(0, width)))
    }
    let room = min(40, width - text.count - 4)
    guard room >= 10, state.total > 0 else { return text }
    return "[\(bar(state, width: room))]  \(text)"
  }

  /// `0:42 left`; `0:40-2:10 left` where it depends on how it goes on.
  private static func left(_ range: ClosedRange<Double>) -> String {
    let (low, high) = (clock(range.lowerBound), clock(range.upperBound))
    return range.upperBound < range.lowerBound * 1.25 || low == high ? "\(high) left" : "\(low)-\(high) left"
  }

  private static func bar(_ state: ProgressState, width: Int) -> String {
    let done = min(max(state.done, 0), state.total)
    // In floating point, so that no product can overflow.
    let filled = Int(Double(done) / Double(state.total) * Double(width))
    let head = filled < width ? ">" : ""
    return String(repeating: "=", count: filled) + head
      + String(repeating: " ", count: width - filled - head.count)
  }

  /// `1,250`
  package static func grouped(_ number: Int) -> String {
    let digits = String(number.magnitude)
    var text = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
      text.append(digit)
    }
    return text
  }

  /// `999 B`, `45.2 MB`: powers of 1000, as transfers are counted.
  package static func size(_ bytes: Int) -> String {
    guard bytes >= 1000 else { return "\(bytes) B" }
    var tenths = bytes / 100
    for unit in ["kB", "MB", "GB", "TB"] {
      if tenths < 10_000 || unit == "TB" { return "\(grouped(tenths / 10)).\(tenths % 10) \(unit)" }
      tenths /= 1000
    }
    return ""
  }

  /// `0:42`, `12:05`, `1:02:03`
  package static func clock(_ seconds: Double) -> String {
    let whole = Int(min(max(seconds, 0), 359_999).rounded(.up))
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let minutes = whole / 60 % 60
    return whole < 3600
      ? "\(minutes):\(two(whole % 60))" : "\(whole / 3600):\(two(minutes)):\(two(whole % 60))"
  }
}
