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
  /// Seconds that one rendition took of late; nil while that is not known.
  var recentPace: Double?
  /// Seconds since a rendition was done.
  var idle = 0.0

  var seconds: Double { elapsed / .seconds(1) }

  /// Seconds that the rest will take: if it goes on as it did on the whole, and if it goes on as it did of
  /// late. Work is uneven, so the two differ, and one number would be a guess. Nil while nothing can be
  /// said.
  var secondsLeft: ClosedRange<Double>? {
    guard done > 0, done < total, seconds >= 1 else { return nil }
    let rest = Double(total - done)
    // Skipped renditions took no time, and the rest may not be skipped.
    let worked = done > skipped ? done - skipped : done
    let overall = seconds / Double(worked) * rest
    let recent = recentPace.map { $0 * rest } ?? overall
    return min(overall, recent)...max(overall, recent)
  }
}

/// How fast a run went of late: a few moments and what was done by then.
struct ProgressPace: Sendable {
  /// Looked back so far.
  static let window = 20.0

  private var moments: [(seconds: Double, done: Int)] = []
  private var lastChange = 0.0
  private var lastDone = 0

  /// Notes a moment; seconds since the start.
  mutating func note(done: Int, at seconds: Double) {
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
  func idle(at seconds: Double) -> Double { seconds - lastChange }
}
