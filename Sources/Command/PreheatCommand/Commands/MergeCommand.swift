import CacheTools
import Text

/// `preheat merge DIR... -o OUT`: joins the caches of several shards.
struct MergeCommand: Command {
  package static let name = "merge"
  private let arguments: CacheArguments
  private let options: MergeOptions

  init(_ values: OptionValues) throws(UsageError) {
    arguments = try CacheArguments(values)
    guard let output = values.text("output") else {
      throw UsageError(
        .missingArgument, "--output is missing", suggestion: "for example: -o out/all",
        command: values.command.name)
    }
    var options = MergeOptions(output: output)
    options.client = arguments.client
    options.preference = values.text("prefer").flatMap(MergeOptions.Preference.init)
    options.links = values.flag("link")
    options.waitsForLock = values.flag("wait")
    self.options = options
  }

  package func run(in context: CommandContext) async throws -> ExitCode {
    let report: MergeReport
    do throws(CacheToolError) {
      report = try CacheMerger(options).merge(arguments.paths)
    } catch {
      return context.fail(error)
    }
    if !report.foreign.isEmpty {
      let count = NumberText.count(report.foreign.count, "file")
      context.console.warning("\(count) left out: no ledger knows them; see preheat verify")
    }
    try context.output.write(arguments.common.json ? report.json.line : Self.text(report))
    return .success
  }

  private static func text(_ report: MergeReport) -> String {
    var text = "\(SafeText.escape(report.output)): \(NumberText.count(report.files, "file")), "
    text += "\(ByteCountText.text(report.bytes)), for \(report.client)\n"
    if report.shared > 0 { text += "\(report.shared) more than once, with the same bytes\n" }
    for file in report.decided { text += "chosen among different ones: \(SafeText.escape(file))\n" }
    return text
  }
}

extension MergeReport {
  fileprivate var json: JSONObject {
    [
      "v": .integer(1), "type": .string("merge"), "output": .string(output),
      "client": .string(client.description), "files": .integer(files), "bytes": .integer(bytes),
      "shared": .integer(shared), "decided": .array(decided.map { .string($0) }),
      "foreign": .array(foreign.map { .string($0) }),
    ]
  }
}
