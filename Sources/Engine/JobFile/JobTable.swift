import ClientRegistry
import Pictures
import Syntax

/// The keys under which the values of a job's settings stand.
package enum JobKey {
  package static let scale = SettingKey("scale", default: [1.0])
  package static let nearestRelease = SettingKey("nearest-release", default: false)
  package static let encode = SettingKey("encode", default: EncodingChoice.client)
  package static let embedded = SettingKey("embedded", default: EmbeddedUse.client)
  package static let gamut = SettingKey("gamut", default: Gamut.client)
  package static let drawing = SettingKey("drawing", default: Drawing.device)
  package static let sizeLimit = SettingKey("size-limit", default: Int?.none)
  package static let maxSize = SettingKey("max-size", default: Int?.none)
  package static let stripQuery = SettingKey("strip-query", default: [String]())
  package static let header = SettingKey("header", default: [HostHeader]())
  package static let allowPrivate = SettingKey("allow-private", default: [String]())
  package static let rateLimit = SettingKey("rate-limit", default: [RateLimit]())
  package static let perHost = SettingKey("per-host", default: Int?.none)
  package static let signature = SettingKey("aws-sigv4", default: [HostSignature]())
  package static let httpCache = SettingKey("http-cache", default: Int?(150 << 20))
  package static let staleIfError = SettingKey("stale-if-error", default: 0)
  package static let revalidate = SettingKey("revalidate", default: Revalidation.stale)
  package static let prune = SettingKey("prune", default: false)
  package static let pruneMost = SettingKey("prune-most", default: 50.0)
  package static let check = SettingKey("check", default: OriginalCheck.structure)
  package static let maxMemory = SettingKey("max-memory", default: Int?.none)
  package static let skipInvalid = SettingKey("skip-invalid", default: false)
  package static let allowEmpty = SettingKey("allow-empty", default: false)
}

extension SettingTable {
  /// Everything that a job may say: its own rows, those of the clients and those of its lines.
  package static var jobs: SettingTable {
    SettingTable(
      JobRows.job + JobRows.losses + ClientRegistry.settings + JobRows.sources + JobRows.pictures
        + JobRows.limits.map(\.row) + LineOption.all.map(\.row))
  }

  /// Words that cannot name a chain, whatever the client; its own processors cannot either.
  package var reservedWords: Set<String> {
    Set(jobRows.map(\.name) + LineOption.names + ["original", "as"])
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
    _ summary: String, example: String, detail: String = ""
  ) -> Setting {
    Setting(
      name: row.rawValue, value: (valueName, form), places: places, topic: .job, summary: summary,
      example: example
    ) { scanner, _, _ in
      // On a command line it is looked at where the job is read.
      _ = scanner.take { _ in true }
    }.with(detail: detail)
  }

  package static let client = structure(
    .client, "VERSION", in: .all, "image library and version, such as '\(ClientRegistry.example)'",
    example: "client \(ClientRegistry.example)",
    detail: """
      Supported are \(ClientRegistry.versionsInWords). A major version stands for its newest known release. Give the exact release, such \
      as '\(ClientRegistry.example).0.0', if keys changed within a major version; or '\(lockExample)', and the release is the one that \
      the app's Package.resolved or Podfile.lock names. The path of the option is relative to the working \
      directory, the path in a job to the job file.
      """
  ).with(changes: [.keys, .folder]).common

  /// For advice: `nuke from ../App/Package.resolved`.
  package static let lockExample =
    "\(ClientRegistry.libraries.first?.name ?? "NAME") from ../App/Package.resolved"

  package static let scale = Setting(
    JobKey.scale, .scales, in: .all, .job, "screen scales for sizes in points: '2 3'", example: "scale 2 3",
    detail: """
      One rendition is made for each scale, or one for all if the keys do not contain the scale. Without a scale, points \
      are those of a 1x screen, with a warning.
      """
  ).with(usual: "1").common

