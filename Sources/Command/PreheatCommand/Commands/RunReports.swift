import FileStore
import Foundation
import Planning
import Reporting
import Signposts
import Text

/// Everything that is recorded of a run, and written about it when it is over, also when it failed.
struct RunReports {
  private let arguments: RunArguments
  private let context: CommandContext
  let keeper: RunKeeper
  let signposts: Signposter
  /// Nil where no times are measured.
  private let collector: SignpostCollector?
  private let recorder: SignpostRecorder?
  /// Recordings that were asked for by name.
  private let files: [SignpostFile]

  /// Opens the recordings; nothing else has been started when this throws.
  init(_ arguments: RunArguments, context: CommandContext) throws(SignpostFile.Failure) {
    self.arguments = arguments
    self.context = context
    keeper = RunKeeper(jobs: arguments.job.jobs, context: context)
    let isTimed = arguments.report != nil || arguments.log != nil || arguments.trace != nil
    collector = isTimed ? SignpostCollector() : nil
    let program = "preheat \(PreheatVersion.text)"
    let showsPrivate = arguments.showsSecrets
    let log = try arguments.log.map { path throws(SignpostFile.Failure) in try SignpostFile(path: path) }
    let trace = try arguments.trace.map { path throws(SignpostFile.Failure) in try SignpostFile(path: path) }
    files = [log, trace].compactMap { $0 }
    var exporters: [any SignpostExporter] = collector.map { [$0] } ?? []
    if let log {
      exporters.append(SignpostLogExporter(file: log, program: program, showsPrivate: showsPrivate))
    }
    if let trace {
      exporters.append(SignpostTraceExporter(file: trace, program: program, showsPrivate: showsPrivate))
    }
    recorder = exporters.isEmpty ? nil : SignpostRecorder(exporters: exporters)
    signposts = recorder.map { Signposter($0) } ?? .disabled
  }

  /// Writes what is left of the recordings, and says what could not be written.
  func close() {
    recorder?.close()
    for failure in recorder?.failures ?? [] { context.console.error(failure) }
  }

  /// The file that lists most of a run: what was asked for, or the record that every run leaves where it can write.
  func place(_ failure: StoreFailure?) -> String? {
    let isKept = failure.map { $0.code == .pruning } ?? true
    return arguments.junit ?? (isKept ? keeper.caches.first.map { KeptRecords(cache: $0).last } : nil)
  }

  /// Writes what was asked for. If one report cannot be written the others still are.
  ///
  /// - Returns: The exit code of the command: that of the run, unless the run went well and a report is missing.
  func write(_ code: ExitCode) -> ExitCode {
    close()
    var record = keeper.record(exit: code, collector: collector, isLast: true)
    record.addSizes(keeper.listings)
    save(record)
    // A recording that fails while a run works does not end the run.
    var isWhole = files.allSatisfy { $0.failure == nil }
    if let folder = arguments.report {
      do throws(ReportFailure) {
        let page = try ReportPage.write(record, to: URL(fileURLWithPath: folder))
        context.console.note("report: \(page.path)")
      } catch {
        context.console.error(error.message)
        isWhole = false
      }
    }
    for (path, text) in [
      (arguments.junit, { record.junitReport }), (arguments.metrics, { record.metrics() }),
    ] {
      guard let path else { continue }
      if !context.write(text(), to: path) { isWhole = false }
    }
    if arguments.annotations ?? (context.environment["GITHUB_ACTIONS"] == "true") {
      context.console.print(WorkflowAnnotations(record, path: pathInRepository).text, from: .quiet)
      if !summarise(record) { isWhole = false }
    }
    return code == .success && !isWhole ? .notWritable : code
  }

  /// Beside each cache, for `preheat report`. It was not asked for, so the run does not depend on it.
  private func save(_ record: RunRecord) {
    for cache in keeper.caches {
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
      let before = try FileCalls.system.status(of: path, followsLinks: true)?.st_size ?? 0
      let text = Data(record.jobSummary.utf8)
      guard Int(before) + text.count <= RunRecord.jobSummaryLimit else {
        context.console.warning("the summary of the job is full: this run is not in it")
        return true
      }
      try OutputFile.append(text, to: path)
      return true
    } catch {
      context.console.error("\(path) cannot be written: \(error.reason)")
      return false
    }
  }

  /// A path relative to the workflow's repository where it lies within, otherwise as it is.
  private func pathInRepository(_ path: String) -> String {
    let paths = [context.environment["GITHUB_WORKSPACE"], path].map {
      $0.map { URL(fileURLWithPath: $0).standardizedFileURL.path }
    }
    guard let root = paths[0], let absolute = paths[1], absolute.utf8.starts(with: (root + "/").utf8)
    else { return path }
    return String(absolute.utf8.dropFirst(root.utf8.count + 1)) ?? path
  }
}
