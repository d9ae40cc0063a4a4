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
        "the request's image ID or cache key, if it is not the URL"
      ).with { $0.isCommon = true },
      Setting(
        folderKey, SettingType<String>.path("DIR", .folder).optional, in: .flag, .job,
        "look the entry up in this cache folder"
      ).with { $0.isCommon = true },
      Setting(
        jobKey, SettingType<String>.path("JOB").optional, in: .flag, .job,
        "use the settings and chains of this job"
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

  func run(in context: CommandContext) async throws -> ExitCode {
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
          .missingArgument, "the client is missing",
          suggestion: "for example: --client '\(ClientRegistry.example)'")
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
