extension Console {
  /// What is known about the line on the screen.
  package struct Drawing: Sendable {
    package var state: ProgressState?
    package var start: ContinuousClock.Instant?
    var lastDrawn: ContinuousClock.Instant?
    var pace = ProgressPace()
    /// Whether the cursor stands in a progress line.
    var isOnScreen = false
  }

  /// The shortest time between two drawings of a bar, and between two lines.
  package static let interval: Duration = .milliseconds(100)
  static let lineInterval: Duration = .seconds(10)

  /// How progress is shown, with `auto` decided: never when quiet.
  package var progressStyle: ProgressStyle {
    guard verbosity > .quiet else { return .none }
    return progress == .auto ? (terminal.canRewrite ? .bar : .plain) : progress
  }

  /// Begins to show progress towards a number of renditions.
  package func startProgress(total: Int) {
    drawing.withLock {
      $0.state = ProgressState(total: total)
      $0.start = now()
      // The first line comes when there is something to say.
      if progressStyle == .plain { $0.lastDrawn = $0.start }
      draw(&$0)
    }
  }

  /// Changes the state, and draws it if the last drawing is old enough. Cheap enough to call for each
  /// rendition, from any thread.
  package func updateProgress(_ change: (inout ProgressState) -> Void) {
    drawing.withLock {
      guard var state = $0.state else { return }
      change(&state)
      $0.state = state
      draw(&$0)
    }
  }

  /// Takes the line off the screen.
  package func finishProgress() {
    drawing.withLock {
      try? stream.write(clearing(&$0))
      $0 = Drawing()
    }
  }

  private func draw(_ drawing: inout Drawing) {
    let style = progressStyle
    guard style != .none, var state = drawing.state, let start = drawing.start else { return }
    let instant = now()
    state.elapsed = instant - start
    drawing.pace.note(done: state.done, at: state.seconds)
    let interval = style == .bar ? Self.interval : Self.lineInterval
    if let last = drawing.lastDrawn, instant - last < interval { return }
    drawing.lastDrawn = instant
    state.recentPace = drawing.pace.secondsPerRendition(at: state.seconds)
    state.idle = drawing.pace.idle(at: state.seconds)
    guard style == .bar else {
      return write(ProgressLine.draw(state, width: Self.lineWidth) + "\n", as: .note)
    }
    // The last column stays free: many terminals wrap as soon as it is filled.
    let width = terminal.width(of: stream.descriptor) - 1
    let text = "\r" + ProgressLine.draw(state, width: width) + Self.clearToEnd
    drawing.isOnScreen = true
    try? stream.write(text)
  }

  /// What has to be written before anything else; the next update draws the line again at once.
  func clearing(_ drawing: inout Drawing) -> String {
    guard drawing.isOnScreen else { return "" }
    drawing.isOnScreen = false
    drawing.lastDrawn = nil
    return "\r" + Self.clearToEnd
  }

  /// No bar fits into it, and whatever else is to be said does.
  private static let lineWidth = 78

  /// ECMA-48 "erase in line", from the cursor to the end.
  private static let clearToEnd = "\u{1b}[K"
}
