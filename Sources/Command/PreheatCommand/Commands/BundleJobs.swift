import Bundles
import CacheStore
import Foundation
import JobFile
import Planning
import Reporting
import Text

/// The jobs of a cache that becomes a bundle, and its last runs.
struct BundleJobs: Sendable {
  let plans: [Plan]
  let cache: String
  let failOn: FailOn
  let console: Console

  /// The jobs that made a cache: which of its sources matter most, only they tell.
  static func named(byLedgerOf cache: String) throws(ToolError) -> [String] {
    let folder = PathText.real(cache)
    let rows = try ToolError.of(isReading: true, ToolError.Code.bundle) {
      try LedgerReader(path: StateFolder(cache: folder).ledger).rows()
    }
    let jobs = Set((rows ?? LedgerRows()).entries.lazy.map { ByteText($0.origin.job) }).sorted().map(\.text)
    let paths = jobs.map { $0 == "-" ? $0 : PathText.absolute($0, in: folder) }
    let lost = paths.first { $0 == "-" || !FileManager.default.isReadableFile(atPath: $0) }
    guard lost == nil, !paths.isEmpty else {
      let reason =
        lost.map { $0 == "-" ? "a job from standard input" : "the job \($0), which cannot be read" }
        .map { "\(cache) was made by \($0)" } ?? "no ledger says which job made \(cache)"
      throw ToolError(
        .bundle(.input), "--drop needs a job, which says what is least urgent, and \(reason)",
        advice: "name it with --job")
    }
    return paths
  }

  /// Adds what the jobs say to what was given.
  func complete(_ options: inout BundleOptions) {
    let files = plans.map(\.plannedFiles)
    options.entries = files.dropFirst().reduce(into: files.first) { all, more in
      all?.merge(more) { $0.place <= $1.place ? $0 : $1 }
    }
    guard !options.takesAll, let settings = plans.first?.settings else { return }
    options.client = options.client ?? settings.client
    options.maxSize = options.maxSize ?? settings.values[JobKey.maxSize]
  }

  /// - Parameter absent: files that the job may have and the cache has not.
  /// - Returns: How many renditions the last run failed at.
  func accept(_ absent: Set<ByteText>) throws(ToolError) -> Int {
    guard let plan = plans.first else { return 0 }
    let absent = AbsentRenditions(absent, of: plan, KeptRecords(cache: cache).outcomes)
    let job = plan.settings.path
    if let first = absent.unmade.first {
      let count = NumberText.count(absent.unmade.count, "rendition")
      throw ToolError(
        .bundle(.input),
        "\(cache) lacks \(count) of \(job) that the last run did not fail at, such as \(first.file):\(first.line)  "
          + RenditionText.title(first),
        advice: "preheat run \(job) makes \(absent.unmade.count == 1 ? "it" : "them")")
    }
    let failed = absent.failed.count
    guard failed > 0 else { return 0 }
    let retryable = absent.failed.count { $0.failure?.isRetryable ?? false }
    let code = failOn.exitCode(total: plan.renditionCount, failed: failed, retryable: retryable)
    var record = RunRecord(summary: RunSummary(program: "", jobs: [], started: 0, exit: 0, meaning: ""))
    (record.renditions, record.summary.counts.failed) = (absent.failed, failed)
    console.print(RunText(record: record).failures, from: code == .success ? .normal : .quiet)
    let fact =
      "the last run failed at \(failed) of \(NumberText.count(plan.renditionCount, "rendition")) of \(job)"
    guard code == .success else {
      let others = "correct the lines above or remove them"
      let advice =
        retryable == failed ? "run it again" : retryable > 0 ? "run it again, and \(others)" : others
      // Of a job that failed as a whole nothing is left to be bundled.
      let share = failed < plan.renditionCount ? failed * 100 / plan.renditionCount + 1 : nil
      throw ToolError(
        .bundle(.input), fact, advice: advice + (share.map { ", or --fail-on \($0)% bundles the rest" } ?? "")
      )
    }
    console.warning("\(fact); the bundle is without \(failed == 1 ? "it" : "them")")
    return failed
  }
}
