/// So many a second on average, so many at once (a classic token bucket). A plain value: moments come in.
package struct TokenBucket: Sendable {
  /// Tokens that come back in a second.
  package let rate: Double
  /// Tokens that a full bucket has.
  package let burst: Double
  private var tokens: Double
  private var last: Duration = .zero

  package init(rate: Double, burst: Int) {
    self.rate = max(rate, 0.001)
    self.burst = Double(max(1, burst))
    tokens = self.burst
  }

  /// Takes one token, or promises the next one.
  ///
  /// - Parameter now: time since some moment in the past; never less than before.
  /// - Returns: how long to wait for it.
  package mutating func take(at now: Duration) -> Duration {
    tokens = min(burst, tokens + (now - last) / .seconds(1) * rate)
    last = now
    tokens -= 1
    return tokens >= 0 ? .zero : .seconds(-tokens / rate)
  }

  /// Gives a token back that was not used.
  package mutating func giveBack() {
    tokens = min(burst, tokens + 1)
  }
}
