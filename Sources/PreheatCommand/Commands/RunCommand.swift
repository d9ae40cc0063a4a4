import Foundation
import HTTPLoading
import JobRunner
import Rendering

/// `preheat run JOB...`: builds or refreshes the caches.
struct RunCommand: Command {
  static let name = "run"
  private let arguments: RunArguments

  init(_ values: OptionValues) throws(UsageError) {
    arguments = try RunArguments(values)
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    let json = arguments.common.json
    let loading = JobLoading(arguments: arguments.job, context: context, json: json)
    guard let plans = try loading.plans() else { return .usage }
    guard let renderer = RenderPool.locateWorker(environment: context.environment) else {
      context.console.error("preheat-render is not beside preheat; install both, or name it in PREHEAT_RENDER")
      return .unexpected
    }

    let watch = RunWatch(context: context, json: json)
    context.console.startProgress(total: plans.reduce(0) { $0 + $1.renditionCount })
    let run = JobRun(plans: plans, options: options(renderer: renderer), observer: watch)
    let work = Task { () throws(StoreFailure) in try await run.run() }
    let stopping = Task {
      for await _ in Interrupts.install() {
        context.console.note("stopping: what is finished is being stored")
        work.cancel()
      }
    }
    defer { stopping.cancel() }
    let result = await work.result
    context.console.finishProgress()

    switch result {
    case .success(let report):
      let code = exitCode(report)
      try watch.finish(report, exit: code, caches: plans.map(\.settings.cache))
      return code
    case .failure(let failure):
      context.console.error(failure.message)
      return failure.exitCode
    }
  }

  private func exitCode(_ report: RunReport) -> ExitCode {
    if report.isInterrupted, let signal = Interrupts.received { return signal.exitCode }
    return arguments.failOn.exitCode(
      total: report.planned, failed: report.failed, retryable: report.retryable)
  }

  private func options(renderer: String) -> RunOptions {
    var http = HTTPConfiguration()
    if let connections = arguments.connections { http.maxConcurrent = connections }
    if let retries = arguments.retries { http.retries = retries }
    http.maxBodyBytes = arguments.limits.maxBytes
    var options = RunOptions(
      renderer: renderer, workers: arguments.workers ?? ProcessInfo.processInfo.activeProcessorCount,
      http: http, limits: arguments.limits, formats: arguments.formats)
    options.isStrict = arguments.isStrict
    options.waitsForLock = arguments.waitsForLock
    return options
  }
}

extension StoreFailure {
  fileprivate var exitCode: ExitCode {
    switch code {
    case .full, .notWritable, .ledger: .notWritable
    case .locked: .locked
    }
  }
}