  static let job: [Setting] = [
    client,
    Setting(
      JobKey.nearestRelease, .flag, in: .all, .job, "take the nearest known release for a later one",
      example: "nearest-release on",
      detail: """
        A later patch or minor version than those known is taken with a warning, and a later major version is refused, \
        since its keys may differ. With this option, the last known release before it is the job's.
        """
    ).with(usual: "off", changes: [.keys, .folder]),
    structure(
      .cache, "DIR", .folder, in: .all, "the cache folder", example: "cache out/com.example.catalog",
      detail: """
        It contains only the app's files; Preheat's own files are in the state folder DIR.preheat. The path of the option \
        is relative to the working directory, the path in a job to the job file.
        """
    ).with(changes: .place).common,
    structure(
      .default, "CHAIN", in: .all, "chain for job lines without one (repeatable)",
      example: "default card list",
      detail: """
        Written as in a job: 'resize(width: 320) | circle'. With this option, a list of URLs is a job. The variable \
        contains one chain a line.
        """
    ).with(changes: .lines).with {
      $0.flagName = "chain"
      $0.repetition = .lines
    }.common,
    structure(
      .chain, "NAME = CHAIN", in: .job, "gives a chain a name", example: "chain card = resize(width: 320)"
    ).with { $0.repetition = .lines },
    structure(
      .include, "FILE CHAINS", in: .job, "a list of URLs, one a line, or a catalogue",
      example: "include urls.txt card",
      detail: """
        The path is relative to the job file. The chains and options apply to each URL. A catalogue (CSV, TSV, JSON, \
        NDJSON; a file, - or a URL) needs url=FIELD, and may have id=, priority=, expires=, where=, rows=, format=, base= \
        and split=; \
        see docs/catalogues.md.
        """
    ).with { $0.repetition = .lines },
    scale,
    Setting(
      JobKey.sizeLimit, SettingType<Int>.bytes("BYTES", 1...Int.max).optional, in: .all, .job,
      "the size limit of the app's disk cache", example: "size-limit 300M",
      detail: """
        If the cache is larger, the app's own sweep removes the least recently used entries; plan and run warn about it. K, M and \
        G stand for powers of 1024.
        """
    ).with(usual: "the client's own limit", changes: .sizes),
    Setting(
      JobKey.maxSize, SettingType<Int>.bytes("BYTES", 1...(1 << 50)).optional, in: .all, .job,
      "the maximum size of the files in a bundle", example: "max-size 40M",
      detail: """
        The budget of a bundle. plan and run say how much of it the cache takes. For bundle a larger cache is an error, \
        unless --drop is given. K, M and G stand for powers of 1024.
        """
    ).with(changes: .budget),
    Setting(
      JobKey.prune, .flag, in: .all, .job, "remove entries that the job no longer names", example: "prune on",
      detail: """
        At the end of a run, entries that the jobs of this run made and no longer name are removed. Files that Preheat \
        did not make, and entries of other jobs or clients, are kept. Give all jobs of a cache to one run. An interrupted \
        run removes nothing.
        """
    ).with(usual: "off", changes: .pruning).common,
    Setting(
      JobKey.pruneMost, .share("SHARE"), in: .all, .job, "the share of entries that prune may remove at once",
      example: "prune-most 20%",
      detail: """
        If more of the jobs' entries would go, for example because a list came empty, nothing is removed and the run ends \
        with exit code 8. 100% allows everything.
        """
    ).with(usual: "50%", changes: .pruning),
  ]

