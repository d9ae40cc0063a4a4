import CacheTools
import Fetching
import JobFile
import Pictures
import Rendering
import Settings
import Signposts
import Syntax

/// The keys of settings that are about a command, not about a job.
package enum CommandKey {
  package static let quiet = SettingKey("quiet", default: false)
  package static let verbose = SettingKey("verbose", default: false)
  package static let help = SettingKey("help", default: false)
  package static let version = SettingKey("version", default: false)
  package static let json = SettingKey("json", default: false)
  package static let showSecrets = SettingKey("show-secrets", default: false)
  package static let logFormat = SettingKey("log-format", default: LogFormat.auto)
  package static let progress = SettingKey("progress", default: ProgressStyle.auto)

  package static let trustedRoot = SettingKey("trusted-root", default: [String]())
  package static let env = SettingKey("env", default: [String]())

  package static let shard = SettingKey("shard", default: ShardChoice?.none)
  package static let settings = SettingKey("settings", default: String?.none)
  package static let workers = SettingKey("workers", default: Int?.none)
  package static let failOn = SettingKey("fail-on", default: FailOn.any)
  package static let failures = SettingKey("failures", default: String?.none)
  package static let wait = SettingKey("wait", default: false)
  package static let offline = SettingKey("offline", default: false)
  package static let reload = SettingKey("reload", default: false)
  package static let strict = SettingKey("strict", default: false)
  package static let engine = SettingKey("engine", default: RenderEngine.automatic)
  package static let allowFormat = SettingKey("allow-format", default: [ImageFormat]())
  package static let allowUnconfined = SettingKey("allow-unconfined", default: false)

  package static let signposts = SettingKey("signposts", default: String?.none)
  package static let trace = SettingKey("trace", default: String?.none)
  package static let report = SettingKey("report", default: String?.none)
  package static let junit = SettingKey("junit", default: String?.none)
  package static let metrics = SettingKey("metrics", default: String?.none)
  package static let annotations = SettingKey("annotations", default: false)
}

