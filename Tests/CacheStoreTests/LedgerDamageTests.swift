import Digests
import FileStore
import Foundation
import TestSupport
import Testing

@testable import CacheStore
@testable import SQLiteStore

@Suite(.timeLimit(.minutes(10)))
struct LedgerDamageTests {
  private let scene: LedgerScene
  private let cache: URL

  init() throws {
    scene = try LedgerScene()
    cache = scene.temporary.file("cache")
    try FileManager.default.createDirectory(at: cache, withIntermediateDirectories: true)
  }

  /// Rows of files that are in the cache folder, and of every fourth one that is not what the row says.
  private func makeCache(_ count: Int) throws -> [LedgerEntry] {
    try (0..<count).map { number in
      let (name, bytes) = ("file \(number)", Data("bytes \(number)".utf8))
      try (number % 4 == 0 ? Data("other \(number)".utf8) : bytes).write(
        to: cache.appendingPathComponent(name))
      var row = scene.entry(name, size: bytes.count)
      row.digest = SHA256.hexadecimal(of: String(decoding: bytes, as: UTF8.self))
      row.modified = try CacheFileStatus(folder: cache.path, name: name)?.modified ?? 0
      return row
    }
  }

  private func write(_ rows: [LedgerEntry]) throws {
    try? FileManager.default.removeItem(at: scene.folder)
    try FileManager.default.createDirectory(at: scene.folder, withIntermediateDirectories: true)
    try LedgerWriter(path: scene.path).record(rows)
  }

  /// Of the ledger and, with half of the seeds, of the log that a killed run leaves.
  @Test func aDamagedLedgerOfAnyKindIsReadOrMovedAsideAndTheNextWriterWorks() async throws {
    // It waits for SQLite now and then, and must not hold up other tests.
    try await OwnThread { try damageLedgers() }.value
  }

  private func damageLedgers() throws {
    let rows = try makeCache(60)
    var moved = 0
    for seed in 0..<300 {
      try write(rows)
      if seed % 20 >= 10 { try leaveLog(rows) }
      let target = seed % 20 >= 10 ? ["-wal", ""][seed % 2] : ""
      let file = URL(fileURLWithPath: scene.path + target)
      let bytes = Mutation.damage(try Data(contentsOf: file), seed: seed)
      try bytes.write(to: file)

      // Whoever only reads changes nothing, and comes to an end.
      let before = try FolderSnapshot(scene.folder)
      _ = try? scene.reader.entries()
      #expect(try FolderSnapshot(scene.folder) == before, "seed \(seed)")

      let writer: LedgerWriter
      do { writer = try LedgerWriter(path: scene.path) } catch {
        // Only a number of a later version is somebody else's.
        #expect("\(error)".contains("has form"), "seed \(seed): \(error)")
        continue
      }
      if let damaged = writer.damaged {
        moved += 1
        #expect(damaged.path == scene.path + ".damaged-1" && damaged.message.contains(scene.path))
        let aside = URL(fileURLWithPath: damaged.path + target)
        #expect(try Data(contentsOf: aside) == bytes, "seed \(seed)")
        #expect(try scene.reader.entries() == [], "seed \(seed)")
      }
      // What is there can be changed and looked up.
      try writer.record([scene.entry("new")])
      #expect(try writer.entry(file: "new") == scene.entry("new"), "seed \(seed)")
      for row in rows { _ = try writer.entry(file: row.file) }
      try writer.remove(files: ["new"])
    }
    // Not all of it hurts, but most does.
    #expect(moved > 80, "\(moved)")
  }

  /// A ledger as a killed run leaves it: rows in the log.
  private func leaveLog(_ rows: [LedgerEntry]) throws {
    let other = scene.temporary.file("killed.sqlite").path
    for suffix in DamagedDatabase.suffixes { try? FileManager.default.removeItem(atPath: other + suffix) }
    let writer = try LedgerWriter(path: other)
    try writer.record(rows)
    for suffix in ["", "-wal"] {
      try? FileManager.default.removeItem(atPath: scene.path + suffix)
      try FileManager.default.copyItem(atPath: other + suffix, toPath: scene.path + suffix)
    }
    withExtendedLifetime(writer) {}
  }

