import Bodies
import CacheTools
import FileStore
import Syntax
import Text

/// `preheat merge DIR... -o OUT`: joins the caches of several shards.
struct MergeCommand: Command {
  static let spec = CommandSpec("merge", "join the caches of several shards into one").with {
    $0.detail = [
      "Joins caches of the same client and version into a new cache with one ledger. If two caches have different bytes "
        + "for one file name, this is an error that names both files, and nothing is written.",
      "Merging the caches of all parts of a job (--shard) gives the same cache as one run of the whole job. "
        + "If the result exists already, it is left as it is. A part that is missing, not finished or of another job is an "
        + "error, and so is a damaged file.",
    ]
    $0.positionals = [.init("DIR", 1...Int.max, "a cache folder")]
    $0.examples = [
      ("preheat merge out/shard-* -o out/catalog", "all shards"),
      ("preheat merge 'out/catalog.{shard}' --parts 7 -o out/catalog", "all parts of a job"),
    ]
    $0.work = .folder
    $0.options = fields.map(\.row) + [CommandRows.json]
  }

  private static let fields: [FieldSetting<MergeCommand>] = [
    FieldSetting(
      CommandRows.output("the folder of the joined cache; must be new or empty"), \.merger.output),
    FieldSetting(
      "link", \.merger.links, .flag, in: .command, .job, "make hard links instead of copies",
      detail: "Saves time and space, but the caches then share the dates of their files."
    ).with { $0.defaultText = "links for parts of a job (--shard), else copies" }.common,
    FieldSetting(
      "parts", \.parts, SettingType<Int>.integer("N", 1...Shard.most).optional, in: .flag, .job,
      "replace {shard} in a folder's name by each of N parts"
    ).common,
    FieldSetting(
      "incomplete", \.merger.acceptsMissingShards, .flag, in: .flag, .job,
      "join the parts of a job even if some are missing",
      detail: "Also if some were interrupted, or have other settings or chains."),
    FieldSetting(
      "digests", \.merger.checksBytes, .flag, in: .flag, .job, "compare all files with their digests",
      detail: "By default a file whose size and date are those in the ledger is not read."),
    FieldSetting(CommandRows.wait, \.merger.waitsForLock),
  ]

  private let caches: [String]
  private var parts: Int?
  private var merger = CacheMerger(output: "")

  init(_ values: OptionValues) throws(UsageError) {
    caches = values.words
    merger.client = values.client
    values.settings.apply(Self.fields, to: &self)
    if merger.output.isEmpty {
      throw UsageError(.missingArgument, "--output is missing", suggestion: "for example: -o out/all")
    }
  }

  /// The caches, with all parts of a job in the place of the one folder that stands for them.
  private func named() throws -> [String] {
    guard let parts else { return caches }
    guard let place = caches.firstIndex(where: { $0.contains("{shard}") }) else {
      throw UsageError(
        .conflict, "--parts needs a folder with {shard} in its name",
        suggestion: "preheat merge 'out/catalog.{shard}' --parts \(parts) -o out/catalog")
    }
    let pattern = caches[place]
    let all = (1...parts).compactMap { Shard(number: $0, of: parts)?.folder(of: pattern) }
    // Those that are missing are named by their numbers; where none is there the first is named.
    let found = try all.filter { try FileCalls.system.exists($0) }
    var named = caches
    named.replaceSubrange(place...place, with: found.isEmpty ? Array(all.prefix(1)) : found)
    return named
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    let caches = try named()
    let report = try merger.merge(caches)
    // Not asked for: a merge does not depend on it.
    if !report.isRepeated { try? KeptRecords(cache: merger.output).join(caches) }
    if let ledger = report.setAside { context.console.warning("a damaged ledger is now \(ledger)") }
    if !report.foreign.isEmpty {
      let count = NumberText.count(report.foreign.count, "file")
      context.console.warning("\(count) left out: not in any ledger; see preheat verify")
    }
    try context.output.write(context.json ? report.jsonLine : Self.text(report))
    return .success
  }

  private static func text(_ report: MergeReport) -> String {
    var text = "\(SafeText.escape(report.output)): \(NumberText.count(report.files, "file")), "
    text += "\(ByteCountText.text(report.bytes)), for \(report.client.inWords)\n"
    if report.isRepeated { text += "already made from the same files; left as it is\n" }
    if report.shared > 0 { text += "\(report.shared) in more than one cache, with the same bytes\n" }
    return text
  }
}

extension MergeReport: JSONRecord {
  package static let json = JSONMembers<Self>(
    type: "merge", ("output", \.output), ("client", \.client.description),
    ("rules?", \.client.rules?.description), ("files", \.files),
    ("bytes", \.bytes), ("shared", \.shared), ("foreign", \.foreign))
}
