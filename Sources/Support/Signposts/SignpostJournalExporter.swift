import Foundation
import Text

/// Writes finished intervals and events as lines for the system journal: `<7>` for "debug" in front
/// (sd-daemon(3)), then name, time and arguments as `key=value`.
package struct SignpostJournalExporter: SignpostExporter {
  private let file: SignpostFile
  private let showsPrivate: Bool

  package init(file: SignpostFile, showsPrivate: Bool = false) {
    self.file = file
    self.showsPrivate = showsPrivate
  }

  package var failure: String? { file.failure }

  package func write(_ records: [SignpostRecord]) {
    var text = JSONBytes()
    for record in records {
      switch record {
      case .interval(let span, _):
        text.raw("<7>")
        text.plain(span.name.rawValue)
        text.raw(" ms=")
        text.microseconds(span.duration / 1000)
        arguments(span, &text)
      case .event(let span):
        text.raw("<7>")
        text.plain(span.name.rawValue)
        arguments(span, &text)
      case .begun, .counter: break
      }
    }
    if !text.bytes.isEmpty { file.write(text.bytes) }
  }

  package func finish(open: [SignpostSpan], at time: Int64) {}

  private func arguments(_ span: SignpostSpan, _ text: inout JSONBytes) {
    for argument in span.metadata.arguments {
      text.plain(" \(argument.key.rawValue)=")
      text.value(argument.value, showsPrivate: showsPrivate)
    }
    text.raw("\n")
  }
}

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
