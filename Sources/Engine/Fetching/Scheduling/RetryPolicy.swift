/// How long to wait before a failed exchange is tried again.
struct RetryPolicy: Sendable {
  package var retries: Int
  var firstDelay: Duration
  var maxWait: Duration
  /// Time from the first try, after which no retry begins.
  var maxTime: Duration

  init(_ configuration: HTTPConfiguration) {
    retries = max(0, configuration.retries)
    firstDelay = configuration.retryDelay
    maxWait = configuration.maxRetryWait
    maxTime = configuration.maxRetryTime
  }

  /// The wait that the server asked for, within the limit; `nil` when it asked for none.
  package func hold(retryAfter: Int64?) -> Duration? {
    guard let retryAfter, retryAfter > 0 else { return nil }
    return retryAfter < maxWait.components.seconds ? .seconds(retryAfter) : maxWait
  }

  /// - Parameters:
  ///   - attempt: retries already made.
  ///   - elapsed: since the first try began.
  ///   - retryAfter: what the server asked for, in seconds.
  ///   - jitter: 0 to 1, so that shards of one job do not come back in step.
  /// - Returns: `nil` when no retry is left.
  package func wait(attempt: Int, elapsed: Duration = .zero, retryAfter: Int64?, jitter: Double) -> Duration?
  {
    guard attempt < retries else { return nil }
    let doubled = firstDelay * (1 << min(attempt, 16))
    let wait = hold(retryAfter: retryAfter) ?? min(doubled * (0.75 + 0.5 * jitter), maxWait)
    return elapsed + wait <= maxTime ? wait : nil
  }
}

/// The `Retry-After` field (RFC 9110, section 10.2.3).
enum RetryAfter {
  /// Seconds to wait, never negative; `nil` when the text is neither a number of seconds nor a date.
  ///
  /// - Parameter now: seconds since 1970 by the clock of the server that sent the date.
  package static func seconds(_ text: String, now: Int64) -> Int64? {
    let words = text.split { $0 == " " || $0 == "\t" }
    if words.count == 1, words[0].utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      return Int64(words[0]) ?? .max  // more than fits is still a number of seconds
    }
    return HTTPDate.seconds(text).map { max(0, $0 - now) }
  }
}

/// A small generator of numbers that look random (SplitMix64), so that a test can have the same ones again.
struct Jitter: RandomNumberGenerator, Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// 0 to 1.
  package mutating func fraction() -> Double { Double.random(in: 0...1, using: &self) }
}
