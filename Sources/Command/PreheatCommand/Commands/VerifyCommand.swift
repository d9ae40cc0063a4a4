import CacheBundleInstaller
import CacheStore
import CacheTools
import Foundation
import JobFile
import Pictures
import Planning
import Rendering
import Running
import Settings
import Syntax
import Text

/// `preheat verify DIR|BUNDLE`: checks every file, and with `--repair` makes good what is wrong.
struct VerifyCommand: Command {
  static let spec = CommandSpec("verify", "check every file of a cache again").with {
    $0.detail = [
      "Checks that each file is complete, can be decoded, has the stored bytes and has the file name of its key. Lists "
        + "files that are missing, foreign or expired, or have wrong dates. Also checks bundles. The exit code is "
        + "\(ExitCode.damaged.rawValue) if a file is damaged.",
      "--repair removes damaged files from the cache and the ledger, so that the next run makes them again. With --job "
        + "they are made again at once.",
    ]
    $0.positionals = [.init("DIR", .file, 1...1, "the cache folder, or a bundle")]
    $0.examples = [
      ("preheat verify out/catalog", "everything"),
      ("preheat verify catalog.zip --quick", "a bundle, without decoding"),
      ("preheat verify signed.zip --public-key catalog.pub.pem", "check the signature too"),
      ("preheat verify out/catalog --repair --job catalog.job", "and repair it"),
    ]
    $0.work = [.folder, .place, .decoding, .repairing]
    $0.options = fields.map(\.row) + CommandRows.trust + decoding.map(\.row) + [CommandRows.json]
  }

  private static let fields: [FieldSetting<VerifyCommand>] = [
    FieldSetting(
      "quick", \.isQuick, .flag, in: .flag, .job,
      "do not decode; check structure, digests, names and dates"
    ).with { $0.isCommon = true },
    FieldSetting("repair", \.repairs, .flag, in: .flag, .job, "remove damaged files from the cache").with {
      $0.isCommon = true
    },
    FieldSetting(
      "job", \.jobFile, .path("JOB"), in: .flag, .job, "with --repair, make them again by this job"
    ).with { $0.isCommon = true },
    FieldSetting(
      Setting(
        list: SettingKey("public-key", default: []), SettingType<String>.path("PEM"), in: .command, .job,
        "a bundle must be signed by this key (repeatable)", example: "public-key catalog.pub.pem"),
      \.publicKeys
    ).with {
      $0.detail = """
        A file made with openssl pkey -in KEY.pem -pubout. If several keys are given, one of them must have signed. \
        Without this option a signature is shown but not checked.
        """
    },
  ]

  private static let decoding: [FieldSetting<VerifyCommand>] = [
    FieldSetting(CommandRows.workers, \.options.workers), FieldSetting(CommandRows.wait, \.waitsForLock),
    FieldSetting(CommandRows.allowFormat) {
      $0.options.formats = ImageFormat.trusted.union($1[CommandKey.allowFormat])
    },
    FieldSetting(CommandRows.allowUnconfined, \.options.allowsUnconfined),
    FieldSetting(CommandRows.now, \.options.now),
  ]

  private let path: String
  private var options = VerifyOptions()
  /// Files of public keys.
  private var publicKeys: [String] = []
  private var isQuick = false
  private var repairs = false
  private var waitsForLock = false
  private var jobFile: String?
  /// The job that makes damaged or missing files again.
  private var job: JobArguments?

  init(_ values: OptionValues) throws(UsageError) {
    path = values.words[0]
    options.client = values.client
    options.limits = LimitSettings(values.settings).applied(to: options.limits)
    values.settings.apply(Self.fields + Self.decoding, to: &self)
    guard jobFile == nil || repairs else { throw UsageError(.conflict, "--job needs --repair") }
    job = try JobArguments(values, named: jobFile)
    guard !repairs || !CacheVerifier.isBundle(path) else {
      throw UsageError(
        .conflict, "a bundle cannot be repaired", suggestion: "repair its cache, and make the bundle again")
    }
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    var options = options
    guard publicKeys.isEmpty || CacheVerifier.isBundle(path) else {
      context.console.error("--public-key needs a bundle, but \(path) is a cache folder")
      return .usage
    }
    // A job is read before anything is removed for it.
    var plan: Plan?
    if let job = job {
      plan = try await JobLoading(arguments: job, context: context).plans()?.first
      guard let plan else { return .usage }
      guard isCache(of: plan) else {
        context.console.error(
          "the job's cache is \(plan.settings.cache), not \(path); add --cache or name the other job"
        )
        return .usage
      }
    }
    if !isQuick || plan != nil {
      options.renderer = try RenderPool.locateWorker(environment: context.environment)
    }
    let renderer = options.renderer
    if isQuick { options.renderer = nil }
    options.publicKeys = try publicKeys.map(Self.publicKey)
    let report = try await CacheVerifier(options).verify(path)
    var repair = CacheRepair()
    repair.waitsForLock = waitsForLock
    let removed = repairs ? try repair.remove(report) : nil
    if let ledger = removed?.ledger { context.console.warning("the damaged ledger is now \(ledger)") }
    let repaired = removed?.files ?? []
    try await remake(repaired, plan, renderer: renderer, in: context)
    let made = repaired.count { FileManager.default.fileExists(atPath: "\(path)/\($0)") }
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
    guard let plan, let renderer, repairs else { return }
    let absent = Plan.files(of: [plan]).filter {
      !FileManager.default.fileExists(atPath: "\(plan.settings.cache)/\($0)")
    }
    let files = absent.union(files)
    guard !files.isEmpty else { return }
    var settings = RunOptions(
      renderer: renderer, workers: options.workers, environment: context.environment)
    (settings.limits, settings.formats) = (options.limits, options.formats)
    settings.waitsForLock = waitsForLock
    let watch = RepairWatch(console: context.console)
    do throws(StoreFailure) {
      let report = try await RunEngine.run([plan.limited(to: files)], options: settings, observer: watch)
      if let failure = report.storeFailure { throw failure }
    } catch {
      throw ToolError(error)
    }
  }

  /// Whether a job writes the cache that is checked: files of another cache would be made for nothing.
  private func isCache(of plan: Plan) -> Bool {
    let paths = [plan.settings.cache, path].map {
      URL(fileURLWithPath: $0).standardizedFileURL.resolvingSymlinksInPath().path
    }
    return paths[0] == paths[1]
  }

  private func finish(
    _ report: VerifyReport, repaired: [String], made: Int, in context: CommandContext
  ) throws(ToolError) -> ExitCode {
    let isWhole = !report.isDamaged || (made == repaired.count && !repaired.isEmpty)
    let page = VerifyPage(report: report, repaired: repaired, made: made)
    do {
      try context.output.write(context.json ? page.lines : page.text(context.console.verbosity))
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
