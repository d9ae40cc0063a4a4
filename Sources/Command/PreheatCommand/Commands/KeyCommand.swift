import CacheStore
import CacheTools
import ClientRegistry
import JobFile
import Planning
import Settings
import Text

/// `preheat key URL [CHAIN]`: the key and file name of one request, and with `--in` whether a cache has it.
struct KeyCommand: Command {
  static let spec = CommandSpec("key", "show the key and file name of one rendition").with {
    $0.detail = [
      "The key and the URL are printed as they are, credentials included: that is what was asked for. The chain is "
        + "written as in a job; without one, the key is that of the original data. With --in "
        + "it also says whether the entry is in that cache, and why not; the exit code is "
        + "\(ExitCode.missed.rawValue) if it is not. The client is then the one that the ledger beside the cache names, "
        + "unless --client says another.",
      "With --job, that job's settings and named chains hold. A URL without a chain then stands for all renditions that "
        + "the job makes of it; a number is a line of the job, and text with white space is a line as a job has it.",
    ]
    $0.positionals = [
      .init("URL", .text, 1...1, "the source, as a job names it; with --job also a line or its number"),
      .init("CHAIN", .text, 0...1, "the processors, as a job spells them"),
    ]
    $0.examples = [
      .init("preheat key --client 'nuke 12' --scale 3 URL 'resize(width: 320)'", "a rendition"),
      .init("preheat key --client 'kingfisher 8' --style builder URL 'blur(radius: 4)'", "a KFImage"),
      .init("preheat key --in out URL 'resize(width: 320)'", "hit or miss"),
      .init("preheat key --job catalog.job --in out 12", "the entries of line 12"),
    ]
    $0.work = .keys
    $0.takesJobs = true
    $0.options = [
      Setting(
        imageID, SettingType<String>.path("TEXT", .text).optional, in: .flag, .job,
        "the request's image ID or cache key, in place of the URL"
      ).with { $0.isCommon = true },
      Setting(
        folderKey, SettingType<String>.path("DIR", .folder).optional, in: .flag, .job,
        "look the entry up in this cache folder"
      ).with { $0.isCommon = true },
      Setting(
        jobKey, SettingType<String>.path("JOB").optional, in: .flag, .job,
        "take settings and chains from this job"
      ).with { $0.isCommon = true },
      CommandRows.json,
    ]
  }

  private static let imageID = SettingKey("id", default: String?.none)
  private static let folderKey = SettingKey("in", default: String?.none)

  private static let jobKey = SettingKey("job", default: String?.none)

  private let question: KeyQuestion
  /// The cache folder to look into.
  private let folder: String?

  init(_ values: OptionValues) throws(UsageError) {
    question = KeyQuestion(
      source: values.words.first ?? "", chain: values.words.dropFirst().first, id: values[Self.imageID],
      job: values[Self.jobKey], given: try values.given())
    folder = values[Self.folderKey]
  }

  package func run(in context: CommandContext) async throws -> ExitCode {
    let json = context.json
    var question = question
    // No file is written; a job just has to have a folder.
    question.given["cache"] = folder ?? "."
    let client = JobRows.client.name
    if question.job == nil, question.given[client] == nil,
      context.environment[JobRows.client.variable, default: ""].isEmpty
    {
      guard let found = folder.flatMap({ Self.client(of: $0, context.console) }) else {
        throw UsageError(
          .missingArgument, "the command line names no client",
          suggestion: "for example: --client '\(ClientRegistry.example)'",
          command: Self.spec.name)
      }
      question.given[client] = found
    }
    let (plan, diagnostics) = question.plan()
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

extension CacheProbe {
  fileprivate var json: JSONObject {
    var object = rendition.json(showsSecrets: true)
    object["hit"] = .bool(finding.outcome != .miss)
    object["exact"] = .bool(finding.outcome == .exact)
    object["reason"] = .string(finding.reason)
    object["lookups"] = .array(
      steps.map { step in
        .object([
          "key": .string(step.key), "file": .string(step.fileName), "part": .string(step.part),
          "state": .string(step.state.rawValue),
        ])
      })
    return object
  }
}
