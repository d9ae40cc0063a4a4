import Foundation
import Planning
import Text

/// A run in the text form of Prometheus, for the node exporter's textfile collector.
///
/// Everything is a gauge: the file tells of the last run, and there is no process that could count on.
extension RunRecord {
  /// - Parameter finished: Seconds since 1970.
  package func metrics(finished: Double = Date().timeIntervalSince1970) -> String {
    let run = summary
    let counts = run.counts
    let states = [
      ("made", counts.made), ("current", counts.current), ("not_stored", counts.notStored),
      ("failed", counts.failed), ("left_undone", counts.leftUndone),
    ]
    let numbers: [(name: String, help: String, value: Int)] = [
      (
        "skipped_lines", "Wrong job lines that the last run left out, each a failed rendition",
        counts.skippedLines
      ),
      ("failures_retryable", "Failed renditions that may pass when tried again", counts.retryable),
      (
        "renditions_found_in_part", "Renditions that an app finds only in part and completes itself",
        counts.foundInPart
      ),
      (
        "renditions_not_found", "Renditions that did not fail and that an app will not find", counts.notFound
      ),
      ("sources_fetched", "Sources that the last run downloaded", counts.sourcesFetched),
      ("fetched_bytes", "Bytes of their bodies", counts.bytesFetched),
      ("sources_validated", "Sources that are unchanged as their servers say", counts.sourcesValidated),
      ("sources_cached", "Sources that came out of the HTTP cache", counts.sourcesCached),
      ("files_written", "Files that the last run stored", counts.filesWritten),
      ("written_bytes", "Bytes of those files", counts.bytesWritten),
      ("findings_warnings", "Warnings about the jobs", findings.count { !$0.isError }),
      ("run_exit_code", "How the last run ended, as the process's exit code", Int(run.exit)),
      ("run_success", "1 where the last run ended with exit code 0", run.exit == 0 ? 1 : 0),
    ]
    return family(
      "renditions", "Renditions of the last run by how they ended",
      states.map { ("{status=\"\($0)\"}", Double($1)) })
      + family("failures", "Failed renditions of the last run by step and code", failureSamples)
      + numbers.map { family($0.name, $0.help, [("", Double($0.value))]) }.joined()
      + family("run_duration_seconds", "How long the last run took", [("", run.seconds)])
      + family(
        "run_finished_timestamp_seconds", "When the last run ended, in seconds since 1970", [("", finished)])
      + family("run_info", "The program of the last run", [("{program=\"\(Self.label(run.program))\"}", 1)])
      + cacheFamily("cache_files", "Files in the cache", \.files)
      + cacheFamily("cache_bytes", "Bytes of their content", \.bytes)
      + cacheFamily(
        "cache_allocated_bytes", "Bytes that they take on a device, in whole blocks", \.allocatedBytes)
      + cacheFamily("cache_limit_bytes", "What the app lets its cache take; 0 for no limit", \.sizeLimit)
  }

  /// Steps and codes are of closed sets, so that the labels are bounded.
  private var failureSamples: [(String, Double)] {
    var counts: [String: Double] = [:]
    for failure in failures.compactMap(\.failure) {
      counts[
        "{step=\"\(Self.label(failure.step.rawValue))\",code=\"\(Self.label(failure.code))\"}", default: 0] +=
        1
    }
    return counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  private func cacheFamily(_ name: String, _ help: String, _ value: (CacheSize) -> Int) -> String {
    family(
      name, help, caches.map { ("{cache=\"\(Self.label($0.path))\"}", Double(value($0))) })
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
