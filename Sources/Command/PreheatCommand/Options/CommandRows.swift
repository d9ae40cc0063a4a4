import CacheTools
import Fetching
import JobFile
import Pictures
import Rendering
import Settings
import Signposts
import Syntax

/// The keys of settings that are about a command, not about a job.
enum CommandKey {
  static let quiet = SettingKey("quiet", default: false)
  static let verbose = SettingKey("verbose", default: false)
  static let help = SettingKey("help", default: false)
  static let version = SettingKey("version", default: false)
  static let json = SettingKey("json", default: false)
  static let showSecrets = SettingKey("show-secrets", default: false)
  static let logFormat = SettingKey("log-format", default: LogFormat.auto)
  static let progress = SettingKey("progress", default: ProgressStyle.auto)

  static let trustedRoot = SettingKey("trusted-root", default: [String]())
  static let env = SettingKey("env", default: [String]())

  static let shard = SettingKey("shard", default: ShardChoice?.none)
  static let settings = SettingKey("settings", default: String?.none)
  static let workers = SettingKey("workers", default: Int?.none)
  static let failOn = SettingKey("fail-on", default: FailOn.any)
  static let failures = SettingKey("failures", default: String?.none)
  static let wait = SettingKey("wait", default: false)
  static let offline = SettingKey("offline", default: false)
  static let reload = SettingKey("reload", default: false)
  static let strict = SettingKey("strict", default: false)
  static let allowFormat = SettingKey("allow-format", default: [ImageFormat]())
  static let allowUnconfined = SettingKey("allow-unconfined", default: false)

