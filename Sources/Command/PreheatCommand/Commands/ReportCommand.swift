import FileStore
import Foundation
import Reporting
import Syntax
import Text

/// `preheat report DIR`: the page of the last run on a cache.
struct ReportCommand: Command {
  static let spec = CommandSpec("report", "write the HTML page of a run").with {
    $0.detail = [
      "Every run leaves a record beside its cache. This command makes a page from it: failures, the pictures in the "
        + "cache, their sizes, and warnings about the job. The page shows how long each "
        + "operation took if the run had --report, --signposts or --trace.",
      "The page needs no network. The command prints its path.",
    ]
    $0.positionals = [.init("DIR", 1...1, "a cache folder, or the record of a run")]
    $0.examples = [
      ("preheat report out/catalog", "into preheat-report/index.html"),
      ("preheat report out/catalog --report /srv/www/preheat", "elsewhere"),
    ]
    $0.options = fields.map(\.row)
  }

  private static let fields: [FieldSetting<ReportCommand>] = [
    FieldSetting(
      CommandRows.report("the folder of the page").with { $0.defaultText = "preheat-report" }.common, \.output
    ),
    FieldSetting(CommandRows.force, \.isForced),
  ]

  private let place: String
  private var output = "preheat-report"
  private var isForced = false

  init(_ values: OptionValues) throws(UsageError) {
    place = values.words[0]
    values.settings.apply(Self.fields, to: &self)
    try OutputCheck.page(in: output).check(inputs: [place], isForced: isForced)
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    let record = try read()
    let caches = Set(record.caches.map(\.path) + record.renditions.map(\.cache) + [place])
    for cache in caches.sorted() where !cache.isEmpty {
      try OutputCheck.page(in: output).check(outside: cache)
    }
    do throws(ReportFailure) {
      let page = try ReportPage.write(record, to: URL(fileURLWithPath: output))
      try? context.output.write(SafeText.escape(page.path) + "\n")
      return .success
    } catch {
      context.console.error(error.message)
      return .notWritable
    }
  }

  private func read() throws(ReportFailure) -> RunRecord {
    let files = FileManager.default
    let given = URL(fileURLWithPath: place).path
    guard files.fileExists(atPath: given) else { throw ReportFailure(message: "there is no \(place)") }
    guard OutputFile.isFolder(given) else { return try read(given) }
    let kept = KeptRecords(cache: given)
    guard files.fileExists(atPath: kept.last) else {
      throw ReportFailure(message: "no run has left a record beside \(place); see preheat run --report")
    }
    var record = try read(kept.last)
    record.move(to: given)
    return record
  }

  private func read(_ path: String) throws(ReportFailure) -> RunRecord {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw ReportFailure(message: "\(path) cannot be read")
    }
    return try RunRecord(lines: data, path: path)
  }
}
