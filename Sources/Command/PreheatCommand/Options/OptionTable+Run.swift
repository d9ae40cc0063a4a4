import Pictures

extension OptionTable {
  package static let run = CommandSpec("run", "build or refresh the caches that jobs describe").with {
    $0.detail = [
      "Downloads each source once, renders every variant and stores it under the key and file name "
        + "that the client will look up. What is already there and still right is left alone, so a "
        + "second run is cheap and an interrupted run is resumed by running it again.",
      "The summary, or with --json one object for each rendition, goes to standard output; progress "
        + "and messages go to standard error.",
    ]
    $0.positionals = [jobPositional]
    $0.examples = [
      .init("preheat run jobs/catalog.job", "one job"),
      .init(
        "preheat run --client 'nuke 12' --cache out --chain circle urls.txt",
        "a plain list of URLs"),
    ]
    $0.options =
      jobSettings + running + network + reaching + limits + recording + reporting + [json] + everywhere
  }

  private static let running: [OptionSpec] = [
    OptionSpec("jobs", short: "j", .integer("N", 1...256), "worker processes that render").with {
      $0.defaultText = "one for each processor"
      $0.environment = "PREHEAT_JOBS"
      $0.isCommon = true
    },
    OptionSpec("fail-on", .choices("WHEN", FailOn.allCases.map(\.rawValue)), "none, any or all").with {
      $0.detail = """
        Which failed renditions make the run itself fail: none of them, any of them, or only all of \
        them together.
        """
      $0.defaultText = FailOn.any.rawValue
      $0.environment = "PREHEAT_FAIL_ON"
      $0.isCommon = true
    },
    OptionSpec("wait", "wait while another run holds the cache's lock").with {
      $0.detail = "Otherwise the command ends at once with status \(ExitCode.locked.rawValue)."
      $0.environment = "PREHEAT_WAIT"
      $0.isNegatable = true
      $0.isCommon = true
    },
  ]

  private static let reaching: [OptionSpec] = [
    OptionSpec("offline", "fetch nothing, build from what is there").with {
      $0.detail = """
        Originals in the cache, the HTTP cache, files and data URLs. What would have to be fetched fails with \
        source.offline.
        """
      $0.environment = "PREHEAT_OFFLINE"
      $0.isNegatable = true
    },
    OptionSpec("reload", "fetch and render everything again").with {
      $0.detail = "As if each entry said reload. Entries that say offline stay so."
      $0.environment = "PREHEAT_RELOAD"
      $0.isNegatable = true
    },
  ]

  private static let bounds = RenderLimits()
  private static let optional = ImageFormat.allCases.filter { !ImageFormat.trusted.contains($0) }
    .map(\.rawValue)

  private static let limits: [OptionSpec] = [
    OptionSpec("strict", "refuse pictures that decode with warnings").with {
      $0.detail = "Truncated pictures are refused in any case."
      $0.environment = "PREHEAT_STRICT"
      $0.isNegatable = true
      $0.isCommon = true
    },
    OptionSpec("allow-format", .choices("NAME", optional), "also decode this format (repeatable)").with {
      $0.detail = """
        One of \(optional.joined(separator: ", ")). \
        \(ImageFormat.allCases.filter(ImageFormat.trusted.contains).map(\.rawValue).joined(separator: ", ")) \
        are decoded without being asked for. The variable holds names with spaces between them.
        """
      $0.environment = "PREHEAT_ALLOW_FORMAT"
      $0.repetition = .words
    },
    OptionSpec("max-pixels", .integer("N", 1...10_000_000_000), "most pixels of one picture").with {
      $0.detail = "Width times height, of the source and of each result."
      $0.defaultText = "what the job says, else \(bounds.maxPixels)"
      $0.environment = "PREHEAT_MAX_PIXELS"
    },
    OptionSpec("max-side", .integer("N", 1...1_000_000), "longest side of one picture").with {
      $0.detail = "In pixels, of the source and of each result."
      $0.defaultText = "what the job says, else \(bounds.maxSide)"
      $0.environment = "PREHEAT_MAX_SIDE"
    },
    OptionSpec("max-animation-pixels", .integer("N", 1...1_000_000_000_000), "most pixels of all frames").with
    {
      $0.detail = "Canvas times frames of an animated source."
      $0.defaultText = "what the job says, else \(bounds.maxAnimationPixels)"
      $0.environment = "PREHEAT_MAX_ANIMATION_PIXELS"
    },
    OptionSpec("max-bytes", .bytes("N", 1...(1 << 40)), "most bytes of one source").with {
      $0.detail = "K, M and G stand for powers of 1024."
      $0.defaultText = "what the job says, else \(bounds.maxBytes >> 20)M"
      $0.environment = "PREHEAT_MAX_BYTES"
    },
    OptionSpec("max-memory", .bytes("N", 1...(1 << 40)), "memory of one worker process").with {
      $0.detail = """
        A picture that would need more is refused by its header, or else ends its worker. K, M and G stand \
        for powers of 1024.
        """
      $0.defaultText = "what the job says, else \(RenderLimits.workerBytes >> 20)M"
      $0.environment = "PREHEAT_MAX_MEMORY"
    },
    OptionSpec("timeout", .seconds("SECONDS", 0.1...86_400), "longest rendering of one picture").with {
      $0.detail = "All results of one source together; then the worker is ended and the source fails."
      $0.defaultText = "what the job says, else \(Int(bounds.seconds))"
      $0.environment = "PREHEAT_TIMEOUT"
    },
  ]
}
