import Foundation
import TestSupport
import Testing

@testable import Fetching
@testable import SQLiteStore

@Suite(.timeLimit(.minutes(10)))
struct ResponseIndexDamageTests {
  private let folder: TemporaryFolder
  private let names = (0..<60).map { "name-\($0)" }

  init() throws { folder = try TemporaryFolder() }

  private var index: URL { folder.file("index.sqlite") }
  private func store() throws -> ResponseStore { try ResponseStore(folder: folder.url, capacity: 1 << 22) }
  private func body(_ name: String) -> [UInt8] { [UInt8]("body of \(name)".utf8) }

  private func write(_ names: [String], to store: ResponseStore) {
    for name in names {
      let response = HTTPResponse(body: body(name), fields: [HTTPHeader(name: "ETag", value: "\"\(name)\"")])
      store.write(
        StoredResponse(response, to: HTTPRequest(url: "http://h/"), requestTime: 1, responseTime: 2),
        body: body(name), as: name)
    }
  }

  private var asideNames: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.contains(".damaged-") }.sorted()
  }

  @Test func aDamagedIndexOfAnyKindIsUsedOrMovedAside() throws {
    do { write(names, to: try store()) }
    let whole = try Data(contentsOf: index)
    #expect(whole.count >= 4 * 4096)
    var moved = 0
    for seed in 0..<300 {
      for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: index.path + suffix) }
      for name in asideNames { try FileManager.default.removeItem(at: folder.file(name)) }
      let bytes = Mutation.damage(whole, seed: seed)
      try bytes.write(to: index)
      if seed % 20 >= 15 {
        try Data([UInt8](repeating: UInt8(seed & 0xff), count: 5000)).write(
          to: folder.file("index.sqlite-wal"))
      }
      let store = try store()
      if let damaged = store.damaged {
        moved += 1
        let aside = index.path + ".damaged-1"
        #expect(damaged.path == aside && damaged.message.contains(index.path), "seed \(seed)")
        #expect(FileManager.default.fileExists(atPath: aside), "seed \(seed)")
      }
      for name in names {
        _ = store.version(name)
        _ = store.head(name).map { ($0.isFresh(at: 5), $0.age(at: 5), $0.freshUntil) }
        if let found = store.read(name) {
          #expect(found.body.starts(with: Array("body of ".utf8)), "seed \(seed)")
        }
      }
      // What is there can be used.
      write(["new"], to: store)
      #expect(store.read("new")?.body == body("new"), "seed \(seed)")
      store.capacity = 1 << 20
      store.remove("new")
      write(names, to: store)
    }
    #expect(moved > 100, "\(moved)")
  }

  /// One byte: no response is taken for newer, or for another one, than it is.
  @Test func whereverAByteIsWrongTheIndexIsSetAsideOrRight() throws {
    do { write(names, to: try store()) }
    let whole = try Data(contentsOf: index)
    let sound = try store()
    let heads = names.map { (sound.head($0), sound.version($0)?.freshUntil) }
    var moved = 0
    let count = FaultCount.of(500, full: 20_000)
    for turn in 0..<count {
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name != "bodies" {
        try FileManager.default.removeItem(at: folder.file(name))
      }
      var bytes = whole
      let place = 100 + turn * (bytes.count - 100) / count
      bytes[place] ^= 1 << UInt8(turn % 8)
      try bytes.write(to: index)
      let store = try store()
      if store.damaged == nil {
        for (name, (head, freshUntil)) in zip(names, heads) {
          let found = store.head(name)
          #expect(found?.fields == head?.fields && found?.responseTime == head?.responseTime, "byte \(place)")
          #expect(found?.requestTime == head?.requestTime, "byte \(place)")
          #expect(store.version(name)?.freshUntil == freshUntil, "byte \(place)")
          if let body = store.read(name)?.body { #expect(body == self.body(name), "byte \(place)") }
        }
      } else {
        moved += 1
        write(names, to: store)
      }
    }
    #expect(moved > count / 4, "\(moved)")
  }

  /// The rule is that of the ledger; bodies without a row are of no use.
  @Test(arguments: DatabaseDamage.allCases)
  func aDamagedIndexIsSetAsideAsAWhole(damage: DatabaseDamage) throws {
    do { write((0..<300).map { "name-\($0)" }, to: try store()) }
    let bytes = damage(try Data(contentsOf: index))
    try bytes.write(to: index)
    let store = try store()
    let damaged = try #require(store.damaged)
    #expect(damaged.fact.hasPrefix("the index of the HTTP cache \(index.path) is damaged: "))
    #expect(
      damaged.message == "\(damaged.fact); it was moved to \(index.path).damaged-1 and a new one was made")
    #expect(try Data(contentsOf: folder.file("index.sqlite.damaged-1")) == bytes)
    #expect((0..<300).allSatisfy { store.read("name-\($0)") == nil })
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("bodies").path) == [])
    write(names, to: store)
    store.commit()
    let next = try self.store()
    #expect(next.damaged == nil && names.allSatisfy { next.read($0)?.body == body($0) })
  }

  @Test(arguments: [0, 99]) func anIndexOfAnotherVersionIsMovedAside(version: Int) throws {
    do { write(names, to: try store()) }
    try SQLiteDatabase(path: index.path).execute("PRAGMA user_version = \(version)")
    let bytes = try Data(contentsOf: index)
    let store = try store()
    #expect(store.damaged?.fact.contains("form") == true)
    #expect(asideNames.contains("index.sqlite.damaged-1"))
    #expect(try Data(contentsOf: folder.file("index.sqlite.damaged-1")).count == bytes.count)
    #expect(names.allSatisfy { store.read($0) == nil })
  }

  @Test(arguments: [
    "DROP TABLE response", "ALTER TABLE response DROP COLUMN digest",
    """
    DROP TABLE response; CREATE VIEW response AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)
    SELECT \(["name", "fields", "varying", "request_time", "response_time", "fresh_until", "size", "digest", "body",
      "allocated", "used", "sum"].map { "x AS \($0)" }.joined(separator: ", ")) FROM c;
    """,
  ])
  func aMissingTableOrColumnIsDamage(change: String) throws {
    do { write(names, to: try store()) }
    try SQLiteDatabase(path: index.path).execute(change)
    let store = try store()
    #expect(store.damaged != nil)
    write(["new"], to: store)
    #expect(store.read("new") != nil)
  }

  /// With the second index that it had.
  @Test func anIndexOfAnEarlierReleaseIsCarriedOver() throws {
    do { write(names, to: try store()) }
    try SQLiteDatabase(path: index.path).execute(
      """
      ALTER TABLE response RENAME TO other; ALTER TABLE other DROP COLUMN sum;
      CREATE TABLE response (name TEXT NOT NULL PRIMARY KEY, fields TEXT NOT NULL, varying TEXT NOT NULL,
      request_time INTEGER NOT NULL, response_time INTEGER NOT NULL, fresh_until INTEGER NOT NULL,
      size INTEGER NOT NULL, digest TEXT NOT NULL, body TEXT, allocated INTEGER NOT NULL, used INTEGER NOT NULL,
      mark INTEGER NOT NULL); INSERT INTO response SELECT *, 7 FROM other; DROP TABLE other;
      CREATE INDEX response_room ON response (used, allocated) WHERE body IS NOT NULL; PRAGMA user_version = 2;
      """)
    for _ in 0..<2 {
      let store = try store()
      #expect(store.damaged == nil && names.allSatisfy { store.read($0)?.body == body($0) })
    }
  }

  @Test func aLockedIndexIsNoDamage() throws {
    do { write(names, to: try store()) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    let script =
      "import sqlite3, sys, time\nd = sqlite3.connect(sys.argv[1])\n"
      + "d.execute('PRAGMA locking_mode = EXCLUSIVE')\nd.execute('BEGIN EXCLUSIVE')\nprint('locked', flush=True)\ntime.sleep(60)"
    process.arguments = ["python3", "-c", script, index.path]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    defer {
      process.terminate()
      process.waitUntilExit()
    }
    try #require(try output.fileHandleForReading.read(upToCount: 6) == Data("locked".utf8))
    let error = #expect(throws: (any Error).self) { try store() }
    #expect("\(error as Any)".contains("locked by process \(process.processIdentifier)"), "\(error as Any)")
    #expect(asideNames.isEmpty)
  }
}
