import ClientKit
import ClientRegistry
import Pictures
import Settings
import Syntax
import Text

/// The keys under which the values of a job's settings stand.
package enum JobKey {
  package static let scale = SettingKey("scale", default: [1.0])
  package static let encode = SettingKey("encode", default: EncodingChoice.client)
  package static let embedded = SettingKey("embedded", default: EmbeddedUse.client)
  package static let sizeLimit = SettingKey("size-limit", default: Int?.none)
  package static let stripQuery = SettingKey("strip-query", default: [QueryPattern]())
  package static let header = SettingKey("header", default: [HostHeader]())
  package static let allowPrivate = SettingKey("allow-private", default: [String]())
  package static let rateLimit = SettingKey("rate-limit", default: [RateLimit]())
  package static let perHost = SettingKey("per-host", default: Int?.none)
  package static let signature = SettingKey("aws-sigv4", default: [HostSignature]())
  package static let httpCache = SettingKey("http-cache", default: Int?(150 << 20))
  package static let staleIfError = SettingKey("stale-if-error", default: 0)
  package static let prune = SettingKey("prune", default: false)
  package static let check = SettingKey("check", default: OriginalCheck.structure)
  package static let maxMemory = SettingKey("max-memory", default: Int?.none)
}

extension SettingTable {
  /// Everything that a job may say: its own rows, those of the clients and those of its lines.
  package static var jobs: SettingTable {
    SettingTable(
      JobRows.job + JobRows.losses + ClientRegistry.settings + JobRows.sources + JobRows.pictures
        + JobRows.limits.map(\.row) + LineOption.all.map(\.row))
  }
}

