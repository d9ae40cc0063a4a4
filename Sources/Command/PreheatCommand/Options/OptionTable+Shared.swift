import Fetching
import KingfisherCache
import NukeCache
import Pictures
import Planning

/// Rows that more than one command has.
extension OptionTable {
  /// Options of every command.
  package static let everywhere: [OptionSpec] = [
    OptionSpec("quiet", short: "q", "errors only, no progress").with {
      $0.environment = "PREHEAT_QUIET"
      $0.isNegatable = true
    },
    OptionSpec("verbose", short: "v", "say more on standard error").with {
      $0.environment = "PREHEAT_VERBOSE"
      $0.isNegatable = true
    },
    OptionSpec("help", short: "h", "-h: the most used options; --help: all of them"),
    OptionSpec("version", "print the version"),
  ]

  package static let json = OptionSpec("json", "results as JSON, one object a line").with {
    $0.environment = "PREHEAT_JSON"
    $0.isNegatable = true
    $0.isCommon = true
  }

  package static let client = OptionSpec(
    "client", .text("VERSION"), "client and version, such as 'nuke 12' or 'kingfisher 8'"
  ).with {
    $0.detail = "A tag such as 'nuke 12.5.0' matters where keys changed within a major version."
    $0.defaultText = "what the job says"
    $0.environment = "PREHEAT_CLIENT"
    $0.isCommon = true
  }

  package static let scale = OptionSpec("scale", .text("LIST"), "screen scales for sizes in points: '2 3'")
    .with {
      $0.detail = "There is one rendition for each."
      $0.defaultText = "what the job says, else 1"
      $0.environment = "PREHEAT_SCALE"
      $0.isCommon = true
    }

  /// How a Kingfisher app makes its keys and names. A job of another client warns of them.
  static let kingfisherNaming: [OptionSpec] = [
    OptionSpec("style", .choices("NAME", styles), "how a Kingfisher app hands over processors").with {
      $0.detail = """
        options: .processor(...) and setProcessor; builder: the modifiers of KF and KFImage, whose \
        identifiers begin with |>.
        """
      $0.defaultText = "what the job says, else options"
      $0.environment = "PREHEAT_STYLE"
    },
    OptionSpec("path-extension", .text("EXT"), "Kingfisher's DiskStorage.Config.pathExtension").with {
      $0.environment = "PREHEAT_PATH_EXTENSION"
    },
    OptionSpec(
      "auto-extension", .choices("BOOL", ["true", "false"]), "Kingfisher's autoExtAfterHashedFileName"
    ).with {
      $0.environment = "PREHEAT_AUTO_EXTENSION"
    },
    OptionSpec("forced-extension", .text("EXT"), "Kingfisher's forcedCacheFileExtension").with {
      $0.environment = "PREHEAT_FORCED_EXTENSION"
    },
  ]

  package static let expires = OptionSpec("expires", .text("WHEN"), "when Kingfisher's entries expire").with {
    $0.detail =
      "7d, 12h, 30m, 90s, never, a day such as 2027-01-31, or a moment such as 2027-01-31T08:00:00Z."
    $0.defaultText = "what the job says, else never"
    $0.environment = "PREHEAT_EXPIRES"
  }

  /// What may be said on the command line instead of in a job.
  static let jobSettings: [OptionSpec] = sharedSettings + kingfisherNaming + [expires]

  private static let styles = KingfisherKeyFormat.Style.allCases.map(\.rawValue)

