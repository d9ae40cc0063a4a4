/// How long to wait before a failed exchange is tried again.
struct RetryPolicy: Sendable {
  var retries: Int
  var firstDelay: Duration
  var maxWait: Duration

  init(_ configuration: HTTPConfiguration) {
    retries = max(0, configuration.retries)
    firstDelay = configuration.retryDelay
    maxWait = configuration.maxRetryWait
  }

  /// - Parameters:
  ///   - attempt: retries already made.
  ///   - retryAfter: what the server asked for, in seconds.
  ///   - jitter: 0 to 1, so that shards of one job do not come back in step.
  /// - Returns: `nil` when no retry is left.
  func wait(attempt: Int, retryAfter: Int64?, jitter: Double) -> Duration? {
    guard attempt < retries else { return nil }
    if let retryAfter, retryAfter > 0 {
      return retryAfter < maxWait.components.seconds ? .seconds(retryAfter) : maxWait
    }
    let doubled = firstDelay * (1 << min(attempt, 16))
    return min(doubled * (0.75 + 0.5 * jitter), maxWait)
  }
}
