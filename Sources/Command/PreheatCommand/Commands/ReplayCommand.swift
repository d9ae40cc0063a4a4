import CacheStore
import CacheTools
import ClientKit
import ClientRegistry
import FileStore
import Foundation
import JobFile
import Sessions
import Syntax
import Text

/// `preheat replay SESSION --in CACHE`: how many of an app's requests a cache answers.
struct ReplayCommand: Command {
  static let spec = CommandSpec("replay", "measure how many requests of a session a cache answers").with {
    $0.detail = [
      "SESSION is a recording made with a recorder of examples/app, or a list of keys, one a line. Each request is looked "
        + "up as in the app. The result is exact (the request's own entry is found), partial (an entry from earlier in "
        + "the chain is found, and the app makes the rest) or miss. Requests answered from memory are only counted.",
      "Replay assumes that the cache is installed now and that the session starts --after that time, with one sweep of "
        + "the app before it (by --size-limit and by age). Entries that the app itself stores during the session are "
        + "not counted. The cache is not changed.",
      "The result also lists what was missed by chain, the job lines that would answer the most misses, and the entries "
        + "that nothing asked for.",
    ]
    $0.positionals = [
      .init("SESSION", 1...Int.max, "recordings or lists of keys; - reads standard input")
    ]
    $0.examples = [
      ("preheat replay requests.ndjson --in out/catalog", "a summary"),
      ("preheat replay requests.ndjson --in catalog.zip --after 30d --fail-under 95", "for CI"),
      ("preheat replay keys.txt --in out/catalog --cures more.job", "what is missing, as a job"),
    ]
    $0.work = [.keys, .sizes]
    $0.options = fields.map(\.row) + [CommandRows.json]
  }

  private static let fields: [FieldSetting<ReplayCommand>] = [
    FieldSetting(
      "in", \.cache, .path("DIR", .folder), in: .flag, .job, "the cache folder or the bundle"
    ).common,
    FieldSetting(
      "after", \.after, SettingType.period("PERIOD", off: false).map { TimeInterval($0) }, in: .flag,
      .job, "judge the cache this long after its installation: 30d, 12h"
    ).with { $0.defaultText = "at once" }.common,
    FieldSetting(CommandRows.now, \.now),
    FieldSetting(
      "fail-under", \.leastRate, percent, in: .flag, .output,
      "fail if fewer percent of the requests are answered",
      detail: "Counts exact and partial hits. The exit code is then \(ExitCode.missed.rawValue)."
    ).common,
    FieldSetting(
      "cures", \.cures, .path("FILE"), in: .flag, .output,
      "write a job with everything that was missed and no job has",
      detail: """
        It has the cache of --in and its scale. Chains with processors of the app's own are comments. Only its owner can \
        read it: keys may hold tokens.
        """
    ).common,
    FieldSetting(CommandRows.force, \.isForced), FieldSetting(CommandRows.showSecrets, \.showsSecrets),
  ]

  private static let percent = SettingType<Double>("PERCENT") { word, _, start throws(Mistake) in
    let text = word.hasSuffix("%") ? String(word.dropLast()) : word
    if let value = DecimalText.double(text), (0...100).contains(value) { return value }
    throw Mistake(start, "a number from 0 to 100 is expected here", help: "95")
  }

  private let recordings: [String]
  private var cache = ""
  private var after: TimeInterval = 0
  private var now = Date()
  private var leastRate: Double?
  private var cures: String?
  private var isForced = false
  private var showsSecrets = false
  private let client: CacheClient?
  private let given: GivenSettings

  init(_ values: OptionValues) throws(UsageError) {
    recordings = values.words
    client = values.client
    given = try values.given()
    values.settings.apply(Self.fields, to: &self)
    if cache.isEmpty {
      throw UsageError(
        .missingArgument, "--in is missing",
        suggestion: "for example: preheat replay requests.ndjson --in out/catalog")
    }
    try checkCures()
  }

