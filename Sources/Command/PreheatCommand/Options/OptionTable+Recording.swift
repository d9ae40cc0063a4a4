extension OptionTable {
  /// How a run shows itself, on the terminal and in files.
  package static let recording: [OptionSpec] = [
    OptionSpec("progress", .choices("STYLE", ProgressStyle.allCases.map(\.rawValue)), "bar, plain or none")
      .with {
        $0.detail = """
          A bar that is redrawn in place, a line every ten seconds, or nothing; auto takes the bar on a \
          terminal outside CI, and lines elsewhere.
          """
        $0.defaultText = ProgressStyle.auto.rawValue
        $0.environment = "PREHEAT_PROGRESS"
      },
    OptionSpec("log-format", .choices("FORMAT", LogFormat.allCases.map(\.rawValue)), "plain or journald").with
    {
      $0.detail = """
        How messages begin. With journald each line has its priority, as the system journal reads it, \
        and with --verbose also every signpost is such a line; auto takes it where JOURNAL_STREAM says \
        that standard error leads there.
        """
      $0.defaultText = LogFormat.auto.rawValue
      $0.environment = "PREHEAT_LOG_FORMAT"
    },
    OptionSpec("signposts", .text("FILE"), "record what was done when, for preheat timings").with {
      $0.detail = "NDJSON, one interval a line; docs/signposts.md describes it."
      $0.environment = "PREHEAT_SIGNPOSTS"
    },
    OptionSpec("trace", .text("FILE"), "record the same for Perfetto and chrome://tracing").with {
      $0.environment = "PREHEAT_TRACE"
    },
    OptionSpec("show-private", "also record queries and user info of URLs").with {
      $0.detail = "Otherwise they are left out of --signposts and --trace."
      $0.environment = "PREHEAT_SHOW_PRIVATE"
      $0.isNegatable = true
    },
  ]
}