/// How a run shows how far it has come.
package enum ProgressStyle: String, Sendable, Hashable, CaseIterable {
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
    Setting(CommandKey.quiet, .flag, in: .command, .general, "errors only, no progress").with {
      $0.short = "q"
      $0.isCommon = true
    },
    Setting(CommandKey.verbose, .flag, in: .command, .general, "say more on standard error").with {
      $0.short = "v"
    },
    Setting(
      CommandKey.help, .flag, in: .flag, .general, "-h: the most used options; --help: all of them"
    ).with { $0.short = "h" },
    Setting(CommandKey.version, .flag, in: .flag, .general, "print the version"),
  ]

  static let json = Setting(
    CommandKey.json, .flag, in: .command, .output, "results as JSON, one object a line"
  ).with { $0.isCommon = true }

  static let showSecrets = Setting(
    CommandKey.showSecrets, .flag, in: .flag, .output, "print user info and query values as they are"
  ).with {
    $0.detail = "Otherwise * stands in their place. Keys in the objects of --json are exact in any case."
  }

  /// The folder of an HTML page. It has no variable: one for runs would send other pages to the same place.
  static func report(_ summary: String) -> Setting {
    Setting(
      CommandKey.report, SettingType<String>.path("DIR", .folder).optional, in: .flag, .reports, summary)
  }

  static let wait = Setting(
    CommandKey.wait, .flag, in: .command, .job, "wait while another run holds the cache's lock"
  ).with {
    $0.detail = "Otherwise the command ends at once with status \(ExitCode.locked.rawValue)."
    $0.isCommon = true
  }

  static let workers = Setting(
    CommandKey.workers, SettingType<Int>.integer("N", 1...256).optional, in: .command, .pictures,
    "worker processes that render"
  ).with {
    $0.short = "w"
    $0.defaultText = "one for each processor"
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
    "decode also where the system confines no decoder"
  ).with {
    $0.detail = """
      Decoders run behind a filter of system calls that leaves them memory and threads alone. Where the kernel has none \
      every picture fails; with this they are drawn all the same. preheat doctor tells which layers hold.
      """
  }

  /// Of `run` alone.
  static let running: [Setting] = [
    workers,
    Setting(
      CommandKey.settings, SettingType<String>.file("FILE").optional, in: .flag, .job,
      "a job without sources, for those on standard input"
    ).with {
      $0.detail = "With --json and - for the job: sources are taken as they come, and answered one by one."
    },
    Setting(CommandKey.failOn, .failOn, in: .command, .output, "none, any, all, a number or a share").with {
      $0.detail = """
        How many failed renditions make the run itself fail: none, any, only all of them together, so many (20) or more, \
        or this share (1%) or more of the renditions that are to be stored. A line that --skip-invalid leaves out counts \
        as one of them. Warnings never count. Below the bound the exit code is 0, and failures are told all the same.
        """
      $0.defaultText = "any"
      $0.isCommon = true
    },
    wait,
    Setting(CommandKey.offline, .flag, in: .command, .sources, "fetch nothing, build from what is there").with
    {
      $0.detail = """
        Originals in the cache, the HTTP cache, files and data URLs. What would have to be fetched fails with \
        source.offline.
        """
    },
    Setting(CommandKey.reload, .flag, in: .command, .sources, "fetch and render everything again").with {
      $0.detail = "As if each job line said reload. Lines that say offline stay so."
    },
    Setting(CommandKey.strict, .flag, in: .command, .pictures, "refuse pictures that decode with warnings")
      .with {
        $0.detail = "Truncated pictures are refused in any case."
        $0.isCommon = true
      },
    Setting(
      CommandKey.engine, .choices("NAME", of: "engine"), in: .command, .pictures,
      "what decodes pictures: auto or libvips"
    ).with {
      $0.detail = """
        auto has plain JPEG files read and written by libjpeg-turbo alone, which is faster; the pixels are the same.
        """
      $0.defaultText = RenderEngine.automatic.rawValue
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
        A bar that is redrawn in place, a line every ten seconds, or nothing; auto takes the bar on a terminal \
        outside CI, and lines elsewhere.
        """
      $0.defaultText = ProgressStyle.auto.rawValue
    },
    Setting(
      CommandKey.logFormat, .choices("FORMAT", of: "log format"), in: .command, .output, "plain or journald"
    )
    .with {
      $0.detail = """
        How messages begin. With journald each line has its priority, as the system journal reads it, and with \
        --verbose also every signpost is such a line; auto takes it where JOURNAL_STREAM says that standard error \
        leads there.
        """
      $0.defaultText = LogFormat.auto.rawValue
    },
    Setting(
      CommandKey.signposts, SettingType<String>.path("FILE").optional, in: .command, .reports,
      "record what was done when, for preheat timings"
    ).with { $0.detail = "NDJSON, one interval a line; docs/signposts.md describes it." },
    Setting(
      CommandKey.trace, SettingType<String>.path("FILE").optional, in: .command, .reports,
      "record the same for Perfetto and chrome://tracing"),
    showSecrets.with {
      $0.summary = "also record queries and user info of URLs"
      $0.topic = .reports
      $0.detail = "Otherwise they are left out of --signposts and --trace."
    },
  ]

  /// What a run leaves for people, for CI and for monitoring.
  static let reporting: [Setting] = [
    report("write the HTML page of the run into this folder").with {
      $0.isCommon = true
      $0.detail =
        "index.html, and the list and its pictures beside it where they are many; docs/report.md describes it."
    },
    Setting(
      CommandKey.junit, SettingType<String>.path("FILE").optional, in: .command, .reports,
      "write the renditions as JUnit test cases"
    ).with { $0.isCommon = true },
    Setting(
      CommandKey.failures, SettingType<String>.path("FILE").optional, in: .command, .reports,
      "write what failed as a job that can be run again"
    ).with {
      $0.isCommon = true
      $0.detail = """
        With the settings of this run, the lines that failed, each with its cause, and as comments the lines that were \
        left out. URLs and headers are in it as the job has them, secrets too: only its owner can read it. It is written \
        also where nothing failed. Of several jobs the second has FILE with -2 before its ending, and so on.
        """
    },
    Setting(
      CommandKey.metrics, SettingType<String>.path("FILE").optional, in: .command, .reports,
      "write the counts in the text form of Prometheus"
    ).with { $0.detail = "Replaced in one step, as the node exporter's textfile collector wants it." },
    Setting(
      CommandKey.annotations, .flag, in: .command, .reports,
      "mark errors on the job's lines in GitHub's pages"
    ).with {
      $0.detail = "Also writes the summary of the job, where GITHUB_STEP_SUMMARY names a file."
      $0.defaultText = "on where GITHUB_ACTIONS is true"
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
