import Foundation
import TestSupport
import Testing

/// What a run, and those who only read, do when the state folder is not what the last run left.
@Suite(.timeLimit(.minutes(10)))
struct DamagedStateTests {
  private func ledger(_ scene: Scene) -> URL { scene.folder.file("cache.preheat/ledger.sqlite") }

  private func reading(_ scene: Scene) -> [[String]] {
    [
      ["inspect", "cache", "--client", "nuke 12"], ["verify", "cache", "--client", "nuke 12"],
      ["diff", "cache", "cache"], ["plan", "test.job"], ["doctor", "test.job"],
      ["key", "https://example.com/a.png", "resize(width: 60)", "--in", "cache"],
      ["bundle", "cache", "-o", scene.folder.file("bundle.zip").path, "--allow-local-keys"],
    ]
  }

  @Test(arguments: ["random", "empty", "cut", "no table", "flipped page", "name"])
  func aRunRepairsADamagedLedgerAndSaysSoOnce(kind: String) throws {
    let scene = try Scene.ordinary().warmed()
    let entries = try scene.entries()
    let whole = try Data(contentsOf: ledger(scene))
    var bytes = whole
    switch kind {
    case "random": bytes = Mutation.damage(whole, seed: 3)
    case "empty": bytes = Data()
    case "cut": bytes = whole.prefix(whole.count / 2)
    case "no table":
      #expect(
        Tracing.succeeds([
          "python3", "-c", "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('DROP TABLE entry')",
          ledger(scene).path,
        ]))
      bytes = try Data(contentsOf: ledger(scene))
    case "name":
      let places = whole.ranges(of: Data(try #require(entries.keys.sorted().last).utf8))
      #expect(places.count == 1)
      bytes[places[0].lowerBound + 3] ^= 1
    default: bytes.replaceSubrange(4096..<8192, with: Data(repeating: 0xaa, count: 4096))
    }
    try bytes.write(to: ledger(scene))

    // Whoever only reads changes nothing.
    let state = scene.folder.file("cache.preheat")
    let before = try FolderSnapshot(state)
    for arguments in reading(scene) { _ = try scene.preheat(arguments) }
    #expect(try FolderSnapshot(state) == before)

    let second = try scene.run().expect(0)
    let lines = second.messages.split(separator: "\n").filter { $0.contains("is damaged") }
    #expect(lines.count == (kind == "empty" ? 0 : 1), "\(second.messages)")
    #expect(lines.allSatisfy { $0.contains("ledger.sqlite.damaged-1") })
    if kind != "empty" {
      #expect(try Data(contentsOf: scene.folder.file("cache.preheat/ledger.sqlite.damaged-1")) == bytes)
    }
    #expect(try scene.entries() == entries)
    // All is as if nothing had been.
    let third = try scene.run(["--json"]).expect(0, lacks: "damaged")
    #expect(try third.objects().allSatisfy { $0["status"] as? String != "made" })
    #expect(try scene.preheat(["verify", "cache"]).status == 0)
  }

  /// A ledger of an earlier release: what it says holds, what it does not say is made again, and entries stay known.
  @Test(arguments: [
    ("PRAGMA user_version = 5", false),
    ("ALTER TABLE entry DROP COLUMN chain; PRAGMA user_version = 3", true),
  ])
  func aLedgerOfAnEarlierReleaseIsCarriedOver(change: String, isSaid: Bool) throws {
    let scene = try Scene.ordinary().warmed()
    let count = try scene.entries().count
    let script = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(sys.argv[2])"
    #expect(Tracing.succeeds(["python3", "-c", script, ledger(scene).path, change]))
    #expect(try scene.preheat(["verify", "cache"]).status == 0)
    try scene.write(Scene.ordinaryLines.dropLast().joined(separator: "\n"))
    let run = try scene.run(["--prune", "--prune-most", "100%", "--quiet"]).expect(0)
    #expect(run.messages.contains("is of an earlier release") == isSaid, "\(run.messages)")
    #expect(try scene.entries().count == count - 6)
    #expect(try !scene.run(["--quiet"]).messages.contains("earlier"))
  }

  /// The original of one client is read for another one, and found to have other bytes than those that were stored.
  @Test func anOriginalThatIsFoundDamagedIsMadeAgainForBothClients() throws {
    let server = try FaultServer(files: Scene.images)
    let line = "\(server.url("/file/logo.png")) original"
    let scene = try Scene(line).warmed()
    let (name, bytes) = try #require(try scene.entries().first)
    let file = scene.folder.file("cache/\(name)")
    let date = try FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate]
    try Data(bytes.reversed()).write(to: file)
    try FileManager.default.setAttributes([.modificationDate: date as Any], ofItemAtPath: file.path)
    let head = "client kingfisher 8\ncache other\nallow-private 127.0.0.1\n"
    try scene.write(line, head: head, to: "other.job")
    let fetched = try server.count("/file/logo.png")
    let both = try scene.preheat(["run", "test.job", "other.job", "--json"]).expect(0)
    let made = try both.objects().filter { $0["status"] as? String == "made" }
    #expect(made.count == 2, "\(both.output)")
    #expect(try scene.entries() == [name: bytes])
    #expect(try scene.files(in: "other").filter { !$0.key.hasPrefix(".") }.values.allSatisfy { $0 == bytes })
    #expect(try server.count("/file/logo.png") == fetched + 1)
  }