  private static let sharedSettings: [OptionSpec] = [
    client,
    OptionSpec("cache", .folder("DIR"), "the cache folder").with {
      $0.detail = """
        Exactly what the app will see. What Preheat itself remembers lies beside it, in DIR.preheat. \
        Relative to the working directory, while a job's own cache line is relative to the job file.
        """
      $0.defaultText = "what the job says"
      $0.environment = "PREHEAT_CACHE"
      $0.isCommon = true
    },
    OptionSpec("chain", .text("CHAIN"), "chain for entries that name none (repeatable)").with {
      $0.detail = """
        Written as in a job: 'resize(width: 320) | circle'. With it, a plain list of URLs is a job. \
        The variable holds one chain a line.
        """
      $0.environment = "PREHEAT_CHAIN"
      $0.repetition = .lines
      $0.isCommon = true
    },
    scale,
    OptionSpec("policy", .choices("NAME", policies), "which entries are written").with {
      $0.detail = """
        The client's own data cache policies, or 'reachable': whatever the client looks up first and \
        finds. One of \(policies.joined(separator: ", ")).
        """
      $0.defaultText = "what the job says, else automatic; a Kingfisher job has none"
      $0.environment = "PREHEAT_POLICY"
    },
    OptionSpec("encode", .text("SPEC"), "how results are encoded").with {
      $0.detail = """
        jpeg, png, webp, heic, avif, keep (the source's own format) or client, with their options in \
        parentheses, as in a job: 'webp(quality: 75)', 'jpeg(quality: 90, fitBytes: 40K)'.
        """
      $0.defaultText = "the client's own choice: JPEG at 0.8, PNG where there is alpha"
      $0.environment = "PREHEAT_ENCODE"
    },
    OptionSpec("embedded", .choices("USE", EmbeddedUse.allCases.map(\.rawValue)), "use of EXIF thumbnails")
      .with {
        $0.detail = """
          Whether the thumbnail that cameras embed may stand for the picture: 'never', 'prefer' where it has the \
          picture's shape and enough pixels, 'only' it, or 'client': as the flags of a thumbnail chain say. An http \
          source for which it does costs its first 64 KiB.
          """
        $0.defaultText = "what the job says, else client"
        $0.environment = "PREHEAT_EMBEDDED"
      },
    OptionSpec("size-limit", .bytes("BYTES", 1...Int.max), "the size limit of the app's disk cache").with {
      $0.detail = """
        Beyond it the app's own sweep removes the least recently used entries; a plan and a run warn of \
        it. K, M and G stand for powers of 1024.
        """
      $0.defaultText = "what the job says, else the client's own: 150M with Nuke, none with Kingfisher"
      $0.environment = "PREHEAT_SIZE_LIMIT"
    },
    OptionSpec("rate-limit", .text("LIMIT"), "how often a host may be asked (repeatable)").with {
      $0.detail = """
        '10/s' for each host, 'img.example.com 30/m burst=5' for one; /s, /m and /h, and how many may go out at \
        once after a pause. The variable holds one limit a line.
        """
      $0.defaultText = "what the job says, else no limit"
      $0.environment = "PREHEAT_RATE_LIMIT"
      $0.repetition = .lines
    },
    OptionSpec("per-host", .integer("N", 1...1024), "transfers at a time to one host").with {
      $0.defaultText = "what the job says, else \(HTTPConfiguration().maxConcurrentPerHost)"
      $0.environment = "PREHEAT_PER_HOST"
    },
    OptionSpec("http-cache", .text("SIZE"), "bytes of responses kept between runs").with {
      $0.detail = """
        A number of bytes, or off. They lie in DIR.preheat. With it a run asks servers again once what they said is stale, and what is \
        unchanged costs header fields only. With off, what is stored is never asked for again. K, M and G \
        stand for powers of 1024.
        """
      $0.defaultText = "what the job says, else 150M"
      $0.environment = "PREHEAT_HTTP_CACHE"
    },
    OptionSpec("stale-if-error", .text("TIME"), "keep what is stale while its server fails").with {
      $0.detail = "How long beyond its freshness: a whole number with s, m, h or d behind it, such as 1d."
      $0.defaultText = "what the job says, else off"
      $0.environment = "PREHEAT_STALE_IF_ERROR"
    },
    OptionSpec("check", .choices("HOW", OriginalCheck.allCases.map(\.rawValue)), "proof of an original").with
    {
      $0.detail = """
        What a picture has to prove that is stored as it came: that it is whole, by its marks and checksums \
        (structure), or that a worker decodes it to its end (decode).
        """
      $0.defaultText = "what the job says, else structure"
      $0.environment = "PREHEAT_CHECK"
    },
    OptionSpec("allow-private", .text("HOST"), "host that may be at a private address (repeatable)").with {
      $0.detail = """
        Loopback, private and link-local addresses are refused otherwise. The variable holds hosts \
        with spaces between them.
        """
      $0.environment = "PREHEAT_ALLOW_PRIVATE"
      $0.repetition = .words
    },
  ]

  private static let policies = DataCachePolicy.allCases.map(\.rawValue) + ["reachable"]

  static let jobPositional = CommandSpec.Positional(
    "JOB", .file, 1...Int.max, "a job file, or a plain list of URLs; - reads standard input")
}
