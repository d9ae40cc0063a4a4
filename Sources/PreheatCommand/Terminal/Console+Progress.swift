extension Console {
  /// What is known about the line on the screen.
  struct Drawing: Sendable {
    var state: ProgressState?
    var start: ContinuousClock.Instant?
    var lastDrawn: ContinuousClock.Instant?
    /// Whether the cursor stands in a progress line.
    var isOnScreen = false
  }

  /// The shortest time between two drawings.
  static let interval: Duration = .milliseconds(100)

  /// Whether progress is shown at all: on a terminal, outside CI, and not when quiet.
  public var showsProgress: Bool { terminal.canRewrite && verbosity > .quiet }

  /// Begins to show progress towards a number of renditions.
  public func startProgress(total: Int) {
    drawing.withLock {
      $0.state = ProgressState(total: total)
      $0.start = now()
      draw(&$0)
    }
  }

  /// Changes the state, and draws it if the last drawing is old enough. Cheap enough to call for each
  /// rendition, from any thread.
  public func updateProgress(_ change: (inout ProgressState) -> Void) {
    drawing.withLock {
      guard var state = $0.state else { return }
      change(&state)
      $0.state = state
      draw(&$0)
    }
  }

  /// Takes the line off the screen.
  public func finishProgress() {
    drawing.withLock {
      try? stream.write(clearing(&$0))
      $0 = Drawing()
    }
  }

  private func draw(_ drawing: inout Drawing) {
    guard showsProgress, var state = drawing.state, let start = drawing.start else { return }
    let instant = now()
    if let last = drawing.lastDrawn, instant - last < Self.interval { return }
    state.elapsed = instant - start
    drawing.lastDrawn = instant
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

  /// ECMA-48 "erase in line", from the cursor to the end.
  private static let clearToEnd = "\u{1b}[K"
}
