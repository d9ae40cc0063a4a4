/// How far a run has come.
public struct ProgressState: Sendable, Hashable {
  /// Renditions of the plan.
  public var total: Int
  /// Renditions that are over and done with, failed and skipped ones among them.
  public var done = 0
  /// Of `done`: what needed no work, since an earlier run made it or nothing is stored for it.
  public var skipped = 0
  public var failed = 0
  /// Bytes downloaded.
  public var bytes = 0
  /// Time since the start.
  public var elapsed: Duration = .zero
  /// Seconds that one rendition took of late; nil while that is not known.
  public var recentPace: Double?
  /// Seconds since a rendition was done.
  public var idle = 0.0

  public init(total: Int) {
    self.total = total
  }

  var seconds: Double { elapsed / .seconds(1) }

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
