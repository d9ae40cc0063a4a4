import Signposts

extension OptionTable {
  static let timings = CommandSpec("timings", "statistics of a signpost log").with {
    $0.detail = [
      "Says of every operation of a run how often it was done, how long it took and how many of it ran "
        + "at once. The log is written by preheat run --signposts; several logs are taken together.",
      "Percentiles are nearest ranks. The parallelism is an average over the time in which the operation "
        + "ran at all, and its peak.",
    ]
    $0.positionals = [.init("LOG", .file, 1...Int.max, "a signpost log")]
    $0.examples = [
      .init("preheat timings run.ndjson", "every operation"),
      .init("preheat timings --by host run.ndjson", "the same for each server"),
      .init("preheat timings --compare before.ndjson after.ndjson", "what became faster, what slower"),
    ]
    $0.options =
      [
        OptionSpec("by", .choices("WHAT", groupings), "split by host, chain or worker").with {
          $0.detail = "Operations without such a value are left out."
          $0.isCommon = true
        },
        OptionSpec("compare", .text("OTHER"), "compare with an older log").with {
          $0.detail = """
            Medians are compared. The noise is how far apart they may lie by chance alone, in 95 of 100 \
            cases; only what lies beyond it is called faster or slower.
            """
          $0.isCommon = true
        },
        OptionSpec("histogram", "also draw how the times are spread").with { $0.isCommon = true },
        json,
      ] + everywhere
  }

  private static let groupings = SignpostGrouping.allCases.map(\.rawValue)
}
