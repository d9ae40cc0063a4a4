import Foundation
import TestSupport
import Testing

/// Nothing lives for ever: what a job no longer names leaves the cache and the bundle.
@Suite(.timeLimit(.minutes(10)))
struct PruneTests {
  private func scene() throws -> (scene: Scene, keep: String) {
    let server = try FaultServer(files: Scene.images)
    let keep = "\(server.url("/file/logo.png")) card original"
    let scene = try Scene("\(keep)\n\(server.url("/file/mountains.jpg")) card original").warmed()
    // Only what the first run has fetched is needed from here on.
    withExtendedLifetime(server) {}
    return (scene, keep)
  }

  /// Files that a plan says would be pruned.
  private func planned(_ scene: Scene) throws -> Int? {
    let plan = try scene.preheat(["plan", "test.job", "--prune", "--json"])
    return try plan.objects().last { $0["type"] as? String == "prune" }?["files"] as? Int
  }

  @Test func whatNoJobNamesLeavesTheCacheAndNothingElse() throws {
    let (scene, keep) = try scene()
    let all = try Set(scene.entries().keys)
    #expect(all.count == 4)
    try scene.folder.write("an app's own", to: "cache/foreign")
    try scene.write(keep)

    #expect(try planned(scene) == 2)
    #expect(try Set(scene.entries().keys) == all.union(["foreign"]))

    // Without being asked a run removes nothing.
    #expect(try scene.run(["--offline"]).status == 0)
    #expect(try scene.entries().count == 5)

    try scene.run(["--offline", "--prune"]).expect(0, prints: "pruned: 2 files that no job names")
    let left = try Set(scene.entries().keys)
    #expect(left.count == 3 && left.contains("foreign") && left.subtracting(["foreign"]).isSubset(of: all))
    try scene.folder.remove("cache/foreign")
    #expect(try scene.preheat(["verify", "cache"]).status == 0)
    try scene.run(["--offline", "--prune"]).expect(0, prints: "pruned: 0 files")
  }

  /// What an include list that came empty would remove stays, and the run says how to go on.
  @Test func aRunThatWouldRemoveMostRemovesNothing() throws {
    let server = try FaultServer(files: Scene.images)
    let urls = (0..<8).map { server.url("/file/logo.png?v=\($0)") }.joined(separator: "\n")
    let scene = try Scene("prune on\ninclude urls.txt card\n\(server.url("/file/logo.png")) card")
    try scene.folder.write(urls, to: "urls.txt")
    #expect(try scene.run().status == 0)
    let all = try Set(scene.entries().keys)
    #expect(all.count == 9)
    try Data().write(to: scene.folder.file("urls.txt"))
    let plan = try scene.preheat(["plan", "test.job"])
    #expect(plan.messages.contains("8 of 9 entries would go"), "\(plan.messages)")
    try scene.run().expect(8, "add --prune-most 100%", lacks: "when the cache can be written")
    #expect(try Set(scene.entries().keys) == all)
    #expect(try scene.run(["--prune-most", "90%"]).status == 0)
    #expect(try scene.entries().count == 1)
  }

  /// A job of another client with a wrong folder, and another job of the same one.
  @Test(arguments: [("kingfisher 8", "original"), ("nuke 12", "resize(width: 33)")])
  func anotherJobsEntriesStay(client: String, chain: String) throws {
    let (scene, _) = try scene()
    let all = try Set(scene.entries().keys)
    let picture = Scene.logo
    try scene.write(
      "\(picture) \(chain) id=other", head: "client \(client)\ncache cache\nprune on\n", to: "other.job")
    try scene.preheat(["run", "other.job"]).expect(0, prints: "pruned: 0 files")
    let left = try Set(scene.entries().keys)
    #expect(left.isSuperset(of: all) && left.count == all.count + 1)
  }

  @Test func twoJobsOfWhichOneAsksAreAnError() throws {
    let (scene, keep) = try scene()
    let all = try Set(scene.entries().keys)
    try scene.write("prune on\n\(keep)", to: "asking.job")
    try scene.preheat(["run", "asking.job", "test.job"]).expect(2, "asking.job prunes")
    #expect(try Set(scene.entries().keys) == all)
  }

  @Test func aFileThatSomebodyElseHasReplacedStays() throws {
    let (scene, keep) = try scene()
    let before = try scene.entries()
    try scene.write(keep)
    #expect(try planned(scene) == 2)
    for name in before.keys {
      try scene.folder.write("written by the app", to: "cache/\(name)")
    }
    #expect(try planned(scene) == 0)
  }

  @Test func aBundleHasExactlyWhatTheJobNames() throws {
    let (scene, keep) = try scene()
    try scene.write(keep)
    let job = ["--job", "test.job"]
    let result = try scene.preheat(["bundle", "cache", "-o", "catalog", "--json"] + job).expect(0)
    let report = try #require(try result.objects().last)
    #expect(report["type"] as? String == "bundle")
    #expect(report["files"] as? Int == 2 && report["unnamed"] as? Int == 2)
    // What is not made yet is missed, not left out.
    try scene.write("\(keep) circle")
    let early = try scene.preheat(["bundle", "cache", "-o", "next"] + job)
    let cure = "preheat run test.job makes it"
    #expect(early.status != 0 && early.messages.contains(cure), "\(early.messages)")
  }
}
