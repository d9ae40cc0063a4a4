import Foundation
import TestSupport
import Testing

/// Two runs at once on one cache.
@Suite(.ownThreads, .timeLimit(.minutes(FaultCount.minutes)))
struct LockTests {
  /// A run that holds the lock of the scene's cache until it is told to end.
  private static func holder(_ server: FaultServer, _ scene: Scene) throws -> BuiltCommand.Running {
    try scene.write("\(server.url("/hang")) card", to: "holder.job")
    let running = try BuiltCommand.start(["run", "holder.job"], in: scene.folder.url)
    #expect(try eventually { try server.count("/hang") > 0 })
    return running
  }

  @Test func theSecondRunIsTurnedAwayAndTheNextStartsAtOnceWhenTheFirstIsKilled() throws {
    let server = try FaultServer()
    let scene = try Scene.ordinary()
    let holder = try Self.holder(server, scene)
    try scene.run().expect(11, "another run", "--wait")
    #expect(try scene.entries().isEmpty)
    // A catalogue is not fetched either: its answer would go into the holder's HTTP cache.
    try scene.write("include \(server.url("/big")) format=csv url=image card", to: "feed.job")
    try scene.preheat("run", "feed.job").expect(11)
    #expect(try server.count("/big") == 0)
    kill(holder.process.processIdentifier, SIGKILL)
    _ = try holder.wait()
    #expect(try scene.run().status == 0)
    #expect(try scene.entries().count == 24)
  }

  /// Which of the two comes first is the machine's choice; either order leaves one whole cache.
  @Test func ofTwoRunsThatStartAtOnceOneAtLeastIsDoneAndNoneIsTorn() throws {
    let whole = try Scene.ordinary().warmed()
    let files = try whole.files()
    for round in 0..<FaultCount.of(2, full: 100) {
      let scene = try Scene.ordinary()
      try scene.write(Scene.ordinaryLines.reversed().joined(separator: "\n"), to: "other.job")
      let jobs = round % 2 == 0 ? ["test.job", "other.job"] : ["other.job", "test.job"]
      let runs = try jobs.map { try BuiltCommand.start(["run", $0], in: scene.folder.url) }
      let statuses = try runs.map { try $0.wait().status }
      #expect(statuses.contains(0) && statuses.allSatisfy { $0 == 0 || $0 == 11 }, "\(statuses)")
      #expect(try scene.files() == files, "round \(round)")
      #expect(scene.leftovers().isEmpty)
    }
  }

  /// As a queue starts them that takes a node for lost. What is checked is so under the lock.
  @Test func ofTwoMergesAtOnceOneMakesTheCacheAndTheOtherFindsIt() throws {
    let scene = try Scene.ordinary().warmed()
    let whole = try scene.entries()
    for round in 0..<FaultCount.of(2, full: 100) {
      let merges = try (0..<2).map { _ in
        try BuiltCommand.start(["merge", "cache", "-o", "out\(round)", "--wait"], in: scene.folder.url)
      }
      let results = try merges.map { try $0.wait() }
      #expect(results.map(\.status) == [0, 0], "round \(round): \(results.map(\.messages))")
      #expect(try scene.files(in: "out\(round)").filter { !$0.key.hasPrefix(".") } == whole, "round \(round)")
      try scene.preheat(["verify", "out\(round)"]).expect(0)
    }
  }

  @Test(arguments: [false, true]) func waitWaitsForTheOtherRunUnlessItIsInterrupted(isInterrupted: Bool)
    throws
  {
    let server = try FaultServer()
    let scene = try Scene.ordinary()
    let holder = try Self.holder(server, scene)
    let waiting = try scene.start(["--wait"])
    usleep(300_000)
    #expect(waiting.process.isRunning)
    if isInterrupted {
      kill(waiting.process.processIdentifier, SIGINT)
      #expect(try waiting.wait().status == 130)
    }
    kill(holder.process.processIdentifier, SIGTERM)
    #expect(try holder.wait().status == 143)
    #expect(try waiting.wait().status == (isInterrupted ? 130 : 0))
    #expect(try scene.entries().count == (isInterrupted ? 0 : 24))
  }

  @Test func runsThatShareTwoCachesInOppositeOrdersBothEnd() throws {
    let scene = try Scene.ordinary()
    try scene.write(
      Scene.ordinaryLines[0], head: Scene.head.replacing("cache cache", with: "cache other"),
      to: "other.job")
    let runs = try (0..<6).map { index in
      let jobs = index % 2 == 0 ? ["test.job", "other.job"] : ["other.job", "test.job"]
      return try BuiltCommand.start(["run", "--wait"] + jobs, in: scene.folder.url)
    }
    for run in runs { #expect(try run.wait().status == 0) }
    #expect(try scene.entries().count == 24)
  }
}
