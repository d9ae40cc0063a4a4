import CacheStore
import CacheTools
import ClientRegistry
import JobFile
import Planning
import Settings
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
      "With --job, the settings and named chains of that job apply. The URL can then also be the number of a job line, or "
        + "a whole job line; a URL without a chain means all renditions that the job makes from it.",
    ]
    $0.positionals = [
      .init("URL", .text, 1...1, "the source; with --job also a job line or its number"),
      .init("CHAIN", .text, 0...1, "the processors, written as in a job"),
    ]
    $0.examples = [
      ("preheat key --client 'nuke 12' --scale 3 URL 'resize(width: 320)'", "a rendition"),
      ("preheat key --client 'kingfisher 8' --style builder URL 'blur(radius: 4)'", "a KFImage"),
      ("preheat key --in out URL 'resize(width: 320)'", "hit or miss"),
      ("preheat key --job catalog.job --in out 12", "the entries of line 12"),
    ]
    $0.work = .keys
    $0.takesJobs = true
    $0.options = fields.map(\.row) + [CommandRows.json]
  }

  private static let fields: [FieldSetting<KeyCommand>] = [
    FieldSetting(
      "id", \.id, .path("TEXT", .text), in: .flag, .job,
      "the request's image ID or cache key, if it is not the URL"
    ).with { $0.isCommon = true },
    FieldSetting(
      "in", \.folder, .path("DIR", .folder), in: .flag, .job, "look the entry up in this cache folder"
    ).with { $0.isCommon = true },
    FieldSetting(
      "job", \.job, .path("JOB"), in: .flag, .job, "use the settings and chains of this job"
    ).with { $0.isCommon = true },
  ]

  /// The source as a job names it; with a job also a line's number or its text.
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
      guard let found = folder.flatMap({ Self.client(of: $0, context.console) }) else {
        throw UsageError(
          .missingArgument, "the client is missing",
          suggestion: "for example: --client '\(ClientRegistry.example)'")
      }
      given[client] = found
    }
    let (plan, diagnostics) = plan(given)
    try JobLoading.show(diagnostics, in: context)
    guard let plan else { return .usage }
    guard let folder else {
      for rendition in plan.renditions {
        try context.output.write(json ? rendition.json(showsSecrets: true).line : text(rendition))
      }
      return .success
    }
    let probes = plan.probes(in: folder)
    for probe in probes {
      try context.output.write(json ? probe.json.line : text(probe))
    }
    return probes.allSatisfy { $0.finding.outcome != .miss } ? .success : .missed
  }

  /// The client of a folder, by the ledger beside it.
  private static func client(of folder: String, _ console: Console) -> String? {
    let listing = try? CacheListing(folder, acceptsDamage: true)
    if let damage = listing?.damage { console.warning(damage.message) }
    return listing?.client?.description
  }

  private func text(_ rendition: PlannedRendition) -> String {
    let scale = rendition.dependsOnScale ? "scale \(NumberText.plain(rendition.scale))\n" : ""
    let note = rendition.note.map { "note  \(SafeText.escape($0))\n" } ?? ""
    return scale + "key   \(SafeText.escape(rendition.key))\n"
      + "file  \(rendition.fileName ?? "none: the client has no file for this key")\n" + note
  }

  private func text(_ probe: CacheProbe) -> String {
    var text = text(probe.rendition)
    text += "\(probe.finding.outcome == .miss ? "miss " : "hit  ") \(SafeText.escape(probe.finding.reason))\n"
    for step in probe.steps {
      text += "      \(step.fileName)  \(step.state.rawValue.padded(to: 10))  \(step.part)\n"
    }
    return text
  }
}

extension KeyCommand {
  /// The plan of the renditions that are asked for, nil where something is wrong; and what there is to say.
  private func plan(_ given: GivenSettings) -> (plan: Plan?, diagnostics: Diagnostics) {
    // The line that is asked for must not be left out.
    var strict = given
    strict[JobKey.skipInvalid.name] = "off"
    guard let job else {
      let line = KeyLine(source: source, chain: chain ?? "original", id: id)
      let (plan, findings) = Plan.make(
        .text(name: Self.name, bytes: Array("\(line.text)\n".utf8)), strict)
      return (
        plan, Self.told(findings) { $0.file == Self.name && $0.line == 1 ? line.atItsArgument($0) : $0 }
      )
    }
    if let number = Int(source), chain == nil {
      let (whole, faults) = Plan.make(.file(job), given)
      guard let plan = whole?.limited(toLine: number) else { return (nil, faults) }
      var findings = Diagnostics()
      if let wrong = plan.skipped.lines.first(where: {
        $0.diagnostic.line == number && $0.diagnostic.file == job
      }) {
        findings.add(wrong.diagnostic)
        return (nil, findings)
      }
      if plan.renditionCount > 0 { return (plan, findings) }
      findings.add(
        Diagnostic(
          .error, file: job, line: number, column: 1, message: "this line names no source",
          help: "write a line that begins with a URL or a path"))
      return (nil, findings)
    }
    // The job's own reading reports a file that cannot be read.
    let isWhole = chain == nil && source.contains { $0 == " " || $0 == "\t" }
    let line = isWhole ? KeyLine(whole: source, id: id) : KeyLine(source: source, chain: chain ?? "", id: id)
    guard
      let (input, number) = try? JobInput.file(job).asking(
        line.text, table: given.table, within: given.trust.roots)
    else { return Plan.make(.file(job), given) }
    // Of the job's other lines nothing is left.
    let (plan, findings) = Plan.make(input, strict)
    // Only this line counts: chains that it does not use are not reported.
    let told = Self.told(findings) { finding in
      if finding.file == job, finding.line == number { return line.atItsArgument(finding) }
      return finding.severity == .error || finding.line == number ? finding : nil
    }
    guard let plan, chain == nil, !isWhole, id == nil, let url = plan.sources.first?.url else {
      return (plan, told)
    }
    let (whole, faults) = Plan.make(.file(job), given)
    guard let whole else { return (nil, faults) }
    let own = whole.limited(toSource: url)
    return (own.renditionCount > 0 ? own : plan, own.renditionCount > 0 ? Diagnostics() : told)
  }

  /// The name of the job that is made from the arguments.
  private static let name = "(arguments)"

  /// The findings that are told, as they are told.
  private static func told(
    _ findings: Diagnostics, _ change: (Diagnostic) -> Diagnostic?
  ) -> Diagnostics {
    var told = Diagnostics()
    for finding in findings.sorted.compactMap(change) { told.add(finding) }
    return told
  }
}

extension CacheProbe {
  fileprivate var json: JSONObject {
    var object = rendition.json(showsSecrets: true)
    object.append([
      "hit": finding.outcome != .miss, "exact": finding.outcome == .exact, "reason": finding.reason,
      "lookups": steps.map {
        JSONObject(["key": $0.key, "file": $0.fileName, "part": $0.part, "state": $0.state.rawValue])
      },
    ])
    return object
  }
}
