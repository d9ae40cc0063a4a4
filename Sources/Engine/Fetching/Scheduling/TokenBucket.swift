/// A limit by rate and burst: tokens come back at a steady rate. A plain value: moments come in, as
/// durations since some moment in the past that never go back.
package struct TokenBucket: Sendable, Hashable {
  private let perSecond: Double
  private let capacity: Double
  /// Below zero where tokens were promised.
  private var tokens: Double
  private var filledAt: Duration = .zero

  package init(perSecond: Double, burst: Int) {
    // Less than once in a day is never, and would only overflow.
    self.perSecond = max(perSecond, 1.0 / 86_400)
    capacity = Double(max(1, burst))
    tokens = capacity
  }

  /// When a token will be there: `now`, or later.
  package func ready(at now: Duration) -> Duration {
    let missing = 1 - level(at: now)
    return missing <= 0 ? now : now + .seconds(missing / perSecond)
  }

  /// Takes a token, or promises the next one.
  package mutating func take(at now: Duration) { (tokens, filledAt) = (level(at: now) - 1, now) }

  private func level(at now: Duration) -> Double {
    // A rounding error alone would give a moment that is slightly too early.
    let level = min(capacity, tokens + (now - filledAt) / .seconds(1) * perSecond)
    return abs(level - level.rounded()) < 1e-6 ? level.rounded() : level
  }
}
