import Foundation
import TestSupport
import Testing

@testable import CacheStore
@testable import Planning
@testable import SQLiteStore

@Suite(.timeLimit(.minutes(10)))
struct LedgerWriterTests {
  private let scene: LedgerScene

  init() throws {
    scene = try LedgerScene()
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: scene.folder.path).sorted()
  }

  @Test func ledgerRemembersAcrossOpenings() throws {
    try scene.make(.missing)
    try LedgerWriter(path: scene.path).record([scene.entry("aa"), scene.entry("bb")])
    let ledger = try LedgerWriter(path: scene.path)
    #expect(try ledger.entry(file: "aa") == scene.entry("aa"))
    #expect(try ledger.entry(file: "cc") == nil)
    #expect(ledger.damaged == nil)
  }

  @Test func ledgerListsItsRowsByNameAndForgetsThem() throws {
    try scene.make(.missing)
    let ledger = try LedgerWriter(path: scene.path)
    try ledger.record([scene.entry("bb"), scene.entry("aa"), scene.entry("cc")])
    #expect(try scene.reader.entries() == [scene.entry("aa"), scene.entry("bb"), scene.entry("cc")])
    try ledger.remove(files: ["aa", "cc"])
    #expect(try scene.reader.entries()?.map(\.file) == ["bb"])
  }

  /// Also texts that are canonically equal, empty or long.
  @Test func everyColumnComesBack() throws {
    try scene.make(.missing)
    var rows = ["", "a", "a\u{0}", "b", "e\u{301}", "\u{e9}", "\u{10FFFF}"].map { scene.entry($0) }
    (rows[0].etag, rows[0].lastModified, rows[0].drawing) = (nil, "Mon", -3)
    (rows[1].size, rows[1].modified, rows[1].digest) = (.max, .min, String(repeating: "g", count: 9000))
    (rows[2].origin.key, rows[2].origin.source, rows[2].origin.expiry) = (
      "", "https://e.com/\u{e9}\u{301}", nil
    )
    (rows[3].sourceID, rows[3].identity, rows[3].sourceDigest) = ("x", "y", "z")
    (rows[3].origin.client, rows[3].origin.job, rows[3].origin.priority) = ("", "-", -2)
    for (row, form) in [(4, "e\u{301}"), (5, "\u{e9}")] {
      (rows[row].origin.chain, rows[row].origin.job, rows[row].origin.content) = (form, form, "other")
    }
    let ledger = try LedgerWriter(path: scene.path)
    try ledger.record(rows.reversed())
    let found = try #require(try scene.reader.rows())
    #expect(found.entries == rows && found.names.elementsEqual(rows.map(\.file)) && found.count == rows.count)
    #expect(found.entries.map { Array($0.origin.chain.utf8) } == rows.map { Array($0.origin.chain.utf8) })
    for row in rows { #expect(try found[row.file] == row && ledger.entry(file: row.file) == row) }
    #expect(found["c"] == nil && found.clients == ["kingfisher 8.11.0", ""] && LedgerRows()["a"] == nil)
  }

  @Test func ledgerReplacesARow() throws {
    try scene.make(.missing)
    let ledger = try LedgerWriter(path: scene.path)
    try ledger.record([scene.entry("aa")])
    try ledger.record([scene.entry("aa", size: 9)])
    #expect(try ledger.entry(file: "aa")?.size == 9)
  }

  @Test func theLedgerOfAKilledRunKeepsAllItsRows() throws {
    try scene.make(.killed)
    do {
      let ledger = try LedgerWriter(path: scene.path)
      #expect(ledger.damaged == nil)
      try ledger.record([scene.entry("cc")])
    }
    let rows = try #require(LedgerScene.rows(.killed))
    #expect(try scene.reader.entries() == rows + [scene.entry("cc")])
    #expect(try names() == ["ledger.sqlite"])
    // As if this release had made it.
    let other = temporaryLedger()
    _ = try LedgerWriter(path: other)
    #expect(try schema(scene.path) == schema(other))
  }

  /// What an earlier form does not say of an entry makes it stale; that it is there is known all the same.
  @Test(arguments: [LedgerScene.Kind.earlier, .older])
  func aLedgerOfAnEarlierFormIsCarriedOver(kind: LedgerScene.Kind) throws {
    try scene.make(kind)
    do {
      let ledger = try LedgerWriter(path: scene.path)
      let notice = "the ledger \(scene.path) is of an earlier release and was carried over"
      #expect(ledger.damaged == nil && ledger.notice == (kind == .older ? notice : nil))
      #expect(try ledger.entries { _ in true } == LedgerScene.rows(kind))
    }
    #expect(try scene.reader.entries() == LedgerScene.rows(kind) && names() == ["ledger.sqlite"])
    #expect(try LedgerWriter(path: scene.path).notice == nil)
    let other = temporaryLedger()
    _ = try LedgerWriter(path: other)
    #expect(try schema(scene.path) == schema(other))
  }

  /// Whoever takes the lock next tidies up, also where nothing is to be written.
  @Test(arguments: [LedgerScene.Kind.killed, .killedWithIndex])
  func theLogOfAKilledRunGoesWithItsLeftovers(kind: LedgerScene.Kind) throws {
    let state = StateFolder(cache: scene.temporary.file("cache").path)
    let files = try state.prepare()
    try scene.make(kind)
    for name in try names() {
      try FileManager.default.moveItem(
        atPath: scene.folder.path + "/" + name, toPath: state.path + "/" + name)
    }
    try state.removeLeftovers(of: files)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: state.path).sorted() == ["ledger.sqlite", "tmp"])
    #expect(try LedgerReader(path: state.ledger).entries() == LedgerScene.rows(kind))
  }

  /// Memory that a file is mapped into ends the process when the file is cut.
  @Test(arguments: ["", "-wal"]) func aLedgerThatIsCutWhileARunWorksEndsNoProcess(suffix: String) throws {
    try scene.make(.missing)
    let ledger = try LedgerWriter(path: scene.path)
    try ledger.record((0..<2000).map { scene.entry("\($0)") })
    ledger.checkpoint()
    try ledger.record([scene.entry("new")])
    #expect(try names() == ["ledger.sqlite", "ledger.sqlite-wal"])
    let maps = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
    #expect(!maps.contains(scene.path))
    #expect(truncate(scene.path + suffix, 0) == 0)
    // What SQLite still has in its own memory is right.
    if let rows = try? ledger.entries(where: { _ in true }) { #expect(rows.count == 2001) }
  }

  private func temporaryLedger() -> String { scene.temporary.file("fresh.sqlite").path }

  private func schema(_ path: String) throws -> [String] {
    let database = try SQLiteDatabase(path: path)
    var lines: [String] = []
    try database.prepare("PRAGMA user_version").run { lines.append("\($0.integer(0))") }
    try database.prepare("SELECT sql FROM sqlite_master ORDER BY name").run { lines.append($0.text(0) ?? "") }
    return lines
  }

  @Test func aNewerLedgerIsRefusedAndLeftAlone() throws {
    try scene.make(.newer)
    let before = try FolderSnapshot(scene.folder)
    let failure = #expect(throws: LedgerFailure.self) { try LedgerWriter(path: scene.path) }
    #expect(failure.map { StoreFailure($0).code } == .ledger)
    #expect(failure?.message.contains("has form 99") == true)
    #expect(try FolderSnapshot(scene.folder) == before)
  }

  @Test(arguments: [LedgerScene.Kind.garbage, .foreign, .endless, .olderEndless])
  func aDamagedLedgerIsMovedAsideAndMadeAnew(kind: LedgerScene.Kind) throws {
    for number in 1...3 {
      try? FileManager.default.removeItem(atPath: scene.path)
      try scene.make(kind)
      let bytes = try Data(contentsOf: URL(fileURLWithPath: scene.path))
      let ledger = try LedgerWriter(path: scene.path)
      #expect(ledger.damaged?.path == scene.path + ".damaged-\(number)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: scene.path + ".damaged-\(number)")) == bytes)
      try ledger.record([scene.entry("aa")])
      #expect(try ledger.entry(file: "aa") == scene.entry("aa"))
    }
  }

  @Test func aDamagedLedgerTakesItsLogAlong() throws {
    try scene.make(.garbage)
    try Data("log".utf8).write(to: URL(fileURLWithPath: scene.path + "-wal"))
    let ledger = try LedgerWriter(path: scene.path)
    try ledger.record([scene.entry("aa")])
    #expect(try Data(contentsOf: URL(fileURLWithPath: scene.path + ".damaged-1-wal")) == Data("log".utf8))
    #expect(try scene.reader.entries() == [scene.entry("aa")])
  }

  @Test func aFileThatARunWasKilledOverIsMadeALedger() throws {
    try scene.make(.empty)
    let ledger = try LedgerWriter(path: scene.path)
    #expect(ledger.damaged == nil)
    try ledger.record([scene.entry("aa")])
    #expect(try scene.reader.entries() == [scene.entry("aa")])
  }
}
