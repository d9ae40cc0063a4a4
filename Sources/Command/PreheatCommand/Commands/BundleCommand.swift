import Bundles
import Text

/// `preheat bundle DIR -o PATH`: a cache made ready for distribution.
struct BundleCommand: Command {
  package static let name = "bundle"
  private let arguments: BundleArguments

  init(_ values: OptionValues) throws(UsageError) {
    arguments = try BundleArguments(values)
  }

  package func run(in context: CommandContext) async throws -> ExitCode {
    var options = arguments.options
    if let epoch = context.environment["SOURCE_DATE_EPOCH"].flatMap(Int.init) {
      options.date = max(epoch, options.date)
    }
    let report: BundleReport
    do throws(BundleError) {
      report = try BundleMaker(options).make(from: arguments.cache)
    } catch {
      context.console.error(error.description)
      return error.exitCode
    }
    if !report.foreign.isEmpty {
      let count = NumberText.count(report.foreign.count, "file")
      context.console.warning("\(count) left out: the cache's ledger does not know them; see preheat verify")
    }
    if !report.missing.isEmpty {
      let count = NumberText.count(report.missing.count, "file")
      context.console.warning("\(count) of the ledger not in the cache; preheat run makes what is missing")
    }
    try context.output.write(arguments.common.json ? report.json.line : Self.text(report))
    return .success
  }

  private static func text(_ report: BundleReport) -> String {
    var text = "\(SafeText.escape(report.output)): \(NumberText.count(report.files, "file")), "
    text += "\(ByteCountText.text(report.bytes)), for \(report.client)\n"
    if report.unchanged + report.removed > 0 {
      text += "delta: \(report.unchanged) unchanged, \(report.removed) removed\n"
    }
    for file in report.dropped { text += "dropped \(SafeText.escape(file))\n" }
    return text + "id \(report.id)\n"
  }
}

extension BundleReport {
  fileprivate var json: JSONObject {
    [
      "v": .integer(1), "type": .string("bundle"), "output": .string(output), "id": .string(id),
      "client": .string(client.description), "files": .integer(files), "bytes": .integer(bytes),
      "unchanged": .integer(unchanged), "removed": .integer(removed),
      "dropped": .array(dropped.map { .string($0) }), "foreign": .array(foreign.map { .string($0) }),
      "missing": .array(missing.map { .string($0) }), "allocatedBytes": .integer(allocatedBytes),
    ]
  }
}

extension BundleError {
  fileprivate var exitCode: ExitCode {
    switch code {
    case .input, .client, .since: .usage
    case .damaged: .damaged
    case .limit: .limit
    case .locked: .locked
    case .write: .notWritable
    }
  }
}
