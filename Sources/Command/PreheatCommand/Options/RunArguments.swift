import ClientRegistry
import Pictures
import Rendering
import Settings

/// Arguments of `preheat run`.
struct RunArguments: Sendable {
  var common: CommonArguments
  var job: JobArguments
  /// Worker processes; nil for one a processor.
  var workers: Int?
  var failOn: FailOn
  /// Whether to wait for the cache's lock.
  var waitsForLock: Bool
  /// Whether decoding with warnings is a failure.
  var isStrict: Bool
  /// The library that decodes and encodes.
  var formats: Set<ImageFormat>
  var recording: RecordingArguments
  var reporting: ReportingArguments
  /// Those of the loader are read where it is set up.
  var settings: SettingValues
  /// Nothing is fetched.
  var isOffline: Bool
  /// Everything is fetched and rendered again.
  var reloads: Bool

  /// Pictures are decoded even where nothing confines the decoders.
  var allowsUnconfined: Bool
  /// A job without sources, for those that come in as a stream.
  var settingsFile: String?

  /// Whether sources are taken as they come, and each is answered at once: what is known of the job has to be known
  /// before the first of them.
  var streams: Bool {
    guard common.json, job.jobs == ["-"] else { return false }
    return settingsFile != nil || (job.given["client"] != nil && job.given["cache"] != nil)
  }

  init(_ values: OptionValues) throws(UsageError) {
    common = try CommonArguments(values)
    job = try JobArguments(values)
    workers = values[CommandKey.workers]
    settings = values.settings
    failOn = values[CommandKey.failOn]
    waitsForLock = values[CommandKey.wait]
    isStrict = values[CommandKey.strict]
    formats = ImageFormat.trusted.union(values[CommandKey.allowFormat])
    allowsUnconfined = values[CommandKey.allowUnconfined]
    recording = RecordingArguments(values)
    reporting = ReportingArguments(values)
    isOffline = values[CommandKey.offline]
    reloads = values[CommandKey.reload]
    settingsFile = values[CommandKey.settings]
    guard settingsFile == nil || streams else {
      throw UsageError(
        .conflict, "--settings is for a stream of sources",
        suggestion: "preheat run --json --settings FILE -")
    }
    if streams {
      let other = ["shard", "failures"].first { values.origin(of: $0) != nil }
      if let other {
        throw UsageError(.conflict, "--\(other) needs the whole job; it cannot be used with a stream")
      }
    }
    guard !isOffline || !reloads else {
      throw UsageError(.conflict, "--offline and --reload exclude each other")
    }
    try places.check()
  }

  /// The reports to write.
  var places: OutputPlaces { OutputPlaces(recording, reporting) }

  static let spec = CommandSpec("run", "build or refresh the caches that jobs describe").with {
    $0.detail = [
      "Downloads each source once, makes its renditions and stores them under the keys and file names that the app will "
        + "look up. Entries that are up to date are kept, so a second run is fast. To resume an interrupted run, run "
        + "it again.",
      "The summary, or with --json one object for each rendition, goes to standard output; progress "
        + "and messages go to standard error.",
      "With --json and - as the job, and with the client and the cache given by options or by --settings, preheat reads "
        + "job lines from standard input while it runs, and answers each when its files are stored. A wrong line does "
        + "not stop the run.",
    ]
    $0.positionals = [.job]
    $0.examples = [
      .init("preheat run jobs/catalog.job", "one job"),
      .init(
        "preheat run --client '\(ClientRegistry.example)' --cache out --chain circle urls.txt",
        "a plain list of URLs"),
    ]
    $0.work = .run
    $0.takesJobs = true
    $0.sharesWork = true
    $0.options =
      CommandRows.running + NetworkRows.all.map(\.row) + CommandRows.recording + CommandRows.reporting
      + [CommandRows.json]
  }
}

/// The options about recording a run.
struct RecordingArguments: Sendable, Hashable {
  /// Path of the signpost log.
  var log: String?
  /// Path of the trace.
  var trace: String?
  /// Also write what is private.
  var showsSecrets: Bool

  init(_ values: OptionValues) {
    log = values[CommandKey.signposts]
    trace = values[CommandKey.trace]
    showsSecrets = values[CommandKey.showSecrets]
  }
}

/// The options about reports.
struct ReportingArguments: Sendable, Hashable {
  /// Folder of the HTML page.
  var report: String?
  var junit: String?
  var metrics: String?
  /// Path of the job of what failed.
  var failures: String?
  /// Nil where the environment decides.
  var annotations: Bool?

  init(_ values: OptionValues) {
    report = values[CommandKey.report]
    junit = values[CommandKey.junit]
    metrics = values[CommandKey.metrics]
    failures = values[CommandKey.failures]
    annotations = values.settings.given(CommandKey.annotations)
  }

  /// Whether errors are marked on the job's lines.
  func hasAnnotations(_ environment: [String: String]) -> Bool {
    annotations ?? (environment["GITHUB_ACTIONS"] == "true")
  }
}
