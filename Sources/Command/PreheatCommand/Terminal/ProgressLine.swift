import Text

/// The line that shows a run's progress.
enum ProgressLine {
  /// Draws a state as text of at most `width` columns; what matters least is left out first.
  ///
  ///     [=====>              ]  1,250/5,000  2 failed  45.2 MiB  3.1 MiB/s  0:42 left
  static func draw(_ state: ProgressState, width: Int) -> String {
    let count = "\(NumberText.grouped(min(state.done, state.total)))/\(NumberText.grouped(state.total))"
    let failed = state.failed > 0 ? "\(NumberText.grouped(state.failed)) failed" : nil
    let bytes = state.bytes > 0 ? ByteCountText.text(state.bytes, keepsTenths: true) : nil
    let rate =
      state.bytes > 0 && state.seconds >= 1
      ? ByteCountText.text(Int(min(Double(state.bytes) / state.seconds, 1e18)), keepsTenths: true) + "/s"
      : nil
    let left =
      state.idle >= 10
      ? "nothing for \(DurationText.clock(state.idle))"
      : state.secondsLeft.map { "\(DurationText.clock($0)) left" }

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

  private static func bar(_ state: ProgressState, width: Int) -> String {
    let done = min(max(state.done, 0), state.total)
    // In floating point, so that no product can overflow.
    let filled = Int(Double(done) / Double(state.total) * Double(width))
    let head = filled < width ? ">" : ""
    return String(repeating: "=", count: filled) + head
      + String(repeating: " ", count: width - filled - head.count)
  }
}
