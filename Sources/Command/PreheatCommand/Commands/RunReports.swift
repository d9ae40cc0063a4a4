import FileStore
import Foundation
import Reporting
import Signposts

/// Everything that is written about a run when it is over, also when it failed.
struct RunReports {
  private let arguments: RunArguments
  private let context: CommandContext
  let keeper: RunKeeper
  /// Nil where nobody wants to know how long things took.
  let collector: SignpostCollector?

  init(_ arguments: RunArguments, context: CommandContext) {
    self.arguments = arguments
    self.context = context
    keeper = RunKeeper(jobs: arguments.job.jobs, keepsFailures: arguments.failures != nil)
    let isTimed = arguments.report != nil || arguments.log != nil || arguments.trace != nil
    collector = isTimed ? SignpostCollector() : nil
  }

  /// The file that lists most of a run: what was asked for, or the record that every run leaves.
  var place: String? {
    arguments.junit ?? keeper.caches.first.map { KeptRecords(cache: $0).last }
  }

  /// Writes what was asked for. If one report cannot be written the others still are.
  ///
  /// - Parameter isRecorded: Whether all that was recorded could be written, where that was asked for.
  /// - Returns: The exit code of the command: that of the run, unless the run went well and a report is missing.
  func write(_ code: ExitCode, isRecorded: Bool) -> ExitCode {
    var record = keeper.record(exit: code, collector: collector)
    let build = BuildPlace(context.environment)
    (record.summary.commit, record.summary.build) = (build.commit, build.address)
    record.addSizes()
    save(record)
    var isWhole = isRecorded
    if let folder = arguments.report {
      do throws(ReportFailure) {
        let page = try ReportPage.write(
          record, comparedWith: KeptRecords.comparison(keeper.caches), to: URL(fileURLWithPath: folder))
        context.console.note("report: \(page.path)")
      } catch {
        context.console.error(error.message)
        isWhole = false
      }
    }
    if !writeFailures() { isWhole = false }
    for (path, text) in [
      (arguments.junit, { record.junitReport }), (arguments.metrics, { record.metrics() }),
    ] {
      guard let path else { continue }
      if !context.write(text(), to: path) { isWhole = false }
    }
    if arguments.annotations ?? (context.environment["GITHUB_ACTIONS"] == "true") {
      let places = WorkflowPlaces(context.environment)
      context.console.print(WorkflowAnnotations(record) { places.path($0) }.text, from: .quiet)
      if !summarise(record) { isWhole = false }
    }
    return code == .success && !isWhole ? .notWritable : code
  }

  /// Paths of the jobs of what failed: `failures.job`, of the second job `failures-2.job`.
  var failureJobs: [String] {
    guard let path = arguments.failures else { return [] }
    return keeper.failureJobs.indices.map { index in
      guard index > 0 else { return path }
      let name = URL(fileURLWithPath: path).lastPathComponent
      let ending = name.lastIndex(of: ".").flatMap { $0 == name.startIndex ? nil : name[$0...] } ?? ""
      return "\(path.dropLast(ending.count))-\(index + 1)\(ending)"
    }
  }

  /// Also where nothing failed, so that nobody runs what an earlier run has left.
  private func writeFailures() -> Bool {
    let results = zip(failureJobs, keeper.failureJobs).map { path, job in
      context.write(job.text, to: path, isPrivate: true)
    }
    return results.allSatisfy { $0 }
  }

  /// Beside each cache, for `preheat report`. It was not asked for, so the run does not depend on it.
  private func save(_ record: RunRecord) {
    let caches = keeper.caches
    for cache in caches {
      let kept = KeptRecords(cache: cache)
      do {
        try kept.save(record)
      } catch {
        context.console.warning(
          "the record of the run cannot be kept in \(kept.last): "
            + "\((error as? FileStoreError)?.reason.description ?? error.localizedDescription)")
      }
    }
  }

  /// Adds to the summary of the CI job, which other commands of the step may have written to.
  private func summarise(_ record: RunRecord) -> Bool {
    guard let path = context.environment["GITHUB_STEP_SUMMARY"], !path.isEmpty else { return true }
    do throws(FileStoreError) {
      var before = Data()
      // A device or a pipe has nothing to add to.
      if case .replaced(let file) = try OutputFile.place(path) {
        before = FileManager.default.contents(atPath: file) ?? Data()
      }
      let text = Data(record.jobSummary.utf8)
      guard before.count + text.count <= RunRecord.jobSummaryLimit else {
        context.console.warning("the summary of the job is full: this run is not in it")
        return true
      }
      try OutputFile.write(before + text, to: path)
      return true
    } catch {
      context.console.error("\(path) cannot be written: \(error.reason)")
      return false
    }
  }
}

/// Where the files of a workflow lie in its repository.
struct WorkflowPlaces: Sendable {
  private let root: String?

  init(_ environment: [String: String]) {
    root = environment["GITHUB_WORKSPACE"].map { URL(fileURLWithPath: $0).standardizedFileURL.path + "/" }
  }

  /// Relative to the repository where it lies within, otherwise as it is.
  func path(_ path: String) -> String {
    let absolute = URL(fileURLWithPath: path).standardizedFileURL.path
    guard let root, absolute.hasPrefix(root) else { return path }
    return String(absolute.dropFirst(root.count))
  }
}
