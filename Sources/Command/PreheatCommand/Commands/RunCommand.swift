import CacheStore
import ClientKit
import Foundation
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
    let jobs = try RunJobs(arguments, context: context)
    try arguments.checkPlaces(against: jobs.caches)
    let reports = try RunReports(arguments, context: context)
    do {
      return reports.write(try await run(jobs, in: context, reports))
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

  private func run(
    _ jobs: RunJobs, in context: CommandContext, _ reports: RunReports
  ) async throws -> ExitCode {
    let started = ContinuousClock.now
    let keeper = reports.keeper
    var loading = JobLoading(arguments: arguments.job, context: context, signposts: reports.signposts)
    loading.found = keeper.found
    loading.listsSkipped = false
    loading.writesSkipped = true
    let planned: [Plan]?
    do {
      planned = try await jobs.plans(loading)
    } catch let failure as FeedFetch.Failure {
      keeper.stopped(failure.message)
      context.console.error(failure.message)
      return failure.isStore ? .notWritable : failure.isRetryable ? .retryable : .usage
    }
    guard let plans = planned else { return .usage }
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
    if let stream = jobs.stream {
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
      let code = await jobs.stream?.isBroken ?? false ? .unexpected : exitCode(report)
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

  private func exitCode(_ report: RunReport) -> ExitCode {
    if let failure = report.storeFailure { return failure.exitCode }
    if report.isInterrupted, let signal = Interrupts.received { return signal.exitCode }
    return arguments.failOn.exitCode(
      total: report.counts.planned - report.counts.notStored, failed: report.counts.failed,
      retryable: report.counts.retryable)
  }
}
