/// How fast a run went of late: a few moments and what was done by then.
struct ProgressPace: Sendable {
  /// Looked back so far.
  package static let window = 20.0

  private var moments: [(seconds: Double, done: Int)] = []
  private var lastChange = 0.0
  private var lastDone = 0

  /// Notes a moment; seconds since the start.
  package mutating func note(done: Int, at seconds: Double) {
    if done != lastDone {
      lastDone = done
      lastChange = seconds
    }
    if let last = moments.last, seconds - last.seconds < 1 { return }
    moments.append((seconds, done))
    // One that is older than the window stays, so that the window is whole.
    while moments.count > 1, seconds - moments[1].seconds >= Self.window { moments.removeFirst() }
  }

  /// Seconds that one rendition took within the window; nil before the window is full, and where nothing
  /// was done in it.
  func secondsPerRendition(at seconds: Double) -> Double? {
    guard let first = moments.first, seconds - first.seconds >= Self.window, lastDone > first.done else {
      return nil
    }
    return (seconds - first.seconds) / Double(lastDone - first.done)
  }

  /// Seconds since anything was done.
  package func idle(at seconds: Double) -> Double { seconds - lastChange }
}
