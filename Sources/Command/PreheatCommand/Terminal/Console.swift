import Concurrency
import Text

/// Messages for people, and the progress line among them, on standard error.
///
/// Messages of one line are made safe here, so that text from strangers may be part of them.
package final class Console: Sendable {
  package let terminal: Terminal
  package let verbosity: Verbosity
  package let style: Style
  package let format: LogFormat
  package let progress: ProgressStyle
  package let stream: TextStream
  package let now: @Sendable () -> ContinuousClock.Instant
  package let drawing = Locked(Drawing())

  /// - Parameters:
  ///   - format: `auto` is taken for `plain`.
  ///   - now: The clock, for tests.
  package init(
    stream: TextStream, terminal: Terminal, verbosity: Verbosity = .normal, format: LogFormat = .plain,
    progress: ProgressStyle = .auto,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    self.stream = stream
    self.terminal = terminal
    self.verbosity = verbosity
    self.style = Style(hasColour: terminal.hasColour && format != .journald)
    self.format = format
    self.progress = progress
    self.now = now
  }

  /// `preheat: error: ...`, at any verbosity.
  package func error(_ message: String) {
    print("preheat: \(style.error("error:")) \(SafeText.escape(message))\n", from: .quiet)
  }

  /// `preheat: warning: ...`, unless quiet.
  package func warning(_ message: String) {
    print(
      "preheat: \(style.warning("warning:")) \(SafeText.escape(message))\n", from: .normal, as: .warning)
  }

  /// A line, unless quiet.
  package func note(_ message: String) {
    print(SafeText.lineStart(SafeText.escape(message)) + "\n", from: .normal)
  }

  /// A line, if verbose.
  package func detail(_ message: String) {
    print(SafeText.lineStart(SafeText.escape(message)) + "\n", from: .verbose)
  }

  /// Writes a text as it is, if the console is at least as talkative as `level`. For texts of several
  /// lines whose foreign parts are safe already.
  ///
  /// - Parameter priority: nil takes the one that goes with the level.
  package func print(_ text: String, from level: Verbosity, as priority: LogPriority? = nil) {
    guard verbosity >= level else { return }
    drawing.withLock { drawing in
      let cleared = clearing(&drawing)
      if !cleared.isEmpty { try? stream.write(cleared) }
      write(text, as: priority ?? LogPriority(level))
    }
  }

  /// There is nobody to tell when standard error itself cannot be written.
  package func write(_ text: String, as priority: LogPriority) {
    try? stream.write(format == .journald ? priority.mark(text) : text)
  }
}
