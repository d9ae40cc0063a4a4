import Bundles
import CacheBundleInstaller
import CacheStore
import FileStore
import JobFile
import Syntax
import Text

/// `preheat bundle DIR -o PATH`: a cache made ready for distribution.
struct BundleCommand: Command {
  static let spec = CommandSpec("bundle", "make a deterministic bundle of a cache").with {
    $0.detail = [
      "Writes the cache's files and an index of their names, sizes, digests and expiry. The bundle is an uncompressed "
        + "zip, which an app reads without an archive library, or a folder. The same entries always give the same "
        + "bytes. docs/bundle.md describes the format and how an app installs it."
    ]
    $0.positionals = [.cache]
    $0.examples = [
      ("preheat bundle out/catalog -o catalog.zip", "for an app to install"),
      ("preheat bundle out/catalog -o d.zip --since catalog.zip", "only what has changed"),
      ("preheat bundle out/catalog -o catalog.zip --job catalog.job", "exactly what the job names"),
      (
        "preheat bundle out/catalog -o catalog.zip --job catalog.job --for-scale each",
        "one for each screen scale"
      ),
      ("preheat bundle out/catalog -o catalog.zip --max-size 40M --drop", "what fits into 40 MiB"),
    ]
    $0.work = [.folder, .sizes, .budget]
    $0.options = fields.map(\.row) + CommandRows.trust + [CommandRows.json]
  }

  private static let fields: [FieldSetting<BundleCommand>] = [
    FieldSetting(
      CommandRows.output("the bundle to write; its extension decides the format"), \.options.output
    ).with { $0.detail = "A name that ends in .zip makes a zip, any other name a folder." },
    FieldSetting(
      "since", \.options.since, .path("PATH"), in: .flag, .output,
      "leave out what this older bundle or index.json has"
    ).common,
    FieldSetting(
      "job", \.jobFile, .path("JOB"), in: .flag, .job, "take only what this job names",
      detail: """
        Entries of other jobs are left out. A rendition of the job that is missing in the cache is an error: run the job \
        first; --fail-on says how many the last run may have failed at. The job's own cache line is ignored.
        """
    ).common,
    FieldSetting(CommandRows.failOn, \.failOn).with {
      $0.summary = "with --job, which failures of the last run are too many"
      $0.detail = """
        As in preheat run: none, any, all, a number (20) or a share of the job's renditions (1%). What the last run failed \
        at is listed, and left out where the bundle is made all the same.
        """
    },
    FieldSetting(
      "for-scale", \.scale, BundleScale.type, in: .flag, .job, "take only what screens of this scale ask for",
      detail: """
        A scale of the job, or 'each': a bundle for each of them, named like catalog-2x.zip, and catalog.json beside \
        them, by which an app chooses. What does not depend on the scale is in each bundle. It needs --job.
        """
    ),
    FieldSetting(
      "drop", \.options.drop, .choices("WHAT", of: "unit to drop"), in: .flag, .limits,
      "leave out the least urgent sources to stay within --max-size",
      detail: """
        sources: all entries of a source stay or go together. entries: they go one by one. What has the lowest priority \
        goes first, and among equals what the job names last: the one of --job, otherwise those that made the cache.
        """
    ).with { $0.bare = BundleOptions.Drop.sources.rawValue }.common,
    FieldSetting(
      "allow-local-keys", \.options.allowsLocalKeys, .flag, in: .command, .job,
      "include entries whose keys are paths of this machine",
      detail: """
        A file source without id= has its path as the key. No app on a device asks for such a key, so these entries \
        are an error by default.
        """),
    FieldSetting(
      "keys", \.options.keys, .choices("HOW", of: "form of keys"), in: .command, .output,
      "whether the index contains keys",
      detail: """
        plain: the index contains keys and URLs, which helps people who inspect a bundle. digests: it contains \
        neither. Apps do not need them: file names are digests of the keys.
        """
    ).with { $0.defaultText = BundleOptions.Keys.plain.rawValue },
    FieldSetting(
      Setting(
        list: SettingKey("sign", default: []), SettingType<String>.path("PEM"), in: .command, .output,
        "sign with this private key (repeatable)", example: "sign catalog.key.pem",
        detail: """
          An Ed25519 key, made with openssl genpkey -algorithm ed25519. The file can be a pipe such as /dev/stdin. \
          --sign needs --counter. To replace a key, sign with the old and the new one for some time.
          """), \.keys),
    FieldSetting(
      "counter", \.counter, .integer("N", 0...BundleFormat.maxCounter), in: .command, .output,
      "version number of a signed bundle; must not decrease",
      detail: """
        An app rejects a bundle with a lower counter than the installed one, and one with the same counter but other \
        files. Use the build number of the CI system, or "$(date +%s)". Preheat does not read the clock for it, so \
        that the same input gives the same bytes.
        """), FieldSetting(CommandRows.shard, \.shard),
    FieldSetting(CommandRows.wait, \.options.waitsForLock),
  ]

  private let cache: String
  private var options = BundleOptions(output: "", format: .folder)
  private var shard: ShardChoice?
  private var scale: BundleScale?
  /// Paths of private keys, and the counter that goes with them.
  private var keys: [String] = []
  private var counter: Int?
  private var jobFile: String?
  private var job: JobArguments
  private var failOn = FailOn.any

