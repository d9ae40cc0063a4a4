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
