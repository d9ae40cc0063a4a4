import CacheBundleInstaller
import CacheStore
import CacheTools
import Foundation
import Pictures
import Planning
import Rendering
import Running
import Text

/// `preheat verify DIR|BUNDLE`: checks every file, and with `--repair` makes good what is wrong.
struct VerifyCommand: Command {
  static let spec = VerifyArguments.spec

  private let arguments: VerifyArguments

  init(_ values: OptionValues) throws(UsageError) {
    arguments = try VerifyArguments(values)
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    var options = arguments.options
    guard arguments.publicKeys.isEmpty || CacheVerifier.isBundle(arguments.cache.path) else {
      context.console.error("--public-key needs a bundle, but \(arguments.cache.path) is a cache folder")
      return .usage
    }
    // A job is read before anything is removed for it.
    var plan: Plan?
    if let job = arguments.job {
      plan = try JobLoading(arguments: job, context: context).plans()?
        .first
      guard let plan else { return .usage }
      guard arguments.isCache(of: plan) else {
        context.console.error(
          "the job's cache is \(plan.settings.cache), not \(arguments.cache.path); add --cache or name the other job"
        )
        return .usage
      }
    }
    if !arguments.isQuick || plan != nil {
      do throws(RenderFailure) {
        options.renderer = try RenderPool.locateWorker(environment: context.environment)
      } catch {
        context.console.error(error.message)
        return .unexpected
      }
    }
    let renderer = options.renderer
    if arguments.isQuick { options.renderer = nil }
    options.publicKeys = try arguments.publicKeys.map(Self.publicKey)
    let report = try await CacheVerifier(options).verify(arguments.cache.path)
    var repair = CacheRepair()
    repair.waitsForLock = arguments.waitsForLock
    let removed = arguments.repairs ? try repair.remove(report) : CacheRepair.Result()
    if let ledger = removed.ledger { context.console.warning("the damaged ledger is now \(ledger)") }
    let repaired = removed.files
    try await remake(repaired, plan, renderer: renderer, in: context)
    let made = repaired.count { FileManager.default.fileExists(atPath: "\(arguments.cache.path)/\($0)") }
    return try finish(report, repaired: repaired, made: made, in: context)
  }

  private static func publicKey(at path: String) throws(ToolError) -> BundlePublicKey {
    guard let pem = SystemFile.text(path) else {
      throw ToolError(.bundle(.key), "\(path) cannot be read: \(SystemCall.words())")
    }
    do throws(BundleFailure) { return try BundlePublicKey(pem: pem) } catch {
      throw ToolError(.bundle(.key), "\(path): \(error.message)")
    }
  }

  /// Makes the files again, and what else the job names and the cache has not: a repair that was killed has taken it out.
  private func remake(
    _ files: [String], _ plan: Plan?, renderer: String?, in context: CommandContext
  ) async throws(ToolError) {
    guard let plan, let renderer, arguments.repairs else { return }
    let absent = Plan.files(of: [plan]).filter {
      !FileManager.default.fileExists(atPath: "\(plan.settings.cache)/\($0)")
    }
    let files = absent.union(files)
    guard !files.isEmpty else { return }
    var options = RunOptions(
      renderer: renderer, workers: arguments.options.workers, limits: arguments.options.limits,
      formats: arguments.options.formats, environment: context.environment)
    options.waitsForLock = arguments.waitsForLock
    let watch = RepairWatch(console: context.console)
    let run = JobRun(plans: [plan.limited(to: files)], options: options, observer: watch)
    do throws(StoreFailure) {
      let report = try await run.run()
      if let failure = report.storeFailure { throw failure }
    } catch {
      throw ToolError(error)
    }
  }

  private func finish(
    _ report: VerifyReport, repaired: [String], made: Int, in context: CommandContext
  ) throws(ToolError) -> ExitCode {
    let isWhole = !report.isDamaged || (made == repaired.count && !repaired.isEmpty)
    let page = VerifyPage(report: report, repaired: repaired, made: made)
    do {
      try context.output.write(context.json ? page.json : page.text(context.console.verbosity))
    } catch {
      throw ToolError(.cache(.write), "the result cannot be written: \(error)")
    }
    return isWhole ? .success : .damaged
  }
}

/// Names what could not be made again.
private struct RepairWatch: RunObserver {
  let console: Console

  func settled(_ outcome: RenditionOutcome, report: RunReport) {
    guard case .failed(let failure) = outcome.status else { return }
    console.error("\(RenditionText.title(outcome.rendition)): \(failure.message) (\(failure.code))")
  }

  func warned(_ text: String) { console.warning(text) }
}