  static let signposts = SettingKey("signposts", default: String?.none)
  static let trace = SettingKey("trace", default: String?.none)
  static let report = SettingKey("report", default: String?.none)
  static let junit = SettingKey("junit", default: String?.none)
  static let metrics = SettingKey("metrics", default: String?.none)
  static let annotations = SettingKey("annotations", default: false)
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
    Setting(CommandKey.quiet, .flag, in: .command, .general, "print only errors").with {
      $0.short = "q"
      $0.isCommon = true
    },
    Setting(CommandKey.verbose, .flag, in: .command, .general, "print more messages").with {
      $0.short = "v"
    },
    Setting(
      CommandKey.help, .flag, in: .flag, .general, "-h: the most used options; --help: all options"
    ).with { $0.short = "h" },
    Setting(CommandKey.version, .flag, in: .flag, .general, "print the version"),
  ]

  static let json = Setting(
    CommandKey.json, .flag, in: .command, .output, "print results as JSON, one object a line"
  ).with { $0.isCommon = true }

  static let showSecrets = Setting(
    CommandKey.showSecrets, .flag, in: .flag, .output, "do not mask user info and query values"
  ).with {
    $0.detail = "By default they are printed as *. Keys in the output of --json are always exact."
  }

  /// The folder of an HTML page. It has no variable: one for runs would send other pages to the same place.
  static func report(_ summary: String) -> Setting {
    Setting(
      CommandKey.report, SettingType<String>.path("DIR", .folder).optional, in: .flag, .reports, summary)
  }

  static let wait = Setting(
    CommandKey.wait, .flag, in: .command, .job, "wait while another run holds the cache's lock"
  ).with {
    $0.detail = "By default the command ends at once with exit code \(ExitCode.locked.rawValue)."
    $0.isCommon = true
  }

  static let workers = Setting(
    CommandKey.workers, SettingType<Int>.integer("N", 1...256).optional, in: .command, .pictures,
    "number of worker processes"
  ).with {
    $0.short = "w"
    $0.defaultText = "one for each CPU"
    $0.isCommon = true
  }

  private static let optionalFormats = ImageFormat.allCases.filter { !ImageFormat.trusted.contains($0) }

  static let allowFormat = Setting(
    list: CommandKey.allowFormat, valueName: "NAME", in: .command, .pictures,
    "also decode this format (repeatable)", example: "allow-format tiff"
  ) { scanner, _, _ throws(Mistake) in
    let start = scanner.position
    let word = String(decoding: scanner.word(), as: UTF8.self)
    if let format = ImageFormat(rawValue: word), optionalFormats.contains(format) { return [format] }
    throw .noSuch("format", word, known: optionalFormats.map(\.rawValue), at: start)
  }.with {
    $0.form = .choices(optionalFormats.map(\.rawValue))
    $0.repetition = .words
    $0.detail = """
      One of \(optionalFormats.map(\.rawValue).joined(separator: ", ")). \
      \(ImageFormat.allCases.filter(ImageFormat.trusted.contains).map(\.rawValue).joined(separator: ", ")) are \
      decoded by default. The variable holds names with spaces between them.
      """
  }

  static let allowUnconfined = Setting(
    CommandKey.allowUnconfined, .flag, in: .command, .pictures,
    "decode pictures without a sandbox"
  ).with {
    $0.detail = """
      Worker processes run behind a seccomp filter. If the kernel does not support it, every picture fails unless this \
      option is given. preheat doctor shows which layers of the sandbox work.
      """
  }

  /// Of `run` alone.
  static let running: [Setting] = [
    workers,
    Setting(
      CommandKey.settings, SettingType<String>.file("FILE").optional, in: .flag, .job,
      "settings for a stream of sources on standard input"
    ).with {
      $0.detail = "A job file without sources. Needs --json and - as the job."
    },
    Setting(
      CommandKey.failOn, .failOn, in: .command, .output,
      "which failures fail the run: none, any, all, 20 or 1%"
    ).with {
      $0.detail = """
        none: the run never fails because of failed renditions. any: one failed rendition is enough. all: only if all \
        fail. A number (20) or a share (1%): at least that many of the renditions to be stored. A line that \
        --skip-invalid leaves out counts as one failed rendition. Warnings do not count. Failures are always listed, \
        also if the exit code is 0.
        """
      $0.defaultText = "any"
      $0.isCommon = true
    },
    wait,
    Setting(CommandKey.offline, .flag, in: .command, .sources, "do not use the network").with {
      $0.detail = """
        Sources are taken from originals in the cache, the HTTP cache, files and data URLs. All others fail with \
        source.offline.
        """
    },
    Setting(CommandKey.reload, .flag, in: .command, .sources, "fetch and render everything again").with {
      $0.detail = "Like the option reload on each job line. Job lines with offline are not changed."
    },
    Setting(CommandKey.strict, .flag, in: .command, .pictures, "reject pictures that decode with warnings")
      .with {
        $0.detail = "Truncated pictures are always rejected."
        $0.isCommon = true
      },
    allowFormat, allowUnconfined,
  ]

  /// How a run shows itself, on the terminal and in files.
  static let recording: [Setting] = [
    Setting(
      CommandKey.progress, .choices("STYLE", of: "style of progress"), in: .command, .output,
      "bar, plain or none"
    ).with {
      $0.detail = """
        bar: one line that is redrawn. plain: a line every ten seconds. none: no progress. auto: a bar on a terminal \
        outside CI, else plain.
        """
      $0.defaultText = ProgressStyle.auto.rawValue
    },
    Setting(
      CommandKey.logFormat, .choices("FORMAT", of: "log format"), in: .command, .output, "plain or journald"
    )
    .with {
      $0.detail = """
        journald: each line begins with its priority for the system journal; with --verbose, signposts are lines too. \
        auto: journald if JOURNAL_STREAM shows that standard error is connected to the journal, else plain.
        """
      $0.defaultText = LogFormat.auto.rawValue
    },
    Setting(
      CommandKey.signposts, SettingType<String>.path("FILE").optional, in: .command, .reports,
      "record the times of all operations, for preheat timings"
    ).with { $0.detail = "NDJSON, one interval a line; docs/signposts.md describes it." },
    Setting(
      CommandKey.trace, SettingType<String>.path("FILE").optional, in: .command, .reports,
      "record the times for Perfetto and chrome://tracing"),
    showSecrets.with {
      $0.summary = "record queries and user info of URLs too"
      $0.topic = .reports
      $0.detail = "By default they are left out of --signposts and --trace."
    },
  ]

  /// The reports of a run, for people, CI and monitoring.
  static let reporting: [Setting] = [
    report("write the HTML page of the run into this folder").with {
      $0.isCommon = true
      $0.detail =
        "index.html; a large report has more files beside it. See docs/report.md."
    },
    Setting(
      CommandKey.junit, SettingType<String>.path("FILE").optional, in: .command, .reports,
      "write the renditions as JUnit test cases"
    ).with { $0.isCommon = true },
    Setting(
      CommandKey.failures, SettingType<String>.path("FILE").optional, in: .command, .reports,
      "write a job with the job lines that failed"
    ).with {
      $0.isCommon = true
      $0.detail = """
        Run this job to try the failed lines again. It has the settings of this run, each failed line with its cause, \
        and lines that were left out as comments. It contains URLs and headers with their secrets, so only its owner \
        can read it. It is also written if nothing failed. The file for the second job has -2 before the extension.
        """
    },
    Setting(
      CommandKey.metrics, SettingType<String>.path("FILE").optional, in: .command, .reports,
      "write metrics in the text format of Prometheus"
    ).with {
      $0.detail = "The file is replaced in one step, as the textfile collector of node_exporter needs it."
    },
    Setting(
      CommandKey.annotations, .flag, in: .command, .reports,
      "show errors at the job's lines on GitHub"
    ).with {
      $0.detail = "Also adds a summary to the file named by GITHUB_STEP_SUMMARY."
      $0.defaultText = "on if GITHUB_ACTIONS is true"
    },
  ]
}

extension SettingType where Value == String {
  /// The whole text, whatever is in it, but not empty.
  static func path(_ name: String, _ form: SettingForm = .file) -> Self {
    Self(name, form) { scanner, setting throws(Mistake) in
      let start = scanner.position
      let text = scanner.take { _ in true }
      if text.isEmpty { throw Mistake(start, "\(setting) is empty") }
      return String(decoding: text, as: UTF8.self)
    }
  }
}
