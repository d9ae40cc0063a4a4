import CacheStore
import CacheTools
import ClientRegistry
import JobFile
import Planning
import Reporting
import Syntax
import Text

/// `preheat key URL [CHAIN]`: the key and file name of one request, and with `--in` whether a cache has it.
struct KeyCommand: Command {
  static let spec = CommandSpec("key", "show the key and file name of one rendition").with {
    $0.detail = [
      "Prints the exact key and URL, with any credentials in them. Write the chain as in a job; without a chain, the key "
        + "is that of the original data. With --in, the command also looks the entry up in that cache and says why it "
        + "is not found; the exit code is then \(ExitCode.missed.rawValue). The client is read from the cache's ledger, "
        + "unless --client is given.",
      "With --job, the settings and named chains of that job apply. The URL can then also be a whole job line; a URL "
        + "without a chain means all renditions that the job makes from it.",
    ]
    $0.positionals = [
      .init("URL", 1...1, "the source; with --job also a whole job line"),
      .init("CHAIN", 0...1, "the processors, written as in a job"),
    ]
    $0.examples = [
      ("preheat key --client 'nuke 12' --scale 3 URL 'resize(width: 320)'", "a rendition"),
      ("preheat key --client 'kingfisher 8' --style builder URL 'blur(radius: 4)'", "a KFImage"),
      ("preheat key --in out URL 'resize(width: 320)'", "hit or miss"),
      ("preheat key URL --job catalog.job --in out/catalog", "what the job makes from it"),
    ]
    $0.work = .keys
    $0.takesJobs = true
    $0.options = fields.map(\.row) + [CommandRows.json]
  }

  private static let fields: [FieldSetting<KeyCommand>] = [
    FieldSetting(
      "id", \.id, .path("TEXT", .text), in: .flag, .job,
      "the request's image ID or cache key, if it is not the URL"
    ).common,
    FieldSetting(
      "in", \.folder, .path("DIR", .folder), in: .flag, .job, "look the entry up in this cache folder"
    ).common,
    FieldSetting(
      "job", \.job, .path("JOB"), in: .flag, .job, "use the settings and chains of this job"
    ).common,
  ]

  /// The source as a job names it; with a job also the text of a line.
  private let source: String
  /// Nil for the original data, or with a job for what its lines with this source say.
  private let chain: String?
  /// The request's image ID or cache key, where the app sets one.
  private var id: String?
  /// The job whose settings and chains hold.
  private var job: String?
  private var given: GivenSettings
  /// The cache folder to look into.
  private var folder: String?

  init(_ values: OptionValues) throws(UsageError) {
    source = values.words[0]
    chain = values.words.dropFirst().first
    given = try values.given()
    values.settings.apply(Self.fields, to: &self)
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    let json = context.json
    var given = given
    // No file is written; a job just has to have a folder.
    given["cache"] = folder ?? "."
    let client = JobRows.client.name
    if job == nil, given[client] == nil, context.environment[JobRows.client.variable, default: ""].isEmpty {
      guard let found = try folder.flatMap({ try Self.client(of: $0, context.console) }) else {
        throw UsageError(
          .missingArgument, "the client is missing",
          suggestion: "for example: --client '\(ClientRegistry.example)'")
      }
      given[client] = found
    }
    let (plan, diagnostics) = plan(given)
    try JobLoading.show(diagnostics, in: context)
    guard let plan else { return .usage }
    if let note = plan.settings.origin.note(plan.settings.client) { context.console.note(note) }
    guard let folder else {
      for rendition in plan.renditions {
        try context.output.write(json ? RenditionLine(rendition).jsonLine : text(rendition))
      }
      return .success
    }
    let probes = try plan.probes(in: folder)
    for probe in probes {
      try context.output.write(json ? line(probe).jsonLine : text(probe))
    }
    return probes.allSatisfy { $0.finding.outcome != .miss } ? .success : .missed
  }

  /// The client of a folder, by the ledger beside it.
  private static func client(of folder: String, _ console: Console) throws -> String? {
    let listing = try CacheListing.ifThere(folder)
    if let damage = listing?.damage { console.warning(damage.message) }
    return listing?.client?.description
  }

  private func text(_ rendition: PlannedRendition) -> String {
    let scale = rendition.dependsOnScale ? "scale \(NumberText.plain(rendition.scale))\n" : ""
    let note = rendition.note.map { "note  \(SafeText.escape($0))\n" } ?? ""
    return scale + "key   \(SafeText.escape(rendition.key))\n"
      + "file  \(rendition.fileName ?? "none: the client has no file for this key")\n" + note
  }

  private func line(_ probe: CacheProbe) -> RenditionLine {
    let outcome = probe.finding.outcome
    let lookups = probe.steps.map {
      RenditionLine.Lookup(key: $0.key, file: $0.fileName, part: $0.part, state: $0.state.rawValue)
    }
    return RenditionLine(
      probe.rendition, (outcome != .miss, outcome == .exact, probe.finding.reason, lookups))
  }

  private func text(_ probe: CacheProbe) -> String {
    var text = text(probe.rendition)
    let outcome =
      switch probe.finding.outcome {
      case .exact: "hit "
      case .partial: "part"
      case .miss: "miss"
      }
    text += "\(outcome)  \(SafeText.escape(probe.finding.reason))\n"
    for step in probe.steps {
      text += "      \(step.fileName)  \(step.state.rawValue.padded(to: 10))  \(step.part)\n"
    }
    return text
  }
}

extension KeyCommand {
  /// The plan of the renditions that are asked for, nil where something is wrong; and what there is to say.
  private func plan(_ given: GivenSettings) -> (plan: Plan?, diagnostics: Diagnostics) {
    let reader = JobReader(job.map(JobInput.init) ?? .text(name: Self.name, bytes: []), given)
    let isWhole = job != nil && chain == nil && source.contains { $0 == " " || $0 == "\t" }
    let written = isWhole ? nil : chain ?? (job == nil ? "original" : "")
    // Quoted beside a chain, so that nothing in the source is taken for anything else.
    let line =
      (written.map { "\(QuotedText.quoted(source)) \($0)" } ?? source)
      + (id.map { " id=\(QuotedText.quoted($0))" } ?? "")
    let (plan, findings) = JobPlanning.plan(of: line, file: Self.name, in: reader)
    // Only this line and the release count: chains that the line does not use are not reported.
    let caution = reader.head.settings?.origin.caution?.message
    var shown = Diagnostics()
    for finding in findings where finding.message == caution { shown.add(finding) }
    let ofRelease = shown
    for finding in findings where finding.file == Self.name || finding.severity == .error {
      shown.add(finding)
    }
    guard job != nil, let plan, chain == nil, !isWhole, id == nil, let url = plan.sources.first?.url else {
      return (plan, shown)
    }
    var planning = JobPlanning(reader)
    _ = planning.read()
    let (whole, faults) = planning.finish()
    guard let own = whole?.limited(toSource: url) else { return (nil, faults) }
    return own.renditionCount > 0 ? (own, ofRelease) : (plan, shown)
  }

  /// How findings call the arguments.
  private static let name = "(arguments)"
}
