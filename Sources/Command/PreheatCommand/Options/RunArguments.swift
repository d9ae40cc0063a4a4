import CacheStore
import ClientRegistry
import FileStore
import Foundation
import JobFile
import Pictures
import Running
import Syntax
import Text

/// Arguments of `preheat run`.
struct RunArguments: Sendable {
  var job: JobArguments
  var options: RunOptions
  var failOn = FailOn.any

  /// Path of the signpost log.
  var log: String?
  /// Path of the trace.
  var trace: String?
  /// Also record what is private.
  var showsSecrets = false
  /// Folder of the HTML page.
  var report: String?
  var junit: String?
  var metrics: String?
  var isForced = false
  /// Whether errors are marked on the job's lines; nil where the environment decides.
  var annotations: Bool?

  /// Whether lines of a job are taken as they come, and each is answered at once.
  let streams: Bool

  init(_ values: OptionValues) throws(UsageError) {
    job = try JobArguments(values)
    streams = values[CommandKey.json] && job.jobs == ["-"]
    options = RunOptions(environment: values.environment)
    options.http = NetworkRows.configuration(values.settings, environment: values.environment)
    values.settings.apply(Self.running + Self.reports, to: &self)
    if streams, job.shard != nil { throw Self.wholeJob("--shard") }
    guard !options.isOffline || !options.reloads else {
      throw UsageError(.conflict, "--offline and --reload exclude each other")
    }
    try checkPlaces()
  }

  /// What asks for something that a stream of lines cannot have.
  static func wholeJob(_ name: String) -> UsageError {
    UsageError(
      .conflict, "\(name) needs the whole job; it cannot be used with a stream",
      suggestion: "write the job into a file")
  }

  static let spec = CommandSpec("run", "build or refresh the caches that jobs describe").with {
    $0.detail = [
      "Downloads each source once, makes its renditions and stores them under the keys and file names that the app will "
        + "look up. Entries that are up to date are kept, so a second run is fast. To resume an interrupted run, run "
        + "it again.",
      "The summary, or with --json one object for each rendition, goes to standard output; progress "
        + "and messages go to standard error.",
      "With --json and - as the job, preheat reads the settings and chains from standard input, then job lines while it "
        + "runs, and answers each when its files are stored. A wrong job line does not stop the run.",
    ]
    $0.positionals = [.job]
    $0.examples = [
      ("preheat run jobs/catalog.job", "one job"),
      (
        "preheat run --client '\(ClientRegistry.example)' --cache out/list --chain circle urls.txt",
        "a plain list of URLs"
      ),
    ]
    $0.work = .run
    $0.takesJobs = true
    $0.sharesWork = true
    $0.options =
      running.map(\.row) + NetworkRows.all.map(\.row) + [CommandRows.progress] + reports.map(\.row)
      + [CommandRows.json]
  }
}

extension RunArguments {
  private static let running: [FieldSetting<RunArguments>] = [
    FieldSetting(CommandRows.workers, \.options.workers),
    FieldSetting(CommandRows.failOn, \.failOn),
    FieldSetting(CommandRows.wait, \.options.waitsForLock),
    FieldSetting(
      "offline", \.options.isOffline, .flag, in: .command, .sources, "do not use the network",
      detail: """
        Sources are taken from originals in the cache, the HTTP cache, files and data URLs. All others fail with \
        source.offline.
        """),
    FieldSetting(
      "reload", \.options.reloads, .flag, in: .command, .sources, "fetch and render everything again",
      detail: "Like the option reload on each job line. Job lines with offline are not changed."),
    FieldSetting(
      "strict", \.options.isStrict, .flag, in: .command, .pictures,
      "reject pictures that decode with warnings",
      detail: """
        Pictures that have lost a part are always rejected; of others, what the decoder complains of is noted.
        """
    ).common,
    FieldSetting(CommandRows.allowFormat) {
      $0.options.formats = ImageFormat.trusted.union($1[CommandKey.allowFormat])
    }, FieldSetting(CommandRows.allowUnconfined, \.options.allowsUnconfined),
  ]

