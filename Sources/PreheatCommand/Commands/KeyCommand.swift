import JobRunner

/// `preheat key URL [CHAIN]`: the key and file name of one request.
struct KeyCommand: Command {
  static let name = "key"
  private let arguments: KeyArguments

  init(_ values: OptionValues) throws(UsageError) {
    arguments = try KeyArguments(values)
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    let json = arguments.common.json
    var overrides = JobOverrides()
    overrides.client = arguments.client
    overrides.scale = arguments.scale
    // No file is written; a job just has to have a folder.
    overrides.cache = arguments.folder ?? "."
    let (plan, diagnostics) = Plan.make(
      .text(name: "(arguments)", bytes: Array(line.utf8)), overrides: overrides,
      environment: context.environment)
    try JobLoading.show(diagnostics, in: context, json: json)
    guard let plan else { return .usage }
    for rendition in plan.renditions {
      try context.output.write(json ? rendition.json(showsSecrets: true).line : text(rendition))
    }
    return .success
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
    let scale =
      !rendition.dependsOnScale || rendition.scale == 1
      ? "" : "scale \(RenditionText.number(rendition.scale))\n"
    let note = rendition.note.map { "note  \(SafeText.escape($0))\n" } ?? ""
    return scale
      + "key   \(SafeText.escape(rendition.key))\nfile  \(rendition.fileName ?? "none: the key is empty")\n"
      + note
  }
}
