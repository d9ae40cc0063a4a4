import CacheBundleInstaller
import CacheStore
import CacheTools
import Foundation
import Pictures
import Rendering
import Syntax
import Text

/// `preheat verify DIR|BUNDLE`: checks every file, and with `--repair` removes what is damaged.
struct VerifyCommand: Command {
  static let spec = CommandSpec("verify", "check every file of a cache again").with {
    $0.detail = [
      "Checks that each file is complete, can be decoded, has the stored bytes and has the file name of its key. Lists "
        + "files that are missing, foreign or expired, or have wrong dates. Also checks bundles. The exit code is "
        + "\(ExitCode.damaged.rawValue) if a file is damaged.",
      "--repair removes damaged files from the cache and the ledger, so that the next run makes them again.",
    ]
    $0.positionals = [.init("DIR", 1...1, "the cache folder, or a bundle")]
    $0.examples = [
      ("preheat verify out/catalog", "everything"),
      ("preheat verify catalog.zip --quick", "a bundle, without decoding"),
      ("preheat verify signed.zip --public-key catalog.pub.pem", "check the signature too"),
      ("preheat verify out/catalog --repair", "and remove what is damaged"),
    ]
    $0.work = [.folder, .decoding]
    $0.options = fields.map(\.row) + [CommandRows.json]
  }

  private static let fields: [FieldSetting<VerifyCommand>] = [
    FieldSetting(
      "quick", \.isQuick, .flag, in: .flag, .job,
      "do not decode; check structure, digests, names and dates"
    ).common,
    FieldSetting("repair", \.repairs, .flag, in: .flag, .job, "remove damaged files from the cache").common,
    FieldSetting(
      Setting(
        list: SettingKey("public-key", default: []), SettingType<String>.path("PEM"), in: .command, .job,
        "a bundle must be signed by this key (repeatable)", example: "public-key catalog.pub.pem",
        detail: """
          A file made with openssl pkey -in KEY.pem -pubout. If several keys are given, one of them must have signed. \
          Without this option a signature is shown but not checked.
          """), \.publicKeys),
    FieldSetting(CommandRows.workers, \.verifier.workers), FieldSetting(CommandRows.wait, \.waitsForLock),
    FieldSetting(CommandRows.allowFormat) {
      $0.verifier.formats = ImageFormat.trusted.union($1[CommandKey.allowFormat])
    },
    FieldSetting(CommandRows.allowUnconfined, \.verifier.allowsUnconfined),
    FieldSetting(CommandRows.now, \.verifier.now),
  ]

  private let path: String
  private var verifier = CacheVerifier()
  /// Files of public keys.
  private var publicKeys: [String] = []
  private var isQuick = false
  private var repairs = false
  private var waitsForLock = false

  init(_ values: OptionValues) throws(UsageError) {
    path = values.words[0]
    verifier.client = values.client
    verifier.limits = values.settings.limits(over: verifier.limits)
    values.settings.apply(Self.fields, to: &self)
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    var verifier = verifier
    let isBundle = try CacheVerifier.isBundle(path)
    guard !repairs || !isBundle else {
      throw UsageError(
        .conflict, "a bundle cannot be repaired", suggestion: "repair its cache, and make the bundle again")
    }
    guard publicKeys.isEmpty || isBundle else {
      let isThere = FileManager.default.fileExists(atPath: path)
      context.console.error(
        isThere ? "--public-key needs a bundle, but \(path) is a cache folder" : "there is no bundle \(path)")
      return .usage
    }
    if !isQuick { verifier.renderer = try RenderPool.locateWorker(environment: context.environment) }
    verifier.publicKeys = try publicKeys.map(Self.publicKey)
    var report = try await verifier.verify(path)
    var repair = CacheRepair()
    repair.waitsForLock = waitsForLock
    let removed = repairs ? try await repair.remove(&report, verifier) : nil
    if let ledger = removed?.ledger { context.console.warning("the damaged ledger is now \(ledger)") }
    let page = VerifyPage(report: report, removed: removed?.files.count ?? 0)
    try context.output.write(context.json ? page.lines : page.text(context.console.verbosity))
    if let unread = report.unread {
      throw ToolError(
        .cache(.read), "\(path) is not known to be whole: \(unread.message)",
        advice: repairs ? "nothing was removed" : nil)
    }
    return report.isDamaged ? .damaged : .success
  }

  private static func publicKey(at path: String) throws(ToolError) -> BundlePublicKey {
    guard let pem = SystemFile.text(path) else {
      throw ToolError(.bundle(.key), "\(path) cannot be read: \(SystemCall.words())")
    }
    do { return try BundlePublicKey(pem: pem) } catch {
      throw ToolError(.bundle(.key), "\(path): \(error.message)")
    }
  }
}
