/// Tokens that come back at a steady rate, up to a number that may be spent at once.
struct TokenBucket: Sendable, Hashable {
  private let perSecond: Double
  private let capacity: Double
  private var tokens: Double
  private var filledAt: Duration = .zero

  /// Full to begin with.
  init(_ limit: HTTPRateLimit) {
    // Less than once in a day is never, and would only overflow.
    perSecond = max(limit.requestsPerSecond, 1.0 / 86_400)
    capacity = Double(max(1, limit.burst))
    tokens = capacity
  }

  /// When a token will be there: `now`, or later.
  func ready(at now: Duration) -> Duration {
    let missing = 1 - level(at: now)
    return missing <= 0 ? now : now + .seconds(missing / perSecond)
  }

  mutating func take(at now: Duration) {
    tokens = level(at: now) - 1
    filledAt = now
  }

  private func level(at now: Duration) -> Double {
    // What is missing by rounding alone would make a moment come that is still too early.
    let level = min(capacity, tokens + (now - filledAt) / .seconds(1) * perSecond)
    return abs(level - level.rounded()) < 1e-6 ? level.rounded() : level
  }
}
