import Foundation
import Planning
import Text

/// How the parts of a run read in reports.
enum ReportText {
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
    let path = Array(url.utf8).prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    let last =
      path.split(separator: UInt8(ascii: "/")).last.map { String(decoding: $0, as: UTF8.self) } ?? url
    return last.utf8.contains(UInt8(ascii: "%")) ? last.removingPercentEncoding ?? last : last
  }

  /// Whether a browser may be sent to a source: on the web, whole, without masked parts and with nothing that reads
  /// otherwise than it is.
  package static func isAddress(_ source: String) -> Bool {
    let head = source.prefix(8).lowercased()
    guard head.hasPrefix("http://") || head.hasPrefix("https://"), source.utf8.count <= 400 else {
      return false
    }
    return !source.utf8.contains(UInt8(ascii: "*")) && !source.hasSuffix("...")
      && SafeText.escape(source) == source
  }

  /// A `data:` URL may be megabytes long.
  package static func shortened(_ url: String, to limit: Int = 400) -> String {
    url.utf8.count <= limit || url.unicodeScalars.count <= limit ? url : String(url.prefix(limit - 100)) + "…"
  }

  /// `57 of 60 renditions are in the cache; 3 failed.`
  package static func verdict(_ summary: RunSummary) -> String {
    let counts = summary.counts
    if counts.planned == 0 {
      return summary.exit == 0
        ? "The job names no rendition." : "Nothing was done: \(summary.stopped ?? summary.meaning)."
    }
    let there = counts.made + counts.current
    var text =
      there == counts.planned
      ? (there == 1
        ? "The rendition is in the cache" : "All \(NumberText.count(there, "rendition")) are in the cache")
      : "\(NumberText.grouped(there)) of \(NumberText.count(counts.planned, "rendition")) are in the cache"
    if counts.failed > 0 { text += "; \(NumberText.grouped(counts.failed)) failed" }
    if counts.skippedLines > 0 { text += ", of these \(NumberText.count(counts.skippedLines, "wrong line"))" }
    let others = [
      (counts.notStored, "the client does not store"), (counts.notFound, "the app will not find"),
      (counts.leftUndone, "left undone"),
    ]
    for (count, words) in others where count > 0 { text += "; \(NumberText.grouped(count)) \(words)" }
    return text + "."
  }
}
