/// The `Retry-After` field (RFC 9110, section 10.2.3).
enum RetryAfter {
  /// Seconds to wait, never negative; `nil` when the text is neither a number of seconds nor a date.
  ///
  /// - Parameter now: seconds since 1970 by the clock of the server that sent the date.
  static func seconds(_ text: String, now: Int64) -> Int64? {
    let words = text.split { $0 == " " || $0 == "\t" }
    if words.count == 1, words[0].utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      return Int64(words[0]) ?? .max  // more than fits is still a number of seconds
    }
    return HTTPDate.seconds(text).map { max(0, $0 - now) }
  }
}
