import CacheStore
import CacheTools
import Settings
import Text

/// `preheat merge DIR... -o OUT`: joins the caches of several shards.
struct MergeCommand: Command {
  static let spec = CommandSpec("merge", "join the caches of several shards into one").with {
    $0.detail = [
      "Joins caches of the same client and version into a new cache with one ledger. If two caches have different bytes "
        + "for one file name, this is an error that names both files, unless --prefer decides; nothing is written then.",
      "Merging the caches of all parts of a job (--shard) gives the same cache as one run of the whole job. "
        + "If the result exists already, it is left as it is.",
    ]
    $0.positionals = [.init("DIR", .file, 1...Int.max, "a cache folder")]
    $0.examples = [.init("preheat merge out/shard-* -o out/catalog", "all shards")]
    $0.work = .folder
    $0.options = [
      CacheArguments.output("the folder of the joined cache; must be new or empty"),
      Setting(
        prefer, SettingType<MergeOptions.Preference>.choices("WHICH", of: "preference").optional, in: .flag,
        .job,
        "which of two different files is taken"
      ).with {
        $0.detail = "first and last as the caches are named, newest by modification date."
        $0.isCommon = true
      },
      Setting(
        link, SettingType<Bool>.flag.optional, in: .command, .job, "make hard links instead of copies"
      ).with {
        $0.detail = "Saves time and space, but the caches then share the dates of their files."
        $0.defaultText = "links for parts of a job (--shard), else copies"
        $0.isCommon = true
      },
      Setting(incomplete, .flag, in: .flag, .job, "join the parts of a job even if some are missing"),
      CommandRows.wait, CommandRows.json,
    ]
  }

  private static let prefer = SettingKey("prefer", default: MergeOptions.Preference?.none)
  private static let link = SettingKey("link", default: Bool?.none)
  private static let incomplete = SettingKey("incomplete", default: false)

  private let arguments: CacheArguments
  private let options: MergeOptions

  init(_ values: OptionValues) throws(UsageError) {
    arguments = CacheArguments(values)
    guard let output = values[CacheArguments.outputKey] else {
      throw UsageError(.missingArgument, "--output is missing", suggestion: "for example: -o out/all")
    }
    var options = MergeOptions(output: output)
    options.client = arguments.client
    options.preference = values[Self.prefer]
    options.links = values[Self.link]
    options.acceptsMissingShards = values[Self.incomplete]
    options.waitsForLock = values[CommandKey.wait]
    self.options = options
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    let report = try CacheMerger(options).merge(arguments.paths)
    if let ledger = report.setAside { context.console.warning("a damaged ledger is now \(ledger)") }
    if !report.foreign.isEmpty {
      let count = NumberText.count(report.foreign.count, "file")
      context.console.warning("\(count) left out: not in any ledger; see preheat verify")
    }
    try context.output.write(context.json ? report.json.line : Self.text(report))
    return .success
  }

  private static func text(_ report: MergeReport) -> String {
    var text = "\(SafeText.escape(report.output)): \(NumberText.count(report.files, "file")), "
    text += "\(ByteCountText.text(report.bytes)), for \(report.client)\n"
    if report.isRepeated { text += "already made from the same files; left as it is\n" }
    if report.shared > 0 { text += "\(report.shared) in more than one cache, with the same bytes\n" }
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
