/// How long to wait before a failed exchange is tried again.
struct RetryPolicy: Sendable {
  var retries: Int
  var firstDelay: Duration
  var maxWait: Duration
  /// From the first try on, after which none is begun.
  var maxTime: Duration

  init(_ configuration: HTTPConfiguration) {
    retries = max(0, configuration.retries)
    firstDelay = configuration.retryDelay
    maxWait = configuration.maxRetryWait
    maxTime = configuration.maxRetryTime
  }

  /// What the server asked for, within the limit; `nil` when it asked for nothing.
  func hold(retryAfter: Int64?) -> Duration? {
    guard let retryAfter, retryAfter > 0 else { return nil }
    return retryAfter < maxWait.components.seconds ? .seconds(retryAfter) : maxWait
  }

  /// - Parameters:
  ///   - attempt: retries already made.
  ///   - elapsed: since the first try began.
  ///   - retryAfter: what the server asked for, in seconds.
  ///   - jitter: 0 to 1, so that shards of one job do not come back in step.
  /// - Returns: `nil` when no retry is left.
  func wait(attempt: Int, elapsed: Duration = .zero, retryAfter: Int64?, jitter: Double) -> Duration? {
    guard attempt < retries else { return nil }
    let doubled = firstDelay * (1 << min(attempt, 16))
    let wait = hold(retryAfter: retryAfter) ?? min(doubled * (0.75 + 0.5 * jitter), maxWait)
    return elapsed + wait <= maxTime ? wait : nil
  }
}
