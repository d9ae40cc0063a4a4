import CacheTools
import ClientKit
import FileStore
import Foundation
import JobFile
import Syntax
import Text

/// `preheat inspect DIR`: what is in a cache, entry by entry.
struct InspectCommand: Command {
  static let spec = CommandSpec("inspect", "show what is in a cache, entry by entry").with {
    $0.detail = [
      "Prints one line for each file: type, size in pixels and bytes, age or expiry, and its state for the app: hit, "
        + "expired, damaged, foreign, or swept (removed at the next sweep). Only the beginning of each file is read; "
        + "preheat verify reads whole files. docs/caches.md explains the states."
    ]
    $0.positionals = [.cache]
    $0.examples = [
      ("preheat inspect out/catalog", "every entry"),
      ("preheat inspect out/catalog --sort size | head", "the largest"),
    ]
    $0.work = [.folder, .sizes]
    $0.options = fields.map(\.row) + [CommandRows.json]
  }

  private static let fields: [FieldSetting<InspectCommand>] = [
    FieldSetting(
      "sort", \.order, .choices("WORD", of: "order"), in: .flag, .output, "the order of the lines",
      detail: "size: largest first; age: oldest first; expiry: soonest first."
    ).with { $0.defaultText = InspectedEntry.Order.file.rawValue }.common,
    FieldSetting(CommandRows.now, \.now),
  ]

  private let cache: String
  private let client: CacheClient?
  private let sizeLimit: Int?
  private var now = Date()
  private var order = InspectedEntry.Order.file

  init(_ values: OptionValues) throws(UsageError) {
    cache = values.words[0]
    (client, sizeLimit) = (values.client, values[JobKey.sizeLimit])
    values.settings.apply(Self.fields, to: &self)
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    let inspection = try CacheInspection(
      of: cache, client: client, sizeLimit: sizeLimit, now: now, order: order)
    for warning in inspection.warnings { context.console.warning(warning) }
    let json = context.json
    var page = ""
    var fates: [InspectedEntry.Fate: Int] = [:]
    var failure: FileStoreError?
    for entry in inspection.entries {
      failure = failure ?? entry.failure
      fates[entry.fate, default: 0] += 1
      page += json ? entry.jsonLine : lines(entry)
      if page.utf8.count > 1 << 16 {
        try context.output.write(page)
        page = ""
        if context.output.readerIsGone { return .success }
      }
    }
    page += json ? CacheTotal(inspection: inspection, fates: fates).jsonLine : Self.total(inspection, fates)
    try context.output.write(page)
    if let failure { throw failure }
    return .success
  }

  /// `<file name>  jpeg 320x240  14.2 KiB  3 d  hit`, then what the ledger knows.
  private func lines(_ entry: InspectedEntry) -> String {
    let size = entry.width.flatMap { width in entry.height.map { "\(width)x\($0)" } } ?? "-"
    let age = DurationText.age(now.timeIntervalSince(entry.modified))
    let life = entry.expires.map { expires in
      expires <= now
        ? "expired \(age) ago"
        : "expires in \(DurationText.age(expires.timeIntervalSince(now)))"
    }
    var text =
      "\(SafeText.escape(entry.file).padded(to: 40))  \((entry.format?.rawValue ?? "-").padded(to: 5)) "
    text += "\(size.padded(to: 10))  \(ByteCountText.text(entry.size).padded(to: 10))  "
    // Clients that sweep by dates get those of important entries ahead of now.
    let dated = entry.modified <= now ? "\(age) old" : "dated \(age)"
    text += "\((life ?? dated).padded(to: 12))  \(entry.fate.rawValue)"
    text += entry.reason.map { ": \(SafeText.escape($0, limit: 200))" } ?? ""
    if let source = entry.source {
      let chain = entry.chain.map { "  \(SafeText.escape($0, limit: 100))" } ?? ""
      text += "\n    \(SafeText.escape(RenditionText.shortened(source)))\(chain)"
    }
    return text + "\n"
  }

  private static func total(_ inspection: CacheInspection, _ counts: [InspectedEntry.Fate: Int]) -> String {
    let fates = InspectedEntry.Fate.allCases.compactMap { fate in
      counts[fate].map { "\($0) \(fate.rawValue)" }
    }
    let counts = fates.isEmpty ? "" : ": \(fates.joined(separator: ", "))"
    return
      "\(NumberText.count(inspection.entries.count, "entry", "entries")) of \(inspection.client.inWords)\(counts)\n"
      + "\(ByteCountText.text(inspection.countedBytes)) on disk\(RenditionText.limit(inspection.sizeLimit)), "
      + "\(ByteCountText.text(inspection.bytes)) of content\n"
  }
}

extension InspectedEntry: JSONRecord {
  package static let json = JSONMembers<Self>(
    type: "entry", ("file", \.file), ("key", \.key), ("source", \.source), ("chain", \.chain),
    ("content", \.content), ("size", \.size), ("allocatedSize", \.allocatedSize),
    ("format", \.format?.rawValue), ("width", \.width), ("height", \.height), ("accessed", \.accessed),
    ("modified", \.modified), ("expires", \.expires), ("fate", \.fate), ("reason", \.reason))
}

struct CacheTotal: JSONRecord {
  let inspection: CacheInspection
  let fates: [InspectedEntry.Fate: Int]

  static let json = JSONMembers<Self>(
    type: "cache", ("cache", \.inspection.cache), ("client", \.inspection.client.description),
    ("rules?", \.inspection.client.rules?.description),
    ("entries", \.inspection.entries.count), ("bytes", \.inspection.bytes),
    ("countedBytes", \.inspection.countedBytes), ("sizeLimit", \.inspection.sizeLimit),
    ("hit", \.[.hit]), ("expired", \.[.expired]), ("damaged", \.[.damaged]), ("foreign", \.[.foreign]),
    ("swept", \.[.swept]))

  private subscript(fate: InspectedEntry.Fate) -> Int { fates[fate] ?? 0 }
}