  @Test func aDamagedIndexOfTheHTTPCacheIsRepairedToo() throws {
    let scene = try Scene("http://127.0.0.1:9/never.png card")
    _ = try scene.run()
    let index = scene.folder.file("cache.preheat/http/index.sqlite")
    try Data(repeating: 1, count: 9000).write(to: index)
    let run = try scene.run()
    #expect(run.messages.contains("index.sqlite.damaged-1"), "\(run.messages)")
    #expect(FileManager.default.fileExists(atPath: index.path + ".damaged-1"))
    #expect(try !scene.run().messages.contains("damaged"))
  }

  /// How the last run may have left its ledger: `os._exit` leaves the log as a kill does.
  enum Left: String, CaseIterable { case closed, killed, killedWithoutIndex, damagedIndex }

  @Test(.enabled(if: Mounts.arePossible, "a read-only mount needs unshare -m"), arguments: Left.allCases)
  func aReadOnlyMountCanBeRead(left: Left) throws {
    let scene = try Scene.ordinary().warmed()
    if left != .closed {
      let script = """
        import os, sqlite3, sys
        database = sqlite3.connect(sys.argv[1])
        database.execute("UPDATE entry SET priority = priority")
        database.commit()
        os._exit(0)
        """
      #expect(Tracing.succeeds(["python3", "-c", script, ledger(scene).path]))
      #expect(FileManager.default.fileExists(atPath: ledger(scene).path + "-wal"))
    }
    let shared = URL(fileURLWithPath: ledger(scene).path + "-shm")
    if left == .killedWithoutIndex { try FileManager.default.removeItem(at: shared) }
    if left == .damagedIndex { try Data(repeating: 0x5a, count: 32768).write(to: shared) }
    let elsewhere = try TemporaryFolder()
    for var arguments in reading(scene) {
      if arguments[0] == "bundle" { arguments[3] = elsewhere.file("bundle.zip").path }
      let result = try scene.preheat(arguments, wrapper: Mounts.readOnly(scene.folder.path))
      // One of them finds that a run would fail, the other that the entry is not there.
      let isExpected = ["doctor", "key"].contains(arguments[0]) || result.status == 0
      #expect(isExpected, "\(arguments): \(result.status) \(result.messages)")
      #expect(!result.messages.contains("cannot be read"), "\(arguments): \(result.messages)")
    }
    try scene.run(wrapper: Mounts.readOnly(scene.folder.path)).expect(9, "ead-only")
  }

  @Test func messagesOfClosedStreamsLandInNoFile() throws {
    let whole = try Scene.ordinary().warmed()
    for closing in [">&- 2>&-", "<&- >&- 2>&-", "<&-", "2>&-"] {
      let scene = try Scene.ordinary()
      let wrapper = ["sh", "-c", "exec \"$@\" \(closing)", "sh"]
      let status = try scene.run(["--verbose"], wrapper: wrapper).status
      #expect(status == 0, "\(closing)")
      let lock = try Data(contentsOf: scene.folder.file("cache.preheat/lock"))
      #expect(lock.isEmpty, "\(closing): \(String(decoding: lock, as: UTF8.self))")
      for (name, bytes) in try scene.entries() { #expect(try whole.entries()[name] == bytes, "\(closing)") }
    }
  }

  @Test(.enabled(if: Tracing.isPossible), arguments: ["flock", "syncfs"])
  func aFileSystemWithoutTheseCallsIsEnough(call: String) throws {
    let scene = try Scene.ordinary()
    let wrapper =
      ["strace", "-qq", "-f", "-o", "/dev/null", "-e", "trace=\(call)"]
      + ["-e", "inject=\(call):error=EOPNOTSUPP"]
    let run = try scene.run(wrapper: wrapper).expect(0)
    #expect(try scene.names().count == 24)
    #expect(run.messages.contains("has no locks") == (call == "flock"), "\(run.messages)")
  }
}
