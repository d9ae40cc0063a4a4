/// How far a run has come.
public struct ProgressState: Sendable, Hashable {
  /// Renditions of the plan.
  public var total: Int
  /// Renditions that are over and done with, failed ones among them.
  public var done = 0
  public var failed = 0
  /// Bytes downloaded.
  public var bytes = 0
  /// Time since the start.
  public var elapsed: Duration = .zero

  public init(total: Int) {
    self.total = total
  }

  var seconds: Double { elapsed / .seconds(1) }

  /// Seconds that the rest will take if it goes on like this; nil while nothing can be said.
  var secondsLeft: Double? {
    guard done > 0, done < total, seconds >= 1 else { return nil }
    return seconds / Double(done) * Double(total - done)
  }
}