  init(_ values: OptionValues) throws(UsageError) {
    cache = values.words[0]
    job = try JobArguments(values)
    (options.client, options.limit) = (values.client, values[JobKey.sizeLimit])
    options.maxSize = values[JobKey.maxSize]
    values.settings.apply(Self.fields, to: &self)
    if options.output.isEmpty {
      throw UsageError(.missingArgument, "--output is missing", suggestion: "for example: -o catalog.zip")
    }
    options.format = .init(ofPath: options.output)
    if scale == .each, options.since != nil {
      throw UsageError(.conflict, "--since is one bundle's: make each delta with --for-scale N")
    }
    if let since = options.since, OutputFile.isInside(since, of: options.output) {
      throw UsageError(
        .conflict, "--since: the bundle would replace \(since)", suggestion: "name another file with -o")
    }
    if keys.isEmpty, counter != nil { throw UsageError(.conflict, "--counter needs --sign") }
    if !keys.isEmpty, counter == nil {
      throw UsageError(
        .conflict, "--sign needs --counter",
        suggestion:
          "a number that only grows, such as --counter \"$(date +%s)\" or the number of the CI's build")
    }
    job.jobs = jobFile.map { [$0] } ?? []
    options.takesAll = jobFile == nil
    // The folder is named, and may be that of the whole job.
    job.shard = nil
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    var options = options
    if let epoch = context.environment["SOURCE_DATE_EPOCH"].flatMap(Int.init) {
      options.date = max(epoch, options.date)
    }
    options.shard = try shard?.shard(in: context.environment)
    var job = job
    if options.takesAll, options.drop != nil, options.maxSize != nil {
      job.jobs = try BundleJobs.named(byLedgerOf: cache)
    }
    guard let plans = try await JobLoading(arguments: job, context: context).plans() else { return .usage }
    let jobs = BundleJobs(plans: plans, cache: cache, failOn: failOn, console: context.console)
    jobs.complete(&options)
    guard options.drop == nil || options.maxSize != nil else {
      throw UsageError(
        .conflict, "--drop needs --max-size", suggestion: "or the line max-size in a job that --job names")
    }
    let signer = try counter.map { try BundleSigner(keys: keys, counter: $0) }
    for path in signer?.loosePaths ?? [] {
      context.console.warning("\(path) can be read by others than its owner; chmod 600 keeps it private")
    }
    let accept: BundleMaker.Acceptance = { absent throws(ToolError) in try jobs.accept(absent) }
    func make(_ options: BundleOptions) throws -> BundleReport {
      let report = try BundleMaker(options, signer: signer, accept: accept).make(from: cache)
      try tell(report, context)
      return report
    }
    try scale?.checkList(options)
    guard let scale else {
      _ = try make(options)
      return .success
    }
    let made = try scale.scales(of: options.takesAll ? nil : plans.first).map {
      (scale: $0, report: try make(scale.options(options, for: $0)))
    }
    try scale.writeList(of: made, options)
    return .success
  }

  private func tell(_ report: BundleReport, _ context: CommandContext) throws {
    if !report.foreign.isEmpty {
      let count = NumberText.count(report.foreign.count, "file")
      context.console.warning("\(count) left out: not in the cache's ledger; see preheat verify")
    }
    if !report.missing.isEmpty {
      let count = NumberText.count(report.missing.count, "file")
      context.console.warning("\(count) of the ledger missing in the cache; preheat run makes them again")
    }
    if report.unnamed > 0 {
      context.console.note("\(NumberText.count(report.unnamed, "file")) left out that no job names")
    }
    try context.output.write(context.json ? report.jsonLine : Self.text(report))
  }

  private static func text(_ report: BundleReport) -> String {
    var text = "\(SafeText.escape(report.output)): \(NumberText.count(report.files, "file")), "
    text += "\(ByteCountText.text(report.bytes)), for \(report.client.inWords)\n"
    if report.unchanged + report.removed > 0 {
      text += "delta: \(report.unchanged) unchanged, \(report.removed) removed\n"
    }
    if let counter = report.counter {
      text += "signed by \(report.signers.joined(separator: ", ")), counter \(counter)\n"
    }
    text += Self.dropped(report)
    return text + "id \(report.id)\n"
  }

  private static func dropped(_ report: BundleReport) -> String {
    guard !report.dropped.isEmpty else { return "" }
    let whole = report.wholeSources.map { row in
      "\(NumberText.grouped(row.whole)) of \(NumberText.count(row.sources, "source"))"
        + (row.scale.map { " at \(NumberText.plain($0))x" } ?? "")
    }
    return "dropped for --max-size: \(NumberText.count(report.dropped.count, "entry", "entries")) of "
      + "\(NumberText.count(report.droppedSources, "source")) (\(ByteCountText.text(report.droppedBytes)))\n"
      + "whole: \(whole.joined(separator: ", "))\n"
  }
}

extension BundleReport: JSONRecord {
  package static let json = JSONMembers<Self>(
    type: "bundle", ("output", \.output), ("id", \.id), ("client", \.client.description),
    ("rules?", \.client.rules?.description), ("files", \.files),
    ("bytes", \.bytes), ("unchanged", \.unchanged), ("removed", \.removed), ("dropped", \.dropped),
    ("droppedSources", \.droppedSources), ("droppedBytes", \.droppedBytes), ("wholeSources", \.wholeSources),
    ("foreign", \.foreign), ("missing", \.missing), ("failed", \.failed),
    ("unnamed", \.unnamed),
    ("allocatedBytes", \.allocatedBytes), ("signers", \.signers), ("counter", \.counter))
}

extension WholeSources: JSONRecord {
  package static let json = JSONMembers<Self>(("scale", \.scale), ("whole", \.whole), ("sources", \.sources))
}