  private static let curesMark = "# By preheat replay --cures\n"

  private func checkCures() throws(UsageError) {
    guard let cures else { return }
    let check = OutputCheck(option: "--cures", place: cures, mark: Self.curesMark)
    try check.check(outside: cache)
    try check.check(inputs: recordings, isForced: isForced)
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    guard let session = try Recordings.read(recordings, in: context) else { return .usage }
    var given = given
    var settings = ResolvedSettings(given)
    let cache = try ReplayedCache(self.cache, client: client, now: now) { identity in
      if client == nil { given[JobRows.client.name] = identity.description }
      settings = ResolvedSettings(given)
      guard let client = ClientRegistry.make(identity, settings.values) else {
        throw ToolError(.cache(.client), "\(identity) is not a known client")
      }
      return client
    }
    try JobLoading.show(settings.diagnostics, in: context)
    if settings.diagnostics.hasErrors { return .usage }
    for warning in cache.warnings { context.console.warning(warning) }
    let isRead = session.faults.isEmpty
    var (requests, replay) = replay(session, cache, settings.values[JobKey.sizeLimit])
    // Without these, nothing is printed of the job of the misses, and making it takes a third of the time.
    let isShown = cures != nil || context.json || context.console.verbosity > .quiet
    let job = isShown ? try self.job(of: requests, cache, given) : nil
    if let job { replay.cure(with: job, of: requests) }
    let result = replay.report
    if let cures {
      // Jobs of the cache have been read too.
      try checkCures()
      let text = Self.curesMark + (job?.text ?? "# Nothing was missed that a further line would answer.\n")
      try OutputFile.write(Data(text.utf8), to: cures, isPrivate: true)
    }
    guard try write(result, requests, in: context) else { return .success }
    if let leastRate, result.hitRate < leastRate {
      context.console.error(
        "\(ReplayText.percent(result.hitRate)) of the requests are answered; --fail-under requires "
          + ReplayText.percent(leastRate))
      return .missed
    }
    return isRead ? .success : .someFailed
  }

  /// What a replay remembers of a million requests makes room for their job.
  private func replay(
    _ session: consuming RecordedSession, _ cache: ReplayedCache, _ sizeLimit: Int?
  ) -> (requests: [ReplayedRequest], replay: SessionReplay) {
    var replay = SessionReplay(cache, sizeLimit: sizeLimit, now: now, after: after)
    let requests = replay.run(session)
    return (requests, replay)
  }

  /// The job that makes what was missed, for the same cache; nil where nothing was.
  private func job(
    of requests: [ReplayedRequest], _ cache: ReplayedCache, _ given: GivenSettings
  ) throws -> KeyJob? {
    let missed = requests.lazy.filter(\.isCurable).map(\.request)
    if missed.isEmpty { return nil }
    var given = given
    if try !CacheVerifier.isBundle(self.cache) { given[JobRows.Structure.cache.rawValue] = self.cache }
    if given[JobKey.scale.name] == nil, let scales = cache.scales {
      given[JobKey.scale.name] = scales.map(NumberText.plain).joined(separator: " ")
    }
    return KeyJob.make(
      from: Array(missed), given.writing(to: cures), setsAside: true
    ).job
  }

  /// - Returns: false once standard output is closed.
  private func write(
    _ result: ReplayReport, _ requests: [ReplayedRequest], in context: CommandContext
  ) throws -> Bool {
    if context.json {
      for request in requests {
        try context.output.write(request.jsonLine)
        if context.output.readerIsGone { return false }
      }
      for line in result.lines { try context.output.write(line) }
    } else if context.console.verbosity > .quiet {
      let text = ReplayText(report: result, showsSecrets: showsSecrets)
      if context.console.verbosity == .verbose { try context.output.write(text.list(requests)) }
      try context.output.write(text.summary)
    }
    return true
  }
}
