import Concurrency
import Text

/// How much is said on standard error.
enum Verbosity: Sendable, Comparable {
  /// Errors only.
  case quiet
  case normal
  case verbose

  /// How much its messages matter, in the numbers of syslog(3).
  var priority: Int {
    switch self {
    case .quiet: 3
    case .normal: 6
    case .verbose: 7
    }
  }
}

/// Messages for people, and the progress line among them, on standard error.
///
/// Messages of one line are made safe here, so that text from strangers may be part of them.
struct Console: Sendable {
  let stream: TextStream
  let terminal: Terminal
  var verbosity = Verbosity.normal
  /// Whether each line begins with its priority.
  var isJournal = false
  var progress = ProgressStyle.auto
  /// Where errors go as objects too; nil where results are for people.
  var objects: TextStream?
  /// The clock, for tests.
  var now: @Sendable () -> ContinuousClock.Instant = { .now }
  let drawing = Locked(Drawing())

  var hasColour: Bool { terminal.hasColour && !isJournal }

  private func paint(_ text: String, _ code: String) -> String {
    hasColour ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
  }

  /// `preheat: error: ...`, at any verbosity.
  func error(_ message: String) { error(ErrorObject(message)) }

  func error(_ error: ErrorObject) {
    print("preheat: \(paint("error:", "1;31")) \(SafeText.escape(error.text))\n", from: .quiet)
    try? objects?.write(error.jsonLine)
  }

  /// `preheat: warning: ...`, unless quiet.
  func warning(_ message: String, from level: Verbosity = .normal) {
    let text = "preheat: \(paint("warning:", "1;33")) \(SafeText.escape(message))\n"
    print(text, from: level, priority: 4)
  }

  /// A line, unless quiet.
  func note(_ message: String) {
    print(SafeText.lineStart(SafeText.escape(message)) + "\n", from: .normal)
  }

  /// A line, if verbose.
  func detail(_ message: String) {
    print(SafeText.lineStart(SafeText.escape(message)) + "\n", from: .verbose)
  }

  /// Writes a text as it is, if the console is at least as talkative as `level`. For texts of several
  /// lines whose foreign parts are safe already.
  ///
  /// - Parameter priority: nil takes the one that goes with the level.
  func print(_ text: String, from level: Verbosity, priority: Int? = nil) {
    guard verbosity >= level else { return }
    drawing.withLock { drawing in
      let cleared = clearing(&drawing)
      if !cleared.isEmpty { try? stream.write(cleared) }
      write(text, priority: priority ?? level.priority)
    }
  }

  /// There is no place to report that standard error itself cannot be written.
  ///
  /// - Parameter priority: in front of each line where the system journal reads them (sd-daemon(3)).
  func write(_ text: String, priority: Int) {
    let lines = isJournal ? text.split(separator: "\n").map { "<\(priority)>\($0)\n" }.joined() : text
    try? stream.write(lines)
  }
}

extension Console {
  /// The state of the line on the screen.
  struct Drawing: Sendable {
    var state: ProgressState?
    var start: ContinuousClock.Instant?
    var lastDrawn: ContinuousClock.Instant?
    /// What was done when it last changed, and when that was.
    var lastChange: (done: Int, at: ContinuousClock.Instant)?
    /// Whether the cursor stands in a progress line.
    var isOnScreen = false
  }

  /// The shortest time between two drawings of a bar, and between two lines.
  static let interval: Duration = .milliseconds(100)
  static let lineInterval: Duration = .seconds(10)

  /// How progress is shown, with `auto` decided: never when quiet.
  var progressStyle: ProgressStyle {
    guard verbosity > .quiet else { return .none }
    return progress == .auto ? (terminal.canRewrite ? .bar : .plain) : progress
  }

  /// Begins to show progress towards a number of renditions.
  func startProgress(total: Int) {
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
  func updateProgress(_ change: (inout ProgressState) -> Void) {
    drawing.withLock {
      guard var state = $0.state else { return }
      change(&state)
      $0.state = state
      draw(&$0)
    }
  }

  /// Takes the line off the screen.
  func finishProgress() {
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
    if state.done != drawing.lastChange?.done ?? 0 { drawing.lastChange = (state.done, instant) }
    let interval = style == .bar ? Self.interval : Self.lineInterval
    if let last = drawing.lastDrawn, instant - last < interval { return }
    drawing.lastDrawn = instant
    state.idle = (instant - (drawing.lastChange?.at ?? start)) / .seconds(1)
    guard style == .bar else {
      return write(
        ProgressLine.draw(state, width: Self.lineWidth) + "\n", priority: Verbosity.normal.priority)
    }
    // The last column stays free: many terminals wrap as soon as it is filled.
    let width = terminal.width(of: stream.descriptor) - 1
    let text = "\r" + ProgressLine.draw(state, width: width) + Self.clearToEnd
    drawing.isOnScreen = true
    try? stream.write(text)
  }

  /// Text that clears the line before a message; the next update draws it again at once.
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
