import Foundation
import Planning
import Text

/// A run in the text form of Prometheus, for the node exporter's textfile collector.
///
/// Everything is a gauge: the file tells of the last run, and there is no process that could count on.
package struct MetricsText: Sendable {
  private let record: RunRecord
  private let finished: Double

  /// - Parameter finished: Seconds since 1970.
  package init(_ record: RunRecord, finished: Double = Date().timeIntervalSince1970) {
    self.record = record
    self.finished = finished
  }

  package var text: String {
    let run = record.summary
    let status: [(String, Int)] = [
      ("made", run.counts.made), ("current", run.counts.current), ("not_stored", run.counts.notStored),
      ("failed", run.counts.failed),
      ("left_undone", run.counts.leftUndone),
    ]
    var text = family(
      "renditions", "Renditions of the last run by how they ended",
      status.map { ("{status=\"\($0)\"}", Double($1)) })
    text += family("failures", "Failed renditions of the last run by step and code", failures)
    text += one(
      "skipped_lines", "Wrong job lines that the last run left out, each a failed rendition",
      Double(run.counts.skippedLines))
    text += one(
      "failures_retryable", "Failed renditions that may pass when tried again", Double(run.counts.retryable))
    text += one(
      "renditions_found_in_part", "Renditions that an app finds only in part and completes itself",
      Double(run.counts.foundInPart))
    text += one(
      "renditions_not_found", "Renditions that did not fail and that an app will not find",
      Double(run.counts.notFound))
    text += one("sources_fetched", "Sources that the last run downloaded", Double(run.counts.sourcesFetched))
    text += one("fetched_bytes", "Bytes of their bodies", Double(run.counts.bytesFetched))
    text += one(
      "sources_validated", "Sources that are unchanged as their servers say",
      Double(run.counts.sourcesValidated))
    text += one(
      "sources_cached", "Sources that came out of the HTTP cache", Double(run.counts.sourcesCached))
    text += one("files_written", "Files that the last run stored", Double(run.counts.filesWritten))
    text += one("written_bytes", "Bytes of those files", Double(run.counts.bytesWritten))
    text += one(
      "findings_warnings", "Warnings about the jobs", Double(record.findings.count { !$0.isError }))
    text += one("run_duration_seconds", "How long the last run took", run.seconds)
    text += one(
      "run_finished_timestamp_seconds", "When the last run ended, in seconds since 1970", finished)
    text += one("run_exit_code", "How the last run ended, as the process's exit code", Double(run.exit))
    text += one("run_success", "1 where the last run ended with exit code 0", run.exit == 0 ? 1 : 0)
    text += family(
      "run_info", "The program of the last run", [("{program=\"\(Self.label(run.program))\"}", 1)])
    text += caches("cache_files", "Files in the cache") { $0.files }
    text += caches("cache_bytes", "Bytes of their content") { $0.bytes }
    text += caches("cache_allocated_bytes", "Bytes that they take on a device, in whole blocks") {
      $0.allocatedBytes
    }
    text += caches("cache_limit_bytes", "What the app lets its cache take; 0 for no limit") { $0.sizeLimit }
    return text
  }

  /// Steps and codes are of closed sets, so that the labels are bounded.
  private var failures: [(String, Double)] {
    var counts: [String: Double] = [:]
    for failure in record.failures.compactMap(\.failure) {
      counts[
        "{step=\"\(Self.label(failure.step.rawValue))\",code=\"\(Self.label(failure.code))\"}", default: 0] +=
        1
    }
    return counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  private func caches(_ name: String, _ help: String, _ value: (CacheSize) -> Int) -> String {
    family(
      name, help, record.caches.map { ("{cache=\"\(Self.label($0.path))\"}", Double(value($0))) })
  }

  private func one(_ name: String, _ help: String, _ value: Double) -> String {
    family(name, help, [("", value)])
  }

  /// A family without samples is left out: a header alone says nothing.
  private func family(_ name: String, _ help: String, _ samples: [(labels: String, value: Double)]) -> String
  {
    guard !samples.isEmpty else { return "" }
    var text = "# HELP preheat_\(name) \(help).\n# TYPE preheat_\(name) gauge\n"
    for sample in samples { text += "preheat_\(name)\(sample.labels) \(NumberText.plain(sample.value))\n" }
    return text
  }

  private static func label(_ text: String) -> String {
    SafeText.escape(text).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
  }
}
