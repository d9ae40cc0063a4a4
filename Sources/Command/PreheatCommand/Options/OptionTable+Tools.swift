import CacheTools

/// Commands that look into caches and set them right.
extension OptionTable {
  package static let inspect = CommandSpec("inspect", "show what is in a cache, entry by entry").with {
    $0.detail = [
      "Prints for each file its type, pixel size, bytes, age or expiry, and what the app will do with it: hit, "
        + "expired, damaged, foreign, or swept at its next sweep. Only the beginning of each file is read; "
        + "preheat verify reads all. docs/caches.md explains the words."
    ]
    $0.positionals = [cachePositional]
    $0.examples = [
      .init("preheat inspect out/catalog", "every entry"),
      .init("preheat inspect out/catalog --sort size | head", "the largest"),
    ]
    $0.options =
      [
        OptionSpec("sort", .choices("WORD", InspectedEntry.Order.allCases.map(\.rawValue)), "the order").with
        {
          $0.detail = "Largest, oldest and soonest first."
          $0.defaultText = InspectedEntry.Order.file.rawValue
          $0.isCommon = true
        },
        cacheClient,
      ] + ofRun("size-limit") + [now, json] + everywhere
  }

  package static let verify = CommandSpec("verify", "check every file of a cache again").with {
    $0.detail = [
      "Proves that each file is whole, decodes, has the bytes that were stored and the name of its key, and says what "
        + "is missing, foreign, expired or without its dates. A bundle of any form is checked likewise. Ends with "
        + "\(ExitCode.damaged.rawValue) where an app would be worse off for a file.",
      "--repair takes damaged files out of the cache and its ledger, so that the next run makes them again; with "
        + "--job it does so at once, for those renditions alone.",
    ]
    $0.positionals = [.init("DIR", .file, 1...1, "the cache folder, or a bundle")]
    $0.examples = [
      .init("preheat verify out/catalog", "everything"),
      .init("preheat verify catalog.zip --quick", "a bundle, without decoding"),
      .init("preheat verify out/catalog --repair --job catalog.job", "and make it good"),
    ]
    $0.options =
      [
        OptionSpec("quick", "decode nothing: structure, digests, names and dates alone").with {
          $0.isCommon = true
        },
        OptionSpec("repair", "take damaged files out of the cache").with { $0.isCommon = true },
        OptionSpec("job", .text("JOB"), "with --repair, make them again by this job").with {
          $0.isCommon = true
        },
        cacheClient,
      ]
      + ofRun("cache", "jobs", "wait", "allow-format", "max-pixels", "max-bytes", "timeout", "allow-private")
      + [now, json] + everywhere
  }

  package static let sweep = CommandSpec("sweep", "trim a cache by age or size, as the client does").with {
    $0.detail = [
      "Removes what the client's own sweep would remove. Nuke: beyond the size limit, what was read the longest ago, "
        + "down to 70 % of it. Kingfisher: what has expired, and where the size limit is reached, what was used "
        + "the longest ago, down to half of it. The ledger is kept in step."
    ]
    $0.positionals = [cachePositional]
    $0.examples = [
      .init("preheat sweep out/catalog --dry-run", "what would go"),
      .init("preheat sweep out/catalog --size-limit 50M", "by a limit of the app's own"),
    ]
    $0.options =
      [OptionSpec("dry-run", "remove nothing").with { $0.isCommon = true }, cacheClient]
      + ofRun("size-limit", "wait") + [now, json] + everywhere
  }

  package static let merge = CommandSpec("merge", "join the caches of several shards into one").with {
    $0.detail = [
      "Puts the files of several caches of one client and version into a new cache with one ledger. Different bytes "
        + "under one name are an error that names both files, unless --prefer decides; nothing is written then."
    ]
    $0.positionals = [.init("DIR", .file, 1...Int.max, "a cache folder")]
    $0.examples = [.init("preheat merge out/shard-* -o out/catalog", "all shards")]
    $0.options =
      [
        output("where the joined cache goes; not there yet, or empty"),
        OptionSpec(
          "prefer", .choices("WHICH", MergeOptions.Preference.allCases.map(\.rawValue)),
          "which of two different files is taken"
        ).with {
          $0.detail = "first and last as the caches are named, newest by modification date."
          $0.isCommon = true
        },
        OptionSpec("link", "hard links in place of copies").with {
          $0.detail = "Quick and free, but the caches share their files' dates from then on."
          $0.isCommon = true
        },
        cacheClient,
      ] + ofRun("wait") + [json] + everywhere
  }

  static let diff = CommandSpec("diff", "compare two caches or bundles").with {
    $0.detail = [
      "Compares names and bytes. The exit code is \(ExitCode.success.rawValue) if both hold the same entries, "
        + "\(ExitCode.different.rawValue) if they differ."
    ]
    $0.positionals = [
      .init("OLD", .file, 1...1, "a cache folder, a bundle or its index.json"),
      .init("NEW", .file, 1...1, "another one"),
    ]
    $0.examples = [.init("preheat diff catalog-1.zip out/catalog", "what has changed since a bundle")]
    $0.options = [json] + everywhere
  }

  package static let code = CommandSpec("code", "print the app's requests that a job warms").with {
    $0.detail = [
      "One function for each chain, in the words of the job's client, and the sources that it is warmed for. With "
        + "--tests also their keys, file names and digests, for a unit test of the app."
    ]
    $0.positionals = [jobPositional]
    $0.examples = [.init("preheat code catalog.job --swift > Warmed.swift", "for the app")]
    $0.options =
      [
        OptionSpec("swift", "in Swift").with { $0.isCommon = true },
        OptionSpec("tests", "also a list of keys for a test").with { $0.isCommon = true },
      ] + jobSettings + everywhere
  }

  private static let cachePositional = CommandSpec.Positional("DIR", .file, 1...1, "the cache folder")

  private static let now = OptionSpec("now", .text("MOMENT"), "compare dates with this moment").with {
    $0.detail = "As 2027-01-31T08:00:00Z, or seconds since 1970."
    $0.defaultText = "the present"
  }

  private static func output(_ summary: String) -> OptionSpec {
    OptionSpec("output", short: "o", .text("PATH"), summary).with { $0.isCommon = true }
  }

  /// Rows that mean the same as with `run`.
  private static func ofRun(_ names: String...) -> [OptionSpec] {
    names.compactMap { run.option(named: $0) }
  }
}