/// The settings that every client's jobs have.
package enum JobRows {
  /// Rows that ``JobFile`` reads itself, since they say what the job is.
  package enum Structure: String, CaseIterable {
    case client, cache, chain, `default`, include
  }

  static func structure(
    _ row: Structure, _ valueName: String, _ form: SettingForm = .text, in places: Setting.Places,
    _ summary: String, example: String
  ) -> Setting {
    Setting(
      name: row.rawValue, value: (valueName, form), places: places, topic: .job, summary: summary,
      example: example
    ) { scanner, _, _ in
      // On a command line it is looked at where the job is read.
      _ = scanner.take { _ in true }
    }
  }

  package static let client = structure(
    .client, "VERSION", in: .all, "image library and version, such as '\(ClientRegistry.example)'",
    example: "client \(ClientRegistry.example)"
  ).with {
    $0.detail = """
      Known are \(ClientRegistry.versionsInWords). A major version stands for its newest release that is known; a release such as \
      '\(ClientRegistry.example).0.0' matters where keys changed within a major version.
      """
    $0.changes = [.keys, .folder]
    $0.isCommon = true
  }

  package static let scale = Setting(
    JobKey.scale, .scales, in: .all, .job, "screen scales for sizes in points: '2 3'", example: "scale 2 3"
  ).with {
    $0.detail = """
      One rendition for each; a single one where keys hold no scale. Without it points are a 1x screen's: a warning.
      """
    $0.defaultText = "1"
    $0.isCommon = true
  }

  static let job: [Setting] = [
    client,
    structure(.cache, "DIR", .folder, in: .all, "the cache folder", example: "cache out/com.example.catalog")
      .with {
        $0.detail = """
          Exactly what the app will see. Preheat's own files are beside it, in DIR.preheat. A flag's path is \
          relative to the working directory, a job's own cache line to the job file.
          """
        $0.changes = .place
        $0.isCommon = true
      },
    structure(
      .default, "CHAIN", in: .all, "chain for job lines that name none (repeatable)",
      example: "default card list"
    ).with {
      $0.flagName = "chain"
      $0.changes = .lines
      $0.repetition = .lines
      $0.detail = """
        Written as in a job: 'resize(width: 320) | circle'. With it, a plain list of URLs is a job. The variable \
        holds one chain a line.
        """
      $0.isCommon = true
    },
    structure(
      .chain, "NAME = CHAIN", in: .job, "gives a chain a name", example: "chain card = resize(width: 320)"
    )
    .with { $0.repetition = .lines },
    structure(.include, "FILE CHAINS", in: .job, "a plain list of sources", example: "include urls.txt card")
      .with {
        $0.repetition = .lines
        $0.detail =
          "One source a line, relative to the job file; the chains and options hold for each of them."
      },
    scale,
    Setting(
      JobKey.sizeLimit, SettingType<Int>.bytes("BYTES", 1...Int.max).optional, in: .all, .job,
      "the size limit of the app's disk cache", example: "size-limit 300M"
    ).with {
      $0.detail = """
        Beyond it the app's own sweep removes the least recently used entries; a plan and a run warn of it. K, M and \
        G stand for powers of 1024.
        """
      $0.defaultText = "the client's own limit"
      $0.changes = .sizes
    },
    Setting(
      JobKey.prune, .flag, in: .all, .job, "remove entries that the job no longer names", example: "prune on"
    ).with {
      $0.detail = """
        At the end of a run, entries that Preheat made and that none of the run's jobs names are removed from the cache; \
        files of others stay. All jobs of a cache have to be in one run. A run that is interrupted removes nothing.
        """
      $0.defaultText = "off"
      $0.changes = .pruning
      $0.isCommon = true
    },
  ]

  static let sources: [Setting] = [
    Setting(
      list: JobKey.stripQuery, valueName: "NAMES", in: .job, .sources,
      "query items that the app's keys leave out", example: "strip-query token X-Amz-*"
    ) { scanner, _, _ throws(Mistake) in
      try SettingText.words(&scanner) { word, place throws(Mistake) in
        try SettingText.queryPattern(word, at: place)
      }
    }.with {
      $0.detail =
        "* stands for any run of characters. What is left of the URL is the ID or cache key that the app sets."
    },
    Setting(
      list: JobKey.header, valueName: "HOST NAME: VALUE", in: .job, .sources, "a header field for one host",
      example: "header img.example.com Accept: image/*"
    ) { scanner, known, variables throws(Mistake) in
      [try HeaderText.header(&scanner, known: known, variables: variables)]
    }.with {
      $0.detail =
        "${NAME} stands for a variable of the environment, here and nowhere else. No output has its value."
    },
    Setting(
      list: JobKey.allowPrivate, valueName: "HOST", in: .all, .sources,
      "host that may be at a private address (repeatable)", example: "allow-private media.intranet"
    ) { scanner, _, _ throws(Mistake) in
      try SettingText.words(&scanner) { word, place throws(Mistake) in
        try SettingText.host(word, at: place, allowsWildcard: true)
      }
    }.with {
      $0.repetition = .words
      $0.changes = [.fetching, .repairing]
      $0.detail = """
        Loopback, private and link-local addresses are refused otherwise. The variable holds hosts with spaces \
        between them.
        """
    },
    Setting(
      list: JobKey.rateLimit, valueName: "LIMIT", in: .all, .sources,
      "how often a host may be asked (repeatable)",
      example: SettingText.rateLimitExample
    ) { scanner, _, _ throws(Mistake) in [try SettingText.rateLimit(&scanner)] }.with {
      $0.detail = """
        '10/s' for each host, 'img.example.com 30/m burst=5' for one; /s, /m and /h, and how many may go out at once \
        after a pause. A host may be *.suffix; a limit without one holds for each host that no other limit names. The \
        variable holds one limit a line.
        """
      $0.defaultText = "no limit"
      // The first that names a host holds for it.
      $0.lay = { base, outer in base[JobKey.rateLimit] = outer[JobKey.rateLimit] + base[JobKey.rateLimit] }
    },
    Setting(
      JobKey.perHost, SettingType<Int>.integer("N", 1...1024).optional, in: .all, .sources,
      "transfers at a time to one host",
      example: "per-host 6"
    ).with { $0.defaultText = "6" },
    Setting(
      list: JobKey.signature, valueName: "HOST SCOPE", in: .job, .sources,
      "signs requests to a host (AWS Signature 4)", example: SettingText.signatureExample
    ) { scanner, _, variables throws(Mistake) in
      [try SettingText.signature(&scanner, variables: variables)]
    }.with {
      $0.detail = """
        With AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and, where it is set, AWS_SESSION_TOKEN. A request that another \
        host redirects there is not signed.
        """
    },
    Setting(
      JobKey.httpCache, .sizeOrOff, in: .all, .sources, "bytes of responses kept between runs",
      example: "http-cache 300M"
    ).with {
      $0.detail = """
        A number of bytes, or off. They lie in DIR.preheat. With it a run asks servers again once what they said is \
        stale, and what is unchanged costs header fields only. With off, what is stored is never asked for again. K, \
        M and G stand for powers of 1024.
        """
      $0.defaultText = "150M"
    },
    Setting(
      JobKey.staleIfError, .period("TIME", off: true), in: .all, .sources,
      "serve stale responses for this long if the server fails", example: "stale-if-error 1d"
    ).with {
      $0.detail =
        "Counted from the end of the response's freshness: a whole number with s, m, h or d behind it, or off."
      $0.defaultText = "off"
    },
    Setting(
      JobKey.check, .choices("HOW", of: "check"), in: .all, .sources, "proof of an original",
      example: "check decode"
    ).with {
      $0.detail = """
        What a picture has to prove that is stored as it came: that it is whole, by its marks and checksums \
        (structure), or that a worker decodes it to its end (decode).
        """
      $0.defaultText = "structure"
    },
  ]

  static let pictures: [Setting] = [
    Setting(
      JobKey.encode, .encoding, in: .all, .pictures, "how results are encoded",
      example: "encode jpeg(quality: 80)"
    ).with {
      $0.detail = """
        \(EncodingText.encoderNames.joined(separator: ", ")), with their options in parentheses (keep is the source's \
        own format), as in a job: 'webp(quality: 75)', 'jpeg(quality: 90, fitBytes: 40K)'.
        """
      $0.defaultText = "the client's own choice"
      $0.changes = .encoding
    },
    Setting(
      JobKey.embedded, .choices("USE", of: "use of embedded thumbnails"), in: .all, .pictures,
      "use of EXIF thumbnails", example: "embedded prefer"
    ).with {
      $0.detail = """
        Whether the thumbnail that cameras embed may stand for the picture: 'never', 'prefer' where it has the \
        picture's shape and enough pixels, 'only' it, or 'client': as the flags of a thumbnail chain say. An http \
        source for which it is enough costs its first 64 KiB.
        """
      $0.defaultText = "client"
    },
  ]

  private static let usual = RenderLimits()

  private static func limit<Value>(
    _ name: String, _ field: any WritableKeyPath<RenderLimits, Value> & Sendable, _ type: SettingType<Value>,
    _ summary: String, example: String, usual: String, detail: String
  ) -> FieldSetting<RenderLimits> {
    FieldSetting(name, field, type, in: .all, .limits, summary).with {
      $0.example = "\(name) \(example)"
      $0.detail = detail
      $0.defaultText = usual
    }
  }

  /// What a stranger's picture may cost.
  static let limits: [FieldSetting<RenderLimits>] = [
    limit(
      "max-pixels", \.maxPixels, .integer("N", 1...10_000_000_000), "most pixels of one picture",
      example: "80000000", usual: "\(usual.maxPixels)",
      detail: "Width times height, of the source and of each result."),
    limit(
      "max-side", \.maxSide, .integer("N", 1...1_000_000), "longest side of one picture",
      example: "20000", usual: "\(usual.maxSide)", detail: "In pixels, of the source and of each result."),
    limit(
      "max-animation-pixels", \.maxAnimationPixels, .integer("N", 1...1_000_000_000_000),
      "most pixels of all frames", example: "500000000", usual: "\(usual.maxAnimationPixels)",
      detail: "Canvas times frames of an animated source."),
    limit(
      "max-bytes", \.maxBytes, .bytes("N", 1...(1 << 40)), "most bytes of one source", example: "20M",
      usual: "\(usual.maxBytes >> 20)M", detail: "K, M and G stand for powers of 1024."),
    FieldSetting(
      Setting(
        JobKey.maxMemory, SettingType<Int>.bytes("N", 1...(1 << 40)).optional, in: .all, .limits,
        "memory of one worker process", example: "max-memory 1G"
      ).with {
        $0.detail = """
          A picture that would need more is refused by its header, or else ends its worker. K, M and G stand for powers \
          of 1024.
          """
        $0.defaultText = "\(RenderLimits.workerBytes >> 20)M"
      }
    ) { limits, values in
      guard let bytes = values[JobKey.maxMemory] else { return }
      limits.maxDecodeBytes = RenderLimits.decodeBytes(ofWorker: bytes)
    },
    limit(
      "render-timeout", \.seconds, .seconds("SECONDS", 0.1...86_400), "longest rendering of one result",
      example: "30", usual: "\(Int(usual.seconds))",  // fits: our own default
      detail: """
        Counted for each result while its worker has a processor. What takes longer is tried once more, by itself.
        """),
  ]
}
