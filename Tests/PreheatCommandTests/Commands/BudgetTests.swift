import Foundation
import Testing

/// `max-size`: what a bundle may have.
@Suite(.timeLimit(.minutes(10))) struct BudgetTests {
  private let scene: CommandScene
  /// Bytes of each file of the cache.
  private let size: Int

  init() async throws {
    scene = try CommandScene()
    let cache = try scene.cache(of: scene.job())
    let file = try #require(try scene.names(cache).first)
    size = try Data(contentsOf: URL(fileURLWithPath: cache + "/" + file)).count
  }

  /// A policy that stores less makes as many renditions as before.
  @Test(arguments: [false, true]) func aComparisonCountsEntries(prunes: Bool) async throws {
    let lines = ["scale 1"] + (1...3).map { "https://e.com/\($0).jpg resize(width: 32)" }
    let before = try scene.job("b.job", cache: "c", lines: ["policy storeAll"] + lines)
    _ = try scene.cache(of: before)
    try scene.write(try await scene.preheat("plan", "--json", before).output, to: "before.ndjson")
    let prune = prunes ? ["prune on", "prune-most 100%"] : []
    let after = try scene.job("b.job", cache: "c", lines: ["policy storeEncodedImages"] + prune + lines)
    let outcome = try await scene.preheat("plan", "--compare", scene.path("before.ndjson"), after).expect(
      0, prints: "0 new, 3 gone, 3 as before\n    original  3 gone\n")
    #expect(outcome.output.contains("would be pruned: ") == prunes)
    let object = try #require(
      try await scene.preheat("plan", "--json", "--compare", scene.path("before.ndjson"), after).objects()
        .first { $0["type"] as? String == "comparison" })
    #expect(object["removed"] as? Int == 3)
  }

  @Test func aBundleKeepsToTheJobsBudget() async throws {
    let job = try scene.job(lines: ["max-size 1K", "https://e.com/1.jpg original"])
    let cache = scene.path("out")
    try await scene.preheat("bundle", cache, "--job", job, "-o", scene.path("a.zip")).expect(
      8, " more than --max-size 1 KiB")
    try await scene.preheat(
      "bundle", cache, "--job", job, "--max-size", "1G", "--drop", "-o", scene.path("a.zip")
    ).expect(0, lacks: "dropped")
    try await scene.preheat(
      "bundle", cache, "--max-size", "\(size)", "--drop", "-o", scene.path("b.zip")
    ).expect(0, prints: "dropped for --max-size: 2 entries of 1 source (", "\nwhole: 1 of 2 sources\n")
    try await scene.preheat("bundle", cache, "--max-size", "40X", "-o", scene.path("c.zip")).expect(
      2, "is a number of bytes from 1 B to 1,024 TiB, not '40X'")
    try await scene.preheat("bundle", cache, "--drop", "-o", scene.path("c.zip")).expect(
      2, "--drop needs --max-size")
    try await scene.preheat("bundle", cache).expect(2, "--output is missing; for example: -o catalog.zip")
    #expect(!scene.folder.has("c.zip"))
  }
}
