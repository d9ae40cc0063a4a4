import CacheStore
import CacheTools
import JobFile
import Settings
import Text

/// `preheat sweep DIR`: trims a cache by the client's own rules.
struct SweepCommand: Command {
  static let spec = CommandSpec("sweep", "trim a cache by age or size, as the client does").with {
    $0.detail = [
      "Removes the entries that the client's own sweep would remove: expired entries, and if the cache is larger than the "
        + "size limit, the least recently used entries. The ledger is updated."
    ]
    $0.positionals = [.cache]
    $0.examples = [
      .init("preheat sweep out/catalog --dry-run", "what would be removed"),
      .init("preheat sweep out/catalog --size-limit 50M", "with the size limit of the app"),
    ]
    $0.work = [.folder, .sizes]
    $0.options =
      [
        Setting(dryRun, .flag, in: .flag, .job, "remove nothing").with { $0.isCommon = true },
        CommandRows.wait, CacheArguments.now, CommandRows.json,
      ]
  }

  private static let dryRun = SettingKey("dry-run", default: false)

  private let arguments: CacheArguments
  private let options: SweepOptions

  init(_ values: OptionValues) throws(UsageError) {
    arguments = CacheArguments(values)
    var options = SweepOptions()
    options.client = arguments.client
    options.sizeLimit = arguments.sizeLimit
    options.now = arguments.now
    options.isDryRun = values[Self.dryRun]
    options.waitsForLock = values[CommandKey.wait]
    self.options = options
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    let report = try CacheSweeper(options).sweep(arguments.path)
    if context.json {
      for removed in report.removed { try context.output.write(removed.json.line) }
      try context.output.write(report.json.line)
    } else {
      try context.output.write(Self.text(report))
    }
    return .success
  }

  private static func text(_ report: SweepReport) -> String {
    var text = ""
    for removed in report.removed {
      text += "\(SafeText.escape(removed.file))  \(ByteCountText.text(removed.size))  \(removed.reason)\n"
    }
    let verb = report.isDryRun ? "would remove" : "removed"
    text +=
      "\(verb) \(report.removed.count) of \(NumberText.count(report.filesBefore, "file")) by the rules of "
    text += "\(report.client), \(ByteCountText.text(report.bytesRemoved)) of "
    text += "\(ByteCountText.text(report.bytesBefore))"
    return text + (report.sizeLimit > 0 ? "; the limit is \(ByteCountText.text(report.sizeLimit))\n" : "\n")
  }
}

extension SweepReport.Removed {
  fileprivate var json: JSONObject {
    [
      "v": .integer(1), "type": .string("removed"), "file": .string(file), "key": .optional(key),
      "size": .integer(size), "reason": .string(reason),
    ]
  }
}

extension SweepReport {
  fileprivate var json: JSONObject {
    [
      "v": .integer(1), "type": .string("sweep"), "cache": .string(cache),
      "client": .string(client.description), "dryRun": .bool(isDryRun), "files": .integer(filesBefore),
      "bytes": .integer(bytesBefore), "removed": .integer(removed.count),
      "bytesRemoved": .integer(bytesRemoved), "sizeLimit": .integer(sizeLimit),
    ]
  }
}