  /// What is recorded of a run, and its reports for people, CI and monitoring.
  private static let reports: [FieldSetting<RunArguments>] = [
    FieldSetting(
      "signposts", \.log, .path("FILE"), in: .command, .reports,
      "record the times of all operations, for preheat timings",
      detail: "NDJSON, one interval a line; docs/signposts.md describes it."),
    FieldSetting(
      "trace", \.trace, .path("FILE"), in: .command, .reports,
      "record the times for Perfetto and chrome://tracing"),
    FieldSetting(CommandRows.showSecrets, \.showsSecrets).with {
      $0.summary = "record queries and user info of URLs too"
      $0.topic = .reports
      $0.detail = "By default they are left out of --signposts and --trace."
    },
    FieldSetting(CommandRows.force, \.isForced),
    FieldSetting(CommandRows.report("write the HTML page of the run into this folder"), \.report).with {
      $0.detail = "index.html; a large report has more files beside it. See docs/report.md."
    }.common,
    FieldSetting(
      "junit", \.junit, .path("FILE"), in: .command, .reports, "write the renditions as JUnit test cases"
    ).common,
    FieldSetting(
      "metrics", \.metrics, .path("FILE"), in: .command, .reports,
      "write metrics in the text format of Prometheus",
      detail: "The file is replaced in one step, as the textfile collector of node_exporter needs it."),
    FieldSetting(
      "annotations", \.annotations, .flag, in: .command, .reports, "show errors at the job's lines on GitHub",
      detail: "Also adds a summary to the file named by GITHUB_STEP_SUMMARY."
    ).with { $0.defaultText = "on if GITHUB_ACTIONS is true" },
  ]
}

/// The files and folders that a run writes for others; none of them may lie where it keeps its own.
extension RunArguments {
  /// Paths that cannot become a file or a folder are errors before anything is fetched.
  func checkPlaces() throws(UsageError) {
    for output in outputs where FileManager.default.fileExists(atPath: output.place) {
      let isFolder = OutputFile.isFolder(output.place)
      guard isFolder != output.isPage else { continue }
      let (wanted, found) = isFolder ? ("file", "folder") : ("folder", "file")
      throw UsageError(
        .invalidValue, "\(output.option) needs a \(wanted), but \(output.place) is a \(found)",
        suggestion: isFolder ? "name a file in it" : "name another one")
    }
    for output in outputs { try output.check(inputs: job.jobs, isForced: isForced) }
  }

  private var outputs: [OutputCheck] {
    let files = [
      ("--signposts", log, "\"subsystem\":\"preheat\""), ("--trace", trace, "\"process_name\""),
      ("--junit", junit, "<testsuites name=\"preheat\""), ("--metrics", metrics, "# HELP preheat_"),
    ]
    return files.compactMap { option, path, mark in
      path.map { OutputCheck(option: option, place: $0, mark: mark) }
    } + (report.map { [.page(in: $0)] } ?? [])
  }

  /// A list or a picture of a job may be meant too: then the jobs are read before anything is written.
  func checkInputs() throws(UsageError) {
    guard outputs.contains(where: { !$0.isOurs }) else { return }
    let given = try job.sharded()
    for path in job.jobs where path != "-" {
      _ = JobReader(JobInput(path: path), given).read { line, _ in
        if let path = PathText.path(ofFileURL: line.url) { ReadFiles.current.note(path) }
      }
    }
    for output in outputs { try output.check(isForced: isForced) }
  }

  /// An app would take them for entries of its cache, and the next run would be in their way.
  func checkPlaces(against caches: [String]) throws(UsageError) {
    for cache in Set(caches).sorted() {
      let other = caches.lazy.filter { $0 != cache }.compactMap { StateFolder(cache: $0).place(of: cache) }
        .first
      if let place = other ?? StateFolder(cache: cache).enclosure {
        throw UsageError(
          .invalidValue, "the cache folder \(cache) is inside \(place)",
          suggestion: "choose a cache folder outside of it")
      }
      for output in outputs { try output.check(outside: cache) }
    }
  }
}
