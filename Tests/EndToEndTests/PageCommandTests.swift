import Concurrency
import Foundation
import TestSupport
import Testing

/// Every command on a page runs, or says why it does not; then its options are read, its make targets looked up.
@Suite(.ownThreads, .timeLimit(.minutes(10)), .serialized)
struct PageCommandTests {
  private static let origin = Locked<(PageServer, PageStage)?>(nil)

  /// One server and one prepared folder for all pages.
  private static func stage(for page: String) throws -> PageStage {
    try origin.withLock { made in
      if made == nil {
        let server = try PageServer()
        made = (server, try PageStage(port: server.port))
      }
      return try #require(made).1.copy(for: page)
    }
  }

  /// What stands for something else on a page: no test machine has it at this place.
  private static let places = [
    (" URL ", " https://img.example.com/p/1.jpg "), ("--in out ", "--in out/catalog "),
    ("/srv/www/preheat", "www"), ("out/shard-* -o out/catalog", "out/shard-* -o out/all"),
    ("'out/catalog.{shard}' --parts 7 -o out/catalog", "out/shard-* -o out/parts"),
    ("swift run install-bundle", "install-bundle"), ("/tmp/Caches", "Caches"),
  ]

  private static func here(_ command: String) -> String {
    places.reduce(command) { $0.replacing($1.0, with: $1.1) }
  }

  /// `preheat run [options] JOB...` says how a command is written; it is no command.
  private static func isSynopsis(_ block: PageBlock) -> Bool {
    block.lines.count == 1 && block.text.contains(" [options]")
  }

  @Test(arguments: PageBlock.pages)
  func theCommandsOfAPageRun(page: String) throws {
    let blocks = try PageBlock.blocks(in: page).filter { ["sh", "console"].contains($0.language) }
    let runnable = blocks.filter { !$0.isByHand && !Self.isSynopsis($0) }
    guard !runnable.isEmpty else { return }
    let stage = try Self.stage(for: page)
    for block in runnable {
      if block.language == "sh" {
        try stage.run(Self.here(block.text)).expect(0)
        continue
      }
      for step in PageSession(block).steps {
        let result = try stage.run(Self.here(step.command))
        #expect(result.status == step.status, "\(block): \(step.command)\n\(result.output)")
        let missing = PageSession.missing(step.shown, in: result.output)
        #expect(missing == nil, "\(block): \(step.command) does not print this line\n\(result.output)")
      }
    }
  }

  /// Nothing of it is done: without its files each command ends early, and a wrong option ends it earlier.
  @Test(arguments: PageBlock.pages)
  func whatIsDoneByHandIsSpelledRight(page: String) throws {
    let makefile = try SourceFiles.text("Makefile")
    for block in try PageBlock.blocks(in: page) where block.isByHand {
      #expect(block.remark.hasPrefix("by-hand: "), "\(block): say why")
      for line in block.lines where !line.isEmpty {
        for name in line.matches(of: /^make ([a-z-]+)/) {
          #expect(makefile.contains("\n\(name.1):"), "\(block): there is no target \(name.1)")
        }
        for name in line.matches(of: /\b(?:jobs|scripts|examples)\/[a-z@.\/-]+/) {
          let path = Fixtures.checkout.appendingPathComponent(String(name.0)).path
          #expect(FileManager.default.fileExists(atPath: path), "\(block): \(name.0)")
        }
        if let mistake = try Self.mistake(in: line) { Issue.record("\(block): \(line)\n\(mistake)") }
      }
    }
  }

  /// The words of a command as a shell splits them, up to a pipe; a substitution stands for a number.
  private static func words(of command: String) -> [String] {
    let text = command.replacing(/"?\$\([^)]*\)"?|"\$[A-Z_]+"/, with: "7")
      .replacing(#/\ (\||>|\\$).*/#, with: "")
    return text.matches(of: /'([^']*)'|"([^"]*)"|[^\s'"]+/).map { match in
      String(match.1 ?? match.2 ?? match.0)
    }
  }

  /// What the command says against its arguments; nil for nothing, or where the line does not call it.
  private static func mistake(in line: String) throws -> String? {
    guard
      let call = line.firstMatch(
        of: /(?:^|\s)preheat (?<rest>(?:run|plan|job|replay|bundle|verify|doctor|help) ?.*)$/)
    else {
      return nil
    }
    let empty = try TemporaryFolder()
    let words = Self.words(of: String(call.rest))
    // As one of many tasks, for those that ask.
    let made = try BuiltCommand.run(
      words, in: empty.url, environment: ["CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "2"])
    return made.messages.contains("try 'preheat help") ? made.messages : nil
  }

  @Test func aWrongOptionIsNoticed() throws {
    #expect(try Self.mistake(in: "sudo -u preheat preheat run --frobnicate a.job") != nil)
    #expect(try Self.mistake(in: "docker run --rm preheat run a.job") == nil)
    let stage = try Self.stage(for: "README.md")
    #expect(try stage.run("preheat plan --frobnicate catalog.job").status == 2)
    #expect(try stage.run("preheat plan catalog.job | head -1").status == 0)
  }

  @Test func aLineThatIsNotPrintedIsNoticed() {
    let output = "a  1.5 KiB\nb https://e.com/1.jpg\nc\n"
    #expect(PageSession.missing(["a 2 KiB", "…", "c"], in: output) == nil)
    #expect(PageSession.missing(["b …1.jpg"], in: output) == nil)
    #expect(PageSession.missing(["b …2.jpg"], in: output) == "b …2.jpg")
    #expect(PageSession.missing(["b"], in: output) == "b")
    #expect(PageSession.missing(["c", "a 1 KiB"], in: output) == "a 1 KiB")
  }
}
