/// How far a run has come.
package struct ProgressState: Sendable, Hashable {
  /// Renditions of the plan.
  package var total: Int
  /// Renditions that are over and done with, failed and skipped ones among them.
  package var done = 0
  /// Of `done`: what needed no work, since an earlier run made it or nothing is stored for it.
  package var skipped = 0
  package var failed = 0
  /// Bytes downloaded.
  package var bytes = 0
  /// Time since the start.
  package var elapsed: Duration = .zero
  /// Seconds that one rendition took of late; nil while that is not known.
  package var recentPace: Double?
  /// Seconds since a rendition was done.
  package var idle = 0.0

  package var seconds: Double { elapsed / .seconds(1) }

  /// Seconds that the rest will take: if it goes on as it did on the whole, and if it goes on as it did of
  /// late. Work is uneven, so the two differ, and one number would be a guess. Nil while nothing can be
  /// said.
  var secondsLeft: ClosedRange<Double>? {
    guard done > 0, done < total, seconds >= 1 else { return nil }
    let rest = Double(total - done)
    // What was skipped took no time, and the rest may not be skipped.
    let worked = done > skipped ? done - skipped : done
    let overall = seconds / Double(worked) * rest
    let recent = recentPace.map { $0 * rest } ?? overall
    return min(overall, recent)...max(overall, recent)
  }
}
