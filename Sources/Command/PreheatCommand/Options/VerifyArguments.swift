import CacheTools
import Foundation
import JobFile
import Pictures
import Planning
import Settings
import Syntax

/// Arguments of `preheat verify`.
struct VerifyArguments: Sendable {
  var cache: CacheArguments
  var options = VerifyOptions()
  /// Files of public keys.
  var publicKeys: [String]
  var isQuick: Bool
  var repairs: Bool
  /// Whether a repair waits for the cache's lock.
  var waitsForLock: Bool
  /// The job that makes damaged or missing files again.
  var job: JobArguments?

  init(_ values: OptionValues) throws(UsageError) {
    cache = CacheArguments(values)
    isQuick = values[Self.quick]
    repairs = values[Self.repair]
    waitsForLock = values[CommandKey.wait]
    if let path = values[Self.jobKey] {
      guard repairs else {
        throw UsageError(.conflict, "--job needs --repair")
      }
      var job = try JobArguments(values)
      job.jobs = [path]
      self.job = job
    }
    guard !repairs || !CacheVerifier.isBundle(cache.path) else {
      throw UsageError(
        .conflict, "a bundle cannot be repaired", suggestion: "repair its cache, and make the bundle again")
    }
    publicKeys = values[Self.publicKey]
    options.client = cache.client
    options.now = cache.now
    options.workers = values[CommandKey.workers] ?? options.workers
    options.formats = ImageFormat.trusted.union(values[CommandKey.allowFormat])
    options.allowsUnconfined = values[CommandKey.allowUnconfined]
    options.limits = LimitSettings(values.settings).applied(to: options.limits)
  }

  /// Whether a job writes the cache that is checked: files of another cache would be made for nothing.
  func isCache(of plan: Plan) -> Bool {
    let paths = [plan.settings.cache, cache.path].map {
      URL(fileURLWithPath: $0).standardizedFileURL.resolvingSymlinksInPath().path
    }
    return paths[0] == paths[1]
  }

  private static let quick = SettingKey("quick", default: false)
  private static let repair = SettingKey("repair", default: false)
  private static let publicKey = SettingKey("public-key", default: [String]())
  private static let jobKey = SettingKey("job", default: String?.none)

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
      .init("preheat verify out/catalog", "everything"),
      .init("preheat verify catalog.zip --quick", "a bundle, without decoding"),
      .init("preheat verify signed.zip --public-key catalog.pub.pem", "check the signature too"),
      .init("preheat verify out/catalog --repair --job catalog.job", "and repair it"),
    ]
    $0.work = [.folder, .place, .decoding, .repairing]
    $0.options =
      [
        Setting(quick, .flag, in: .flag, .job, "do not decode; check structure, digests, names and dates")
          .with {
            $0.isCommon = true
          },
        Setting(repair, .flag, in: .flag, .job, "remove damaged files from the cache").with {
          $0.isCommon = true
        },
        Setting(
          jobKey, SettingType<String>.path("JOB").optional, in: .flag, .job,
          "with --repair, make them again by this job"
        ).with { $0.isCommon = true },
        Setting(
          list: publicKey, valueName: "PEM", in: .command, .job,
          "a bundle must be signed by this key (repeatable)", example: "public-key catalog.pub.pem"
        ) { scanner, _, _ throws(Mistake) in
          [String(decoding: scanner.take { _ in true }, as: UTF8.self)]
        }.with {
          $0.form = .file
          $0.detail = """
            A file made with openssl pkey -in KEY.pem -pubout. If several keys are given, one of them must have signed. \
            Without this option a signature is shown but not checked.
            """
        },
      ] + CommandRows.trust
      + [
        CommandRows.workers, CommandRows.wait, CommandRows.allowFormat, CommandRows.allowUnconfined,
        CacheArguments.now, CommandRows.json,
      ]
  }
}