  /// Wherever the damage is: nothing of the ledger is used any more, and nothing of the cache is touched.
  @Test(arguments: DatabaseDamage.allCases)
  func aDamagedLedgerIsSetAsideAsAWhole(damage: DatabaseDamage) throws {
    let rows = try makeCache(400)
    try write(rows)
    let files = try FolderSnapshot(cache)
    let file = URL(fileURLWithPath: scene.path)
    let bytes = damage(try Data(contentsOf: file))
    try bytes.write(to: file)
    var writer: LedgerWriter? = try LedgerWriter(path: scene.path)
    let damaged = try #require(writer?.damaged)
    #expect(damaged.fact.hasPrefix("the ledger \(scene.path) is damaged: "))
    #expect(
      damaged.message == "\(damaged.fact); it was moved to \(scene.path).damaged-1 and a new one was made")
    #expect(try Data(contentsOf: URL(fileURLWithPath: damaged.path)) == bytes)
    #expect(try scene.reader.entries() == [] && FolderSnapshot(cache) == files)
    try writer?.record([rows[0]])
    writer = nil
    #expect(try LedgerWriter(path: scene.path).damaged == nil)
    #expect(try scene.reader.entries() == [rows[0]])
  }

  /// One byte of the table's first page, or of a row: a run neither takes an old version for a file's own nor writes a second
  /// row of it.
  @Test func whereverAByteIsWrongTheLedgerIsSetAsideOrRight() async throws {
    try await OwnThread { try flipBytes() }.value
  }

  private func flipBytes() throws {
    var rows = try makeCache(200)
    for place in rows.indices { rows[place].lastModified = "Wed, 28 Oct 2026 02:10:54 GMT" }
    try write(rows)
    let whole = try Data(contentsOf: URL(fileURLWithPath: scene.path))
    var root = 0
    try SQLiteDatabase(path: scene.path).prepare(
      "SELECT rootpage FROM sqlite_master"
    ).run { root = Int($0.integer(0)) }
    let page = Array(4096 * (root - 1)..<4096 * root)
    var moved = 0
    for (seed, place)
      in (page.every(FaultCount.of(400, full: 4096))
      + Array(100..<whole.count).every(FaultCount.of(400, full: 20_000))).enumerated()
    {
      var bytes = whole
      bytes[place] ^= 1 << UInt8(seed % 8)
      for name in try FileManager.default.contentsOfDirectory(atPath: scene.folder.path) {
        try FileManager.default.removeItem(at: scene.folder.appendingPathComponent(name))
      }
      try bytes.write(to: URL(fileURLWithPath: scene.path))
      let writer = try LedgerWriter(path: scene.path)
      if writer.damaged != nil {
        moved += 1
        continue
      }
      for row in rows {
        let found = try #require(try writer.entry(file: row.file), "byte \(place)")
        #expect(found == row, "byte \(place)")
      }
      try writer.record(rows)
      #expect(try scene.reader.entries() == rows.sorted { $0.file < $1.file }, "byte \(place)")
    }
    #expect(moved > 300, "\(moved)")
  }

  /// Whatever made them: what a run would not find by its name, or would find twice.
  @Test(arguments: ["file DESC", "file, source_id"]) func rowsInAnotherOrderAreDamage(key: String) throws {
    var second = scene.entry("aa")
    second.sourceID = "t"
    let rows = key == "file DESC" ? [scene.entry("aa"), scene.entry("bb")] : [scene.entry("aa"), second]
    try write([])
    do {
      let database = try SQLiteDatabase(path: scene.path)
      var made = ""
      try database.prepare("SELECT sql FROM sqlite_master").run { made = $0.text(0) ?? "" }
      let other = made.replacing("NOT NULL PRIMARY KEY", with: "NOT NULL")
        .replacing("sum INTEGER NOT NULL)", with: "sum INTEGER NOT NULL, PRIMARY KEY (\(key)))")
      try database.execute("DROP TABLE entry; \(other)")
      let insertion = try database.prepare(LedgerTable.table.replacement)
      for row in rows { try insertion.run(LedgerTable.values(row)) }
      try database.execute("PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = '\(made)'")
    }
    #expect(throws: LedgerFailure.self) { try scene.reader.rows() }
    #expect(try LedgerWriter(path: scene.path).damaged != nil)
    #expect(try scene.reader.entries() == [])
  }

  @Test func noMoreThanFiveDamagedLedgersAreKept() throws {
    for number in 1...7 {
      try FileManager.default.createDirectory(at: scene.folder, withIntermediateDirectories: true)
      for suffix in DamagedDatabase.suffixes {
        try? FileManager.default.removeItem(atPath: scene.path + suffix)
      }
      try Data("damaged \(number)".utf8).write(to: URL(fileURLWithPath: scene.path))
      _ = try LedgerWriter(path: scene.path)
      usleep(5000)
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: scene.folder.path)
      .filter { $0.contains("damaged") }
    #expect(names.sorted() == (1...5).map { "ledger.sqlite.damaged-\($0)" })
    let texts = try names.map {
      try String(contentsOf: scene.folder.appendingPathComponent($0), encoding: .utf8)
    }
    #expect(texts.sorted() == (3...7).map { "damaged \($0)" })
  }

  @Test func aLockedLedgerIsNoDamageAndItsHolderIsNamed() throws {
    try scene.make(.current)
    // Another process, as its own locks would not keep this one out.
    let script = """
      import sqlite3, sys, time
      database = sqlite3.connect(sys.argv[1])
      database.execute("PRAGMA locking_mode = EXCLUSIVE")
      database.execute("BEGIN EXCLUSIVE")
      print("locked", flush=True)
      time.sleep(60)
      """
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", script, scene.path]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    defer {
      process.terminate()
      process.waitUntilExit()
    }
    try #require(try output.fileHandleForReading.read(upToCount: 6) == Data("locked".utf8))
    let start = ContinuousClock.now
    let failure = #expect(throws: LedgerFailure.self) {
      try LedgerWriter(path: scene.path)
    }
    #expect(ContinuousClock.now - start < .seconds(20))
    #expect(
      failure?.message.contains("locked by process \(process.processIdentifier) (python3") == true,
      "\(failure as Any)")
    #expect(!FileManager.default.fileExists(atPath: scene.path + ".damaged-1"))
  }
}

extension Array {
  /// At most `count` of the elements, evenly.
  fileprivate func every(_ count: Int) -> [Element] {
    let step = Swift.max(1, self.count / Swift.max(1, count))
    return stride(from: 0, to: self.count, by: step).map { self[$0] }
  }
}
