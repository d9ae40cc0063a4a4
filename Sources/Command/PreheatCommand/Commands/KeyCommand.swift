import CacheTools
import NukeCache
import Planning
import Text

/// `preheat key URL [CHAIN]`: the key and file name of one request, and with `--in` whether a cache has it.
struct KeyCommand: Command {
  package static let name = "key"
  private let arguments: KeyArguments

  init(_ values: OptionValues) throws(UsageError) {
    arguments = try KeyArguments(values)
  }

  package func run(in context: CommandContext) async throws -> ExitCode {
    let json = arguments.common.json
    var overrides = arguments.overrides
    // No file is written; a job just has to have a folder.
    overrides.cache = arguments.folder ?? "."
    let (plan, diagnostics) = Plan.make(
      .text(name: "(arguments)", bytes: Array(line.utf8)), overrides: overrides,
      environment: context.environment)
    try JobLoading.show(diagnostics, in: context, json: json)
    guard let plan else { return .usage }
    guard let folder = arguments.folder else {
      for rendition in plan.renditions {
        try context.output.write(json ? rendition.json(showsSecrets: true).line : text(rendition))
      }
      return .success
    }
    let probes = plan.probes(in: folder)
    for probe in probes {
      try context.output.write(json ? probe.json.line : text(probe))
    }
    return probes.allSatisfy { $0.outcome.key != nil } ? .success : .someFailed
  }

  /// The arguments as the line of a job, quoted so that nothing in them is taken for anything else.
  private var line: String {
    let id = arguments.imageID.map { " id=\(Self.quoted($0))" } ?? ""
    return "\(Self.quoted(arguments.url)) \(arguments.chain ?? "original")\(id)\n"
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined() + "\""
  }

  private func text(_ rendition: PlannedRendition) -> String {
    let isScaled = rendition.dependsOnScale && rendition.scale != 1
    let scale = isScaled ? "scale \(NumberText.plain(rendition.scale))\n" : ""
    let note = rendition.note.map { "note  \(SafeText.escape($0))\n" } ?? ""
    return scale + "key   \(SafeText.escape(rendition.key))\n"
      + "file  \(rendition.fileName ?? "none: the client has no file for this key")\n" + note
  }

  private func text(_ probe: CacheProbe) -> String {
    var text = text(probe.rendition)
    text += "\(probe.outcome.key == nil ? "miss " : "hit  ") \(SafeText.escape(probe.reason))\n"
    for step in probe.steps {
      text += "      \(step.fileName)  \(step.state.rawValue.padded(to: 10))  \(step.part)\n"
    }
    return text
  }
}

extension CacheProbe {
  fileprivate var json: JSONObject {
    var object = rendition.json(showsSecrets: true)
    object["hit"] = .bool(outcome.key != nil)
    if case .exact = outcome { object["exact"] = .bool(true) } else { object["exact"] = .bool(false) }
    object["reason"] = .string(reason)
    object["lookups"] = .array(
      steps.map { step in
        .object([
          "key": .string(step.key), "file": .string(step.fileName), "part": .string(step.part.description),
          "state": .string(step.state.rawValue),
        ])
      })
    return object
  }
}
