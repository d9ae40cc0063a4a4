#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Moments as people read them.
enum WallTime {
  /// `2026-11-21T03:50:00.123456789Z`: RFC 3339, UTC.
  static func text(_ nanosecondsSince1970: Int64) -> String {
    let (seconds, rest) = nanosecondsSince1970.quotientAndRemainder(dividingBy: 1_000_000_000)
    var time = time_t(seconds)
    var parts = tm()
    gmtime_r(&time, &parts)
    func padded(_ number: some BinaryInteger, _ width: Int) -> String {
      let digits = "\(number)"
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    let day = "\(parts.tm_year + 1900)-\(padded(parts.tm_mon + 1, 2))-\(padded(parts.tm_mday, 2))"
    let clock = "\(padded(parts.tm_hour, 2)):\(padded(parts.tm_min, 2)):\(padded(parts.tm_sec, 2))"
    return "\(day)T\(clock).\(padded(rest, 9))Z"
  }
}
