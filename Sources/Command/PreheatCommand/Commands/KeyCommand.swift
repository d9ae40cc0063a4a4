import CacheTools
import JobFile
import Planning
import Settings
import Text

/// `preheat key URL [CHAIN]`: the key and file name of one request, and with `--in` whether a cache has it.
struct KeyCommand: Command {
  static let spec = CommandSpec("key", "show the key and file name of one rendition").with {
    $0.detail = [
      "The chain is written as in a job; without one, the key is that of the original data. With --in "
        + "it also says whether the entry is in that cache, and why not; the exit code is "
        + "\(ExitCode.missed.rawValue) if it is not."
    ]
    $0.positionals = [
      .init("URL", .text, 1...1, "the source, as a job names it"),
      .init("CHAIN", .text, 0...1, "the processors, as a job spells them"),
    ]
    $0.examples = [
      .init("preheat key --client 'nuke 12' https://example.com/1.jpg", "the original data"),
      .init("preheat key --client 'nuke 12' --scale 3 URL 'resize(width: 320)'", "a rendition"),
      .init("preheat key --client 'nuke 12' --scale 3 --in out URL 'resize(width: 320)'", "hit or miss"),
      .init("preheat key --client 'kingfisher 8' --style builder URL 'blur(radius: 4)'", "a KFImage"),
    ]
    $0.takesJobs = true
    $0.jobFlags = ["client", JobKey.scale.name]
    $0.options = [
      Setting(
        imageID, SettingType<String>.path("TEXT", .text).optional, in: .flag, .job,
        "the request's image ID or cache key, in place of the URL"
      ).with { $0.isCommon = true },
      Setting(
        folderKey, SettingType<String>.path("DIR", .folder).optional, in: .flag, .job,
        "look the entry up in this cache folder"
      ).with { $0.isCommon = true },
      CommandRows.json,
    ]
  }

  private static let imageID = SettingKey("id", default: String?.none)
  private static let folderKey = SettingKey("in", default: String?.none)

  private let common: CommonArguments
  private let url: String
  /// Nil for the original data.
  private let chain: String?
  private let overrides: JobOverrides
  private let table: SettingTable
  /// The request's image ID or cache key, where the app sets one.
  private let id: String?
  /// The cache folder to look into.
  private let folder: String?

  init(_ values: OptionValues) throws(UsageError) {
    common = try CommonArguments(values)
    url = values.words.first ?? ""
    chain = values.words.dropFirst().first
    overrides = values.overrides
    table = values.jobs
    id = values[Self.imageID]
    folder = values[Self.folderKey]
  }

  package func run(in context: CommandContext) async throws -> ExitCode {
    let json = common.json
    var overrides = overrides
    // No file is written; a job just has to have a folder.
    overrides["cache"] = folder ?? "."
    let (plan, diagnostics) = Plan.make(
      .text(name: "(arguments)", bytes: Array(line.utf8)), overrides: overrides,
      environment: context.environment, table: table)
    try JobLoading.show(diagnostics, in: context, json: json)
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

  /// The arguments as the line of a job, quoted so that nothing in them is taken for anything else.
  private var line: String {
    let id = id.map { " id=\(Self.quoted($0))" } ?? ""
    return "\(Self.quoted(url)) \(chain ?? "original")\(id)\n"
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined() + "\""
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
