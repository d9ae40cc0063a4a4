extension HTTPConfiguration {
  /// The wait that the server asked for, within the limit; `nil` when it asked for none.
  func hold(retryAfter: Int64?) -> Duration? {
    guard let retryAfter, retryAfter > 0 else { return nil }
    return retryAfter < maxRetryWait.components.seconds ? .seconds(retryAfter) : maxRetryWait
  }

  /// How long to wait before a failed exchange is tried again.
  ///
  /// - Parameters:
  ///   - attempt: retries already made.
  ///   - elapsed: since the first try began.
  ///   - retryAfter: what the server asked for, in seconds.
  /// - Returns: `nil` when no retry is left.
  func wait(attempt: Int, elapsed: Duration = .zero, retryAfter: Int64?) -> Duration? {
    guard attempt < retries else { return nil }
    let doubled = retryDelay * (1 << min(attempt, 16))
    let wait = hold(retryAfter: retryAfter) ?? min(doubled * (0.75 + 0.5 * jitter()), maxRetryWait)
    return elapsed + wait <= maxRetryTime ? wait : nil
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
