import Foundation
import TestSupport
import Testing

/// The commands that look into caches, on caches that a run has made.
@Suite(.timeLimit(.minutes(10)))
struct CacheToolTests {
  private func tool(_ scene: Scene, _ arguments: String...) throws -> BuiltCommand.Result {
    try BuiltCommand.run(arguments, in: scene.folder.url)
  }

  @Test func inspectShowsEveryEntryAsTheAppWillSeeIt() async throws {
    try await OwnThread {
      let scene = try Scene.ordinary()
      #expect(try scene.run().status == 0)
      let result = try tool(scene, "inspect", "cache", "--json", "--sort", "size")
      let objects = try result.objects()
      let entries = objects.filter { $0["type"] as? String == "entry" }
      #expect(result.status == 0 && entries.count == 24)
      #expect(entries.allSatisfy { $0["fate"] as? String == "hit" })
      #expect(Set(entries.compactMap { $0["width"] as? Int }).isSuperset(of: 60...65))
      let sizes = entries.compactMap { $0["size"] as? Int }
      #expect(sizes == sizes.sorted(by: >))
      #expect(objects.last?["type"] as? String == "cache" && objects.last?["hit"] as? Int == 24)
      let text = try tool(scene, "inspect", "cache").output
      #expect(text.contains("24 entries of nuke 12.9.0: 24 hit"))
    }.value
  }

  @Test func damageIsFoundRemovedAndMadeAgainByTheNextRun() async throws {
    try await OwnThread {
      let scene = try Scene.ordinary()
      #expect(try scene.run().status == 0)
      let before = try scene.entries()
      #expect(try tool(scene, "verify", "cache").status == 0)
      let names = before.keys.sorted()
      try Data(before[names[0]]?.dropLast(9) ?? Data()).write(to: scene.folder.file("cache/\(names[0])"))
      try FileManager.default.removeItem(at: scene.folder.file("cache/\(names[1])"))
      let found = try tool(scene, "verify", "cache", "--quick", "--json")
      #expect(found.status == 6)
      let findings = try found.objects().filter { $0["severity"] as? String == "error" }
      #expect(Set(findings.compactMap { $0["file"] as? String }) == Set(names.prefix(2)))
      #expect(findings.contains { $0["code"] as? String == "verify.missing" })
      let repaired = try tool(scene, "verify", "cache", "--repair", "--json")
      #expect(try repaired.status == 6 && repaired.objects().last?["repaired"] as? Int == 2)
      let run = try tool(scene, "run", "test.job")
      #expect(run.status == 0 && run.output.contains("2 made, 22 up to date"), "\(run.output)")
      #expect(try scene.entries() == before)
      #expect(try tool(scene, "verify", "cache").status == 0)
    }.value
  }

  @Test func repairTextSaysWhatTheNextRunDoes() async throws {
    try await OwnThread {
      let scene = try Scene.ordinary()
      #expect(try scene.run().status == 0)
      let before = try scene.entries()
      let name = try #require(before.keys.min())
      try Data().write(to: scene.folder.file("cache/\(name)"))
      let result = try tool(scene, "verify", "cache", "--quick", "--repair")
      #expect(result.status == 6 && result.output.contains("1 file removed; the next run"))
      #expect(try scene.entries().count == 23)
      #expect(try tool(scene, "verify", "cache", "--quick").status == 0)
      #expect(try scene.run().status == 0)
      #expect(try scene.entries() == before)
    }.value
  }

  @Test func shardsAreJoinedAndEqualTheWhole() async throws {
    try await OwnThread {
      let scene = try Scene.ordinary()
      #expect(try scene.run().status == 0)
      for (index, line) in Scene.ordinaryLines.enumerated() {
        let head = Scene.head.replacingOccurrences(of: "cache cache", with: "cache shard\(index)")
        try scene.write(line, head: head, to: "shard\(index).job")
        #expect(try tool(scene, "run", "shard\(index).job").status == 0)
      }
      let merged = try tool(scene, "merge", "shard0", "shard1", "shard2", "shard3", "-o", "joined")
      #expect(merged.status == 0 && merged.output.contains("24 files"))
      #expect(try tool(scene, "diff", "cache", "joined").status == 0)
      #expect(try tool(scene, "verify", "joined", "--quick").status == 0)
      // The joined ledger knows what a run would make: nothing is left to do.
      let again = try tool(scene, "run", "test.job", "--cache", "joined")
      #expect(again.output.contains("0 made, 24 up to date"))
      let part = try tool(scene, "diff", "shard0", "joined", "--json")
      #expect(part.status == 7)
      #expect(try part.objects().last?["added"] as? Int == 18)
    }.value
  }

  @Test func sweepTrimsAndTheNextRunFillsUp() async throws {
    try await OwnThread {
      let scene = try Scene.ordinary()
      #expect(try scene.run().status == 0)
      let dry = try tool(scene, "sweep", "cache", "--size-limit", "40K", "--dry-run", "--json")
      let removed = try dry.objects().last?["removed"] as? Int ?? 0
      #expect(dry.status == 0 && removed > 0)
      #expect(try scene.names().count == 24)
      #expect(try tool(scene, "sweep", "cache", "--size-limit", "40K").status == 0)
      #expect(try scene.names().count == 24 - removed)
      #expect(try tool(scene, "verify", "cache", "--quick").status == 0, "the ledger is in step")
      #expect(try scene.run().output.contains("\(removed) made"))
    }.value
  }

  @Test func aMissNamesTheScaleThatIsThere() async throws {
    try await OwnThread {
      let scene = try Scene.ordinary()
      #expect(try scene.run().status == 0)
      let url = Scene.images.appendingPathComponent("logo.png").path
      let chain = "resize(width: 60)"
      let hit = try tool(scene, "key", "--in", "cache", url, chain, "--id", "logo.png")
      #expect(hit.status == 0)
      let miss = try tool(
        scene, "key", "--scale", "2", "--in", "cache", url, chain, "--id", "logo.png")
      #expect(miss.status == 10 && miss.output.contains("the cache has it for screen scale 1"))
    }.value
  }

  @Test func codeIsPrintedForTheApp() async throws {
    try await OwnThread {
      let scene = try Scene.ordinary()
      #expect(try scene.run().status == 0)
      let result = try tool(scene, "code", "test.job", "--swift", "--tests")
      #expect(
        result.status == 0 && result.output.contains("static func card(_ url: String"))
      #expect(!result.output.contains(", nil),"), "all files are there, and so their digests")
      let wordless = try tool(scene, "code", "test.job")
      #expect(wordless.status == 2 && wordless.messages.contains("--swift"))
    }.value
  }
}
