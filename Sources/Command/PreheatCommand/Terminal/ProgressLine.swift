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

/// How far a run has come.
struct ProgressState: Sendable, Hashable {
  /// Renditions of the plan.
  var total: Int
  /// Renditions that are over and done with, failed and skipped ones among them.
  var done = 0
  /// Of `done`: what needed no work, since an earlier run made it or nothing is stored for it.
  var skipped = 0
  var failed = 0
  /// Bytes downloaded.
  var bytes = 0
  /// Time since the start.
  var elapsed: Duration = .zero
  /// Seconds since a rendition was done.
  var idle = 0.0

  var seconds: Double { elapsed / .seconds(1) }

  /// Seconds that the rest will take if it goes on as before; nil while nothing can be said.
  var secondsLeft: Double? {
    guard done > 0, done < total, seconds >= 1 else { return nil }
    // Skipped renditions took no time, and the rest may not be skipped.
    return seconds / Double(done > skipped ? done - skipped : done) * Double(total - done)
  }
}
