import CacheStore
import ClientKit
import Planning
import Rendering
import Running

/// `preheat run JOB...`: builds or refreshes the caches.
struct RunCommand: Command {
  static let spec = RunArguments.spec

  private let arguments: RunArguments

  init(_ values: OptionValues) throws(UsageError) {
    arguments = try RunArguments(values)
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    let jobs = try RunJobs(arguments, context: context)
    try arguments.checkPlaces(against: jobs.settings.map(\.cache))
    try arguments.checkInputs()
    for settings in jobs.settings {
      let former = try StoreFailure.storing { try StateFolder.takeOver(settings.namedCache) }
      guard let former else { continue }
      context.console.warning(
        "the state folder \(former) of an earlier release is now that of \(settings.cache), to which the link leads"
      )
    }
    let reports = try RunReports(arguments, context: context)
    do {
      return reports.write(try await run(jobs, in: context, reports))
    } catch let mistake as UsageError {
      // Reports would be written to just that place.
      reports.close()
      throw mistake
    } catch let failure as any CommandFailure {
      reports.keeper.stopped(failure.message)
      // A signal interrupted the wait for the lock.
      if failure.exitCode == .locked, let signal = Interrupts.received {
        return reports.write(signal.exitCode)
      }
      context.console.error(failure.object)
      return reports.write(failure.exitCode)
    } catch {
      // The reader of the results has gone; the reports are written all the same.
      _ = reports.write(.unexpected)
      throw error
    }
  }

  private func run(
    _ jobs: RunJobs, in context: CommandContext, _ reports: RunReports
  ) async throws -> ExitCode {
    let (keeper, console) = (reports.keeper, context.console)
    var options = arguments.options
    (options.started, options.signposts) = (.now, reports.signposts)
    options.date = RunDate(environment: context.environment)
    var loading = JobLoading(arguments: arguments.job, context: context, signposts: reports.signposts)
    loading.found = keeper.found
    loading.listsSkipped = false
    loading.writesSkipped = true
    guard let plans = try await jobs.plans(loading) else { return .usage }
    keeper.planned(plans)
    options.renderer = try RenderPool.locateWorker(environment: context.environment)
    if !options.http.proxies.isEmpty {
      let names = options.http.proxies.names.joined(separator: ", ")
      console.note("downloads go through \(names); the addresses behind a proxy cannot be checked")
    }
    console.startProgress(total: plans.reduce(0) { $0 + $1.renditionCount + $1.skipped.count })
    let report = try await work(on: plans, jobs.stream, options, keeper, console)
    keeper.ended(report)
    // What did not come in is not known to be done.
    let code = await jobs.stream?.isBroken ?? false ? .unexpected : exitCode(report)
    if let failure = report.storeFailure { console.error(failure.message) }
    try keeper.finish(
      keeper.record(exit: code, showsLossesOnly: true), place: reports.place(report.storeFailure))
    return code
  }

  /// The run itself, with a clock for the progress line, until it ends or a signal stops it.
  private func work(
    on plans: [Plan], _ stream: StreamedJob?, _ options: RunOptions, _ keeper: RunKeeper, _ console: Console
  ) async throws(StoreFailure) -> RunReport {
    var options = options
    var next: (@Sendable () async -> Plan?)?
    if let stream {
      options.publishingDelay = .milliseconds(200)
      next = { await stream.next() }
    }
    // A task that can throw loses the error's type, so the result travels as a value.
    let work = Task { [options, next] () -> Result<RunReport, StoreFailure> in
      do throws(StoreFailure) {
        return .success(try await RunEngine.run(plans, options: options, observer: keeper, next: next))
      } catch {
        return .failure(error)
      }
    }
    let stopping = Task {
      for await _ in Interrupts.install() {
        console.note("stopping: finished renditions are being stored")
        work.cancel()
      }
    }
    // So that time goes on where nothing is settled for a while.
    let clock = Task {
      while (try? await Task.sleep(for: .seconds(1))) != nil { console.updateProgress { _ in } }
    }
    defer {
      stopping.cancel()
      clock.cancel()
      console.finishProgress()
    }
    return try await work.value.get()
  }

  private func exitCode(_ report: RunReport) -> ExitCode {
    if let failure = report.storeFailure { return failure.exitCode }
    if report.isInterrupted, let signal = Interrupts.received { return signal.exitCode }
    return arguments.failOn.exitCode(
      total: report.counts.planned - report.counts.notStored, failed: report.counts.failed,
      retryable: report.counts.retryable)
  }
}

extension FeedFetch.Failure: CommandFailure {
  var exitCode: ExitCode { store?.exitCode ?? (isRetryable ? .retryable : .usage) }
}
