import CacheTools
import JobFile
import Syntax
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
      ("preheat sweep out/catalog --dry-run", "what would be removed"),
      ("preheat sweep out/catalog --size-limit 50M", "with the size limit of the app"),
    ]
    $0.work = [.folder, .sizes]
    $0.options = fields.map(\.row) + [CommandRows.json]
  }

  private static let fields: [FieldSetting<SweepCommand>] = [
    FieldSetting("dry-run", \.sweeper.isDryRun, .flag, in: .flag, .job, "remove nothing").common,
    FieldSetting(CommandRows.wait, \.sweeper.waitsForLock), FieldSetting(CommandRows.now, \.sweeper.now),
  ]

  private let cache: String
  private var sweeper = CacheSweeper()

  init(_ values: OptionValues) throws(UsageError) {
    cache = values.words[0]
    (sweeper.client, sweeper.sizeLimit) = (values.client, values[JobKey.sizeLimit])
    values.settings.apply(Self.fields, to: &self)
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    let report = try sweeper.sweep(cache)
    if context.json {
      for removed in report.removed { try context.output.write(removed.jsonLine) }
      try context.output.write(report.jsonLine)
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
    text += "\(report.client.inWords), \(ByteCountText.text(report.bytesRemoved)) of "
    text += "\(ByteCountText.text(report.bytesBefore))"
    return text + (report.sizeLimit > 0 ? "; the limit is \(ByteCountText.text(report.sizeLimit))\n" : "\n")
  }
}

extension SweepReport.Removed: JSONRecord {
  package static let json = JSONMembers<Self>(
    type: "removed", ("file", \.file), ("key", \.key), ("size", \.size), ("reason", \.reason))
}

extension SweepReport: JSONRecord {
  package static let json = JSONMembers<Self>(
    type: "sweep", ("cache", \.cache), ("client", \.client.description),
    ("rules?", \.client.rules?.description), ("dryRun", \.isDryRun),
    ("files", \.filesBefore), ("bytes", \.bytesBefore), ("removed", \.removed.count),
    ("bytesRemoved", \.bytesRemoved), ("sizeLimit", \.sizeLimit))
}
