import Foundation
import Pictures
import Syntax
import Text

/// The keys of settings that are about a command, not about a job.
enum CommandKey {
  static let quiet = SettingKey("quiet", default: false)
  static let verbose = SettingKey("verbose", default: false)
  static let json = SettingKey("json", default: false)
  static let progress = SettingKey("progress", default: ProgressStyle.auto)

  static let trustedRoot = SettingKey("trusted-root", default: [String]())
  static let env = SettingKey("env", default: [String]())

  static let shard = SettingKey("shard", default: ShardChoice?.none)
  static let workers = SettingKey("workers", default: Int?.none)
  static let wait = SettingKey("wait", default: false)
  static let allowFormat = SettingKey("allow-format", default: [ImageFormat]())
}

/// How a run shows how far it has come.
enum ProgressStyle: String, Sendable, Hashable, CaseIterable {
  /// A bar where a line can be rewritten in place, plain lines elsewhere.
  case auto
  /// One line, rewritten.
  case bar
  /// A line every ten seconds.
  case plain
  case none
}

/// Rows that more than one command has, and those of `run`.
enum CommandRows {
  /// Options of every command.
  static let everywhere: [Setting] = [
    Setting(CommandKey.quiet, .flag, in: .command, .general, "print only errors").with { $0.short = "q" }
      .common,
    Setting(CommandKey.verbose, .flag, in: .command, .general, "print more messages").with { $0.short = "v" },
    Setting(
      SettingKey("help", default: false), .flag, in: .flag, .general,
      "-h: the most used options; --help: all options"
    ).with { $0.short = "h" },
    Setting(SettingKey("version", default: false), .flag, in: .flag, .general, "print the version"),
  ]

  static let json = Setting(
    CommandKey.json, .flag, in: .command, .output, "print results as JSON, one object a line"
  ).common

  static let showSecrets = Setting(
    SettingKey("show-secrets", default: false), .flag, in: .flag, .output,
    "do not mask user info and query values",
    detail: "By default they are printed as *. Keys in the output of --json are always exact.")

  static let force = Setting(
    SettingKey("force", default: false), .flag, in: .flag, .output,
    "replace an output file that another program made")

  /// The folder of an HTML page. It has no variable: one for runs would send other pages to the same place.
  static func report(_ summary: String) -> Setting {
    Setting(
      SettingKey("report", default: ""), .path("DIR", .folder), in: .flag, .reports, summary)
  }

  static let wait = Setting(
    CommandKey.wait, .flag, in: .command, .job, "wait while another run holds the cache's lock",
    detail: "By default the command ends at once with exit code \(ExitCode.locked.rawValue)."
  ).common

  static let workers = Setting(
    CommandKey.workers, SettingType<Int>.integer("N", 1...256).optional, in: .command, .pictures,
    "number of worker processes"
  ).with {
    $0.short = "w"
    $0.defaultText = "one for each CPU"
  }.common

  private static let optionalFormats =
    ImageFormat.allCases.filter { !ImageFormat.trusted.contains($0) }.map(\.rawValue)

  static let allowFormat = Setting(
    list: CommandKey.allowFormat,
    SettingType("NAME", .choices(optionalFormats)) { word, _, start throws(Mistake) in
      if optionalFormats.contains(word), let format = ImageFormat(rawValue: word) { return format }
      throw .noSuch("format", word, known: optionalFormats, at: start)
    }, in: .command, .pictures, "also decode this format (repeatable)", example: "allow-format tiff",
    detail: """
      One of \(optionalFormats.joined(separator: ", ")). SVG is never decoded: its bytes are stored for the chain original. \
      \(ImageFormat.allCases.filter(ImageFormat.trusted.contains).map(\.rawValue).joined(separator: ", ")) are \
      decoded by default. The variable holds names with spaces between them.
      """
  ).with { $0.repetition = .words }

  static let allowUnconfined = Setting(
    SettingKey("allow-unconfined", default: false), .flag, in: .command, .pictures,
    "decode pictures without a sandbox",
    detail: """
      Worker processes run behind a seccomp filter. If the kernel does not support it, every picture fails unless this \
      option is given. preheat doctor shows which layers of the sandbox work.
      """)

  static let now = Setting(
    SettingKey("now", default: Date?.none),
    SettingType<Date>("MOMENT") { text, _, start throws(Mistake) in
      if let seconds = TimeInterval(text), (0...253_402_300_799).contains(seconds) {
        return Date(timeIntervalSince1970: seconds)
      }
      if let date = try? Date(text, strategy: .iso8601) { return date }
      throw Mistake(
        start, "\(Mistake.quote(text)) is not a date and time",
        help: "for example: 2027-01-31T08:00:00Z, or seconds since 1970")
    }.optional, in: .flag, .job, "use this time instead of the current time",
    detail: "2027-01-31T08:00:00Z, or seconds since 1970."
  ).with { $0.defaultText = "the current time" }

  static func output(_ summary: String) -> Setting {
    Setting(
      SettingKey("output", default: ""), .path("PATH"), in: .flag, .output, summary
    ).with { $0.short = "o" }.common
  }

  /// How a run shows itself on the terminal.
  static let progress = Setting(
    CommandKey.progress, .choices("STYLE", of: "style of progress"), in: .command, .output,
    "bar, plain or none",
    detail: """
      bar: one line that is redrawn. plain: a line every ten seconds. none: no progress. auto: a bar on a terminal \
      outside CI, else plain.
      """
  ).with { $0.defaultText = ProgressStyle.auto.rawValue }
}

extension SettingType where Value == String {
  /// The whole text, whatever is in it, but not empty.
  static func path(_ name: String, _ form: SettingForm = .file) -> Self {
    Self(name, form) { scanner, setting throws(Mistake) in
      let start = scanner.position
      let text = scanner.take { _ in true }
      if text.isEmpty { throw Mistake(start, "\(setting) is empty") }
      let path = String(decoding: text, as: UTF8.self)
      if PathText.beginsAtHome(path), PathText.home == nil {
        throw Mistake(start, "\(setting): ~ is the home folder, and HOME does not name one")
      }
      return PathText.expanded(path)
    }
  }
}
