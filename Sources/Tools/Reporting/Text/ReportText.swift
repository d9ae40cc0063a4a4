import Foundation
import Planning

/// How counts, sizes and times read in reports.
enum ReportText {
  /// `3`, `2.5`.
  package static func number(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
  }

  /// `1 source`, `12 sources`.
  package static func count(_ count: Int, _ noun: String) -> String {
    "\(grouped(count)) \(noun)\(count == 1 ? "" : "s")"
  }

  /// `12,345`.
  package static func grouped(_ count: Int) -> String {
    let digits = String(count.magnitude)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text += "," }
      text.append(digit)
    }
    return count < 0 ? "-" + text : text
  }

  /// `512 B`, `14.2 MB`: decimal units, one digit.
  package static func bytes(_ count: Int) -> String {
    guard count.magnitude >= 1000 else { return "\(count) B" }
    var value = Double(count)
    for unit in ["kB", "MB", "GB"] {
      value /= 1000
      if abs(value) < 999.95 || unit == "GB" { return "\(number((value * 10).rounded() / 10)) \(unit)" }
    }
    return "\(count) B"
  }

  /// `250 µs`, `1.3 ms`, `4.2 s`, `2 min 5 s`.
  package static func seconds(_ seconds: Double) -> String {
    let tenths = { (value: Double) in number((value * 10).rounded() / 10) }
    if seconds < 0.000_999_95 { return "\(Int((seconds * 1e6).rounded())) µs" }
    if seconds < 0.999_95 { return "\(tenths(seconds * 1e3)) ms" }
    if seconds < 60 { return "\(tenths(seconds)) s" }
    let whole = Int(seconds.rounded())
    return "\(whole / 60) min \(whole % 60) s"
  }

  /// `2026-11-21 04:14:07 UTC`, of seconds since 1970.
  package static func time(_ seconds: Double) -> String {
    timestamp(seconds).replacing("T", with: " ").replacing("Z", with: " UTC")
  }

  /// `2026-11-21T04:14:07Z`.
  static func timestamp(_ seconds: Double) -> String {
    Date(timeIntervalSince1970: seconds).formatted(.iso8601)
  }

  /// What people call a source: the last part of its path.
  package static func name(ofSource url: String) -> String {
    if url.prefix(5).lowercased() == "data:" { return "data: URL" }
    let path = url.prefix { $0 != "?" && $0 != "#" }
    let last = path.split(separator: "/").last.map(String.init) ?? url
    return last.removingPercentEncoding ?? last
  }

  /// A `data:` URL may be megabytes long.
  package static func shortened(_ url: String, to limit: Int = 400) -> String {
    url.unicodeScalars.count <= limit ? url : String(url.prefix(limit - 100)) + "…"
  }

  /// `57 of 60 renditions are in the cache; 3 failed.`
  package static func verdict(_ summary: RunSummary) -> String {
    if let stopped = summary.stopped, summary.counts.planned == 0 { return "Nothing was done: \(stopped)." }
    let there = summary.counts.made + summary.counts.current
    var text =
      there == summary.counts.planned
      ? (there == 1 ? "The rendition is in the cache" : "All \(count(there, "rendition")) are in the cache")
      : "\(grouped(there)) of \(count(summary.counts.planned, "rendition")) are in the cache"
    if summary.counts.failed > 0 { text += "; \(grouped(summary.counts.failed)) failed" }
    if summary.counts.notStored > 0 {
      text += "; \(grouped(summary.counts.notStored)) the client does not store"
    }
    if summary.counts.leftUndone > 0 { text += "; \(grouped(summary.counts.leftUndone)) left undone" }
    return text + "."
  }
}
