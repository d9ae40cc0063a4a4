import Foundation
import Testing

/// The commands that look into caches, on caches that a run has made.
@Suite(.ownThreads, .timeLimit(.minutes(10)))
struct CacheToolTests {
  @Test func damageIsFoundRemovedAndMadeAgainByTheNextRun() throws {
    let scene = try Scene.ordinary().warmed()
    let before = try scene.entries()
    #expect(try scene.preheat("verify", "cache").status == 0)
    let names = before.keys.sorted()
    try Data(before[names[0]]?.dropLast(9) ?? Data()).write(to: scene.folder.file("cache/\(names[0])"))
    try scene.folder.remove("cache/\(names[1])")
    let found = try scene.preheat("verify", "cache", "--quick", "--json").expect(6)
    let findings = try found.objects().filter { $0["severity"] as? String == "error" }
    #expect(Set(findings.compactMap { $0["file"] as? String }) == Set(names.prefix(2)))
    #expect(findings.contains { $0["code"] as? String == "verify.missing" })
    try scene.preheat("verify", "cache", "--repair").expect(6, prints: "2 files removed; the next run")
    try scene.preheat("run", "test.job").expect(0, prints: "2 made, 22 up to date")
    #expect(try scene.entries() == before)
    #expect(try scene.preheat("verify", "cache").status == 0)
  }

  @Test func shardsAreJoinedAndEqualTheWhole() throws {
    let scene = try Scene.ordinary().warmed()
    for (index, line) in Scene.ordinaryLines.enumerated() {
      let head = Scene.head.replacingOccurrences(of: "cache cache", with: "cache shard\(index)")
      try scene.write(line, head: head, to: "shard\(index).job")
      #expect(try scene.preheat("run", "shard\(index).job").status == 0)
    }
    try scene.preheat("merge", "shard0", "shard1", "shard2", "shard3", "-o", "joined").expect(
      0, prints: "24 files")
    #expect(try scene.preheat("diff", "cache", "joined").status == 0)
    #expect(try scene.preheat("verify", "joined", "--quick").status == 0)
    // The joined ledger knows what a run would make: nothing is left to do.
    try scene.preheat("run", "test.job", "--cache", "joined").expect(0, prints: "0 made, 24 up to date")
    let part = try scene.preheat("diff", "shard0", "joined", "--json").expect(7)
    #expect(try part.objects().last?["added"] as? Int == 18)
  }

  @Test func sweepTrimsAndTheNextRunFillsUp() throws {
    let scene = try Scene.ordinary().warmed()
    let dry = try scene.preheat("sweep", "cache", "--size-limit", "40K", "--dry-run", "--json")
    let removed = try dry.objects().last?["removed"] as? Int ?? 0
    #expect(dry.status == 0 && removed > 0)
    #expect(try scene.names().count == 24)
    #expect(try scene.preheat("sweep", "cache", "--size-limit", "40K").status == 0)
    #expect(try scene.names().count == 24 - removed)
    #expect(try scene.preheat("verify", "cache", "--quick").status == 0, "the ledger is in step")
    #expect(try scene.run().output.contains("\(removed) made"))
  }
}