  static let sources: [Setting] = [
    Setting(
      list: JobKey.stripQuery, valueName: "NAMES", in: .job, .sources,
      "query items that the app's keys leave out", example: "strip-query token X-Amz-*"
    ) { scanner, _, _ throws(Mistake) in
      try SettingText.words(&scanner) { word, place throws(Mistake) in
        try SettingText.queryPattern(word, at: place)
      }
    }.with(
      detail: "* matches any characters. The app must set the remaining URL as image ID or cache key.",
      changes: .keys),
    Setting(
      list: JobKey.header, valueName: "HOST NAME: VALUE", in: .job, .sources, "a header field for one host",
      example: "header img.example.com Accept: image/*"
    ) { scanner, known, variables throws(Mistake) in
      [try HeaderText.header(&scanner, known: known, variables: variables)]
    }.with(detail: "${NAME} is replaced by the environment variable. Its value is never printed."),
    Setting(
      list: JobKey.allowPrivate, valueName: "HOST", in: .all, .sources,
      "allow private addresses for this host (repeatable)", example: "allow-private media.intranet"
    ) { scanner, _, _ throws(Mistake) in
      try SettingText.words(&scanner) { word, place throws(Mistake) in
        try SettingText.host(word, at: place, allowsWildcard: true)
      }
    }.with(
      detail: """
        By default, loopback, private and link-local addresses are refused. The variable contains hosts separated \
        by spaces.
        """
    ).with { $0.repetition = .words },
    Setting(
      list: JobKey.rateLimit, valueName: "LIMIT", in: .all, .sources,
      "maximum rate of requests to a host (repeatable)",
      example: SettingText.rateLimitExample
    ) { scanner, _, _ throws(Mistake) in [try SettingText.rateLimit(&scanner)] }.with(
      detail: """
        '10/s' is the limit for each host, 'img.example.com 30/m burst=5' for one. Units are /s, /m and /h; burst is the \
        number of requests that may start at once after a pause. A host can be *.suffix. A limit without a host applies \
        to all hosts without their own limit. The variable contains one limit a line.
        """, usual: "no limit"),
    Setting(
      JobKey.perHost, SettingType<Int>.integer("N", 1...1024).orNone("auto"), in: .all, .sources,
      "number of parallel transfers to one host", example: "per-host 6",
      detail: """
        With 'auto', a host that answers over HTTP/1.1 gets six connections, more as long as answers come faster with \
        more, at most 16, and half as many after 429, 503, a broken connection or a time-out. Over HTTP/2 50 transfers \
        share one connection.
        """
    ).with(usual: "auto"),
    Setting(
      list: JobKey.signature, valueName: "HOST SCOPE", in: .job, .sources,
      "signs requests to a host (AWS Signature 4)", example: SettingText.signatureExample
    ) { scanner, _, variables throws(Mistake) in
      [try SettingText.signature(&scanner, variables: variables)]
    }.with(
      detail: """
        Uses AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and, if set, AWS_SESSION_TOKEN. A request that was redirected from \
        another host is not signed.
        """),
    Setting(
      JobKey.httpCache, SettingType<Int>.bytes("SIZE", 1...Int.max).orNone("off"), in: .all, .sources,
      "size of the HTTP cache that is kept between runs",
      example: "http-cache 300M",
      detail: """
        A number of bytes, or off; K, M and G stand for powers of 1024. The HTTP cache is in the state folder. A run \
        revalidates stale responses, and an unchanged source costs only its headers. With off, sources of existing \
        entries are never requested again.
        """
    ).with(usual: "150M").with { $0.valueName = "SIZE" },
    Setting(
      JobKey.staleIfError, .period("TIME", off: true), in: .all, .sources,
      "serve stale responses for this long if the server fails", example: "stale-if-error 1d",
      detail:
        "The time starts when the response becomes stale. A whole number followed by s, m, h or d, or off."
    ).with(usual: "off"),
    Setting(
      JobKey.revalidate, .choices("WHEN", of: "revalidation"), in: .job, .sources,
      "when a run asks servers whether sources have changed", example: "revalidate always",
      detail: """
        stale: once the time is over for which the last response said that it holds, or which it suggests: a tenth of the \
        time since the last change, at most 12 hours. always: in every run.
        """
    ).with(usual: "stale"),
    Setting(
      JobKey.check, .choices("HOW", of: "check"), in: .all, .sources, "how originals are checked",
      example: "check decode",
      detail: """
        Applies to pictures that are stored without processing. structure: the file must be complete by its markers and \
        checksums, without zeros in place of its end. decode: a worker must be able to decode it, which also finds what is \
        missing inside of the data.
        """
    ).with(usual: "structure"),
  ]

  static let pictures: [Setting] = [
    Setting(
      JobKey.encode, .encoding, in: .all, .pictures, "how results are encoded",
      example: "encode jpeg(quality: 80)",
      detail: """
        \(EncodingText.encoderNames.joined(separator: ", ")), with their options in parentheses (keep is the source's \
        own format), as in a job: 'webp(quality: 75)', 'jpeg(quality: 90, fitBytes: 40K)'.
        """
    ).with(usual: "the client's own choice", changes: .encoding),
    Setting(
      JobKey.embedded, .choices("USE", of: "use of embedded thumbnails"), in: .all, .pictures,
      "whether EXIF thumbnails are used", example: "embedded prefer",
      detail: """
        Cameras embed a thumbnail in the picture. never: do not use it. prefer: use it if it has the picture's aspect \
        ratio and enough pixels. only: use nothing else. client: as the options of a thumbnail chain say. If it is used, \
        only the first 64 KiB of an http source are downloaded.
        """
    ).with(usual: "client", changes: .drawing),
    Setting(
      JobKey.gamut, .choices("GAMUT", of: "gamut"), in: .all, .pictures,
      "colour space of the results", example: "gamut srgb",
      detail: """
        client: a picture in Display P3, Adobe RGB or another space with a matrix profile keeps its colours and a small \
        profile, if the client's release draws it so. srgb: all pictures are converted to sRGB.
        """
    ).with(usual: "client", changes: .drawing),
    Setting(
      JobKey.drawing, .choices("DRAWING", of: "drawing", earlier: ["libvips-linear": .libvips]), in: .all,
      .pictures,
      "how pictures are scaled", example: "drawing libvips",
      detail: """
        device: as the app would draw it. libvips: sharper and with less aliasing, by Lanczos3. Sizes, crops and keys \
        stay the same; a change makes scaled results again. See docs/processors.md.
        """
    ).with(usual: "device", changes: .scaling),
  ]
}
