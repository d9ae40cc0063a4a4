import CCurl

/// Dates of HTTP fields (RFC 9110, section 5.6.7).
enum HTTPDate {
  /// Seconds since 1970, or `nil` when the text is no date.
  static func seconds(_ text: String) -> Int64? {
    // libcurl reads "Monday" and bare numbers as dates too; all three forms of the RFC hold a time.
    guard text.contains(":"), !text.utf8.contains(0) else { return nil }
    let seconds = pcurl_date_parse(text)
    return seconds < 0 ? nil : seconds
  }

  /// Seconds since 1970 by this machine's clock.
  static var now: Int64 { pcurl_date_now() }
}
