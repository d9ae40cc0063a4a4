import CacheStore
import ClientKit
import Foundation
import JobFile
import Pictures
import Planning
import Rendering
import Running
import Settings
import Text

/// `preheat run JOB...`: builds or refreshes the caches.
struct RunCommand: Command {
  static let spec = RunArguments.spec

  private let arguments: RunArguments

  init(_ values: OptionValues) throws(UsageError) {
    arguments = try RunArguments(values)
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    try arguments.checkPlacesOfJobs()
    let reports = try RunReports(arguments, context: context)
    do {
      return reports.write(try await run(in: context, reports))
    } catch let mistake as UsageError {
      // Reports would be written to just that place.
      reports.close()
      throw mistake
    } catch {
      // Nobody reads the results any more; the reports are written all the same.
      _ = reports.write(.unexpected)
      throw error
    }
  }

  private func run(in context: CommandContext, _ reports: RunReports) async throws -> ExitCode {
    let started = ContinuousClock.now
    let keeper = reports.keeper
    var loading = JobLoading(arguments: arguments.job, context: context, signposts: reports.signposts)
    loading.found = keeper.found
    loading.listsSkipped = false
    loading.writesSkipped = true
    let stream =
      arguments.streams
      ? try StreamPlans(arguments.job, settings: arguments.settingsFile, context: context) : nil
    if stream == nil {
      let inputs = try loading.readInputs()
      loading.inputs = inputs
      if let code = try await fetchFeeds(of: inputs, keeper, in: context) { return code }
    }
    guard let plans = try await plans(loading, stream) else { return .usage }
    try arguments.checkPlaces(against: plans.map(\.settings.cache))
    keeper.planned(plans)
    let renderer: String
    do throws(RenderFailure) {
      renderer = try RenderPool.locateWorker(environment: context.environment)
    } catch {
      context.console.error(error.message)
      keeper.stopped(error.message)
      return .unexpected
    }

    var options = arguments.options
    options.renderer = renderer
    options.date = RunDate(environment: context.environment)
    options.signposts = reports.signposts
    options.started = started
    if !options.http.proxies.isEmpty {
      let names = options.http.proxies.names.joined(separator: ", ")
      context.console.note("downloads go through \(names); the addresses behind a proxy cannot be checked")
    }
    let watch = RunWatch(context: context, keeper: keeper)
    context.console.startProgress(total: plans.reduce(0) { $0 + $1.renditionCount + $1.skipped.count })
    var next: (@Sendable () async -> Plan?)?
    if let stream {
      options.publishingDelay = .milliseconds(200)
      next = { await stream.next() }
    }
    // A task that can throw loses the error's type, so the result travels as a value.
    let work = Task { [options, next] () -> Result<RunReport, StoreFailure> in
      do throws(StoreFailure) {
        return .success(try await RunEngine.run(plans, options: options, observer: watch, next: next))
      } catch {
        return .failure(error)
      }
    }
    let stopping = Task {
      for await _ in Interrupts.install() {
        context.console.note("stopping: finished renditions are being stored")
        work.cancel()
      }
    }
    defer { stopping.cancel() }
    // So that time goes on where nothing is settled for a while.
    let clock = Task {
      while (try? await Task.sleep(for: .seconds(1))) != nil { context.console.updateProgress { _ in } }
    }
    defer { clock.cancel() }
    let result = await work.value
    context.console.finishProgress()

    switch result {
    case .success(let report):
      keeper.ended(report)
      // What did not come in is not known to be done.
      let code = await stream?.failure?.exitCode ?? exitCode(report)
      if let failure = report.storeFailure { context.console.error(failure.message) }
      try watch.finish(
        keeper.record(exit: code, showsLossesOnly: true), place: reports.place(report.storeFailure),
        failureJobs: report.counts.failed > 0 ? reports.failureJobs : [])
      return code
    case .failure(let failure):
      keeper.stopped(failure.message)
      // It waited for a lock until somebody lost patience.
      if failure.code == .locked, let signal = Interrupts.received { return signal.exitCode }
      context.console.error(failure.message)
      return failure.exitCode
    }
  }

  /// Gets the catalogues that lie on servers: what they name is planned like lines of the job.
  ///
  /// - Returns: nil where the run can go on.
  private func fetchFeeds(
    of inputs: [JobInput], _ keeper: RunKeeper, in context: CommandContext
  ) async throws -> ExitCode? {
    if arguments.options.isOffline { return nil }
    let given = try arguments.job.sharded()
    for input in inputs {
      // The next reader reports a file that cannot be read, and a job without a cache.
      guard let feeds = try? FeedCopy.sources(in: input, table: given.table, within: given.trust.roots),
        !feeds.isEmpty, let settings = JobFile(reading: input, given).settings
      else { continue }
      do throws(FeedFetch.Failure) {
        let notes = try await FeedFetch.refresh(feeds, for: settings, options: arguments.options)
        for note in notes { context.console.warning(note) }
      } catch {
        keeper.stopped(error.message)
        context.console.error(error.message)
        return error.isStore ? .notWritable : error.isRetryable ? .retryable : .usage
      }
    }
    return nil
  }

  /// The plans, or the settings of a stream; nil after a mistake was reported.
  private func plans(_ loading: JobLoading, _ stream: StreamPlans?) async throws -> [Plan]? {
    guard let stream else { return try loading.plans() }
    let (frame, diagnostics) = await stream.begin()
    loading.found(diagnostics)
    try JobLoading.show(diagnostics, in: loading.context)
    if let frame { loading.tellRelease(of: frame) }
    if frame?.settings.asksForPruning ?? false {
      throw UsageError(.conflict, "prune needs the whole job; it cannot be used with a stream")
    }
    return frame.map { [$0] }
  }

  private func exitCode(_ report: RunReport) -> ExitCode {
    if let failure = report.storeFailure { return failure.exitCode }
    if report.isInterrupted, let signal = Interrupts.received { return signal.exitCode }
    return arguments.failOn.exitCode(
      total: report.counts.planned - report.counts.notStored, failed: report.counts.failed,
      retryable: report.counts.retryable)
  }
}
