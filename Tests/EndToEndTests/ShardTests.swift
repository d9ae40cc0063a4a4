import Foundation
import TestSupport
import Testing

/// One job on several machines: the parts joined are what one machine makes.
@Suite(.timeLimit(.minutes(10)))
struct ShardTests {
  private static let epoch = ["SOURCE_DATE_EPOCH": "1790000000"]

  /// Sources of every priority, some of them twice, in an order that no digest follows.
  private static let lines: [String] = {
    let names = ["mountains.jpg", "logo.png", "balloons.webp", "portrait-6.jpg"]
    var lines = (0..<24).map { number in
      let name = names[number % names.count]
      let priority = number % 5 == 0 ? " priority=high" : number % 7 == 0 ? " priority=low" : ""
      return "SERVER/\(name)?v=\(number) card resize(width: \(20 + number))\(priority)"
    }
    lines.append(lines[3] + " resize(width: 99)")
    return lines
  }()

  private func scene(_ server: FaultServer) throws -> Scene {
    try Scene(Self.lines.map { $0.replacing("SERVER", with: server.url("/file")) }.joined(separator: "\n"))
  }

  private func preheat(_ scene: Scene, _ arguments: [String]) throws -> BuiltCommand.Result {
    try scene.preheat(arguments, environment: Self.epoch)
  }

  /// Access dates by name, without touching them.
  private func dates(_ folder: URL) throws -> [String: Double] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix(".") }
    return Dictionary(
      uniqueKeysWithValues: names.map { name in
        var status = stat()
        stat(folder.appendingPathComponent(name).path, &status)
        return (name, Double(status.st_atim.tv_sec))
      })
  }

  /// All that the ledger and the files say, but for when a file was written.
  private func entries(_ scene: Scene, _ cache: String) throws -> Set<String> {
    let result = try preheat(scene, ["inspect", cache, "--json"]).expect(0)
    let lines = result.output.split(separator: "\n").map(String.init)
    return Set(
      lines.filter { $0.contains("\"type\":\"entry\"") }.map { line in
        line.replacingOccurrences(
          of: "\"(accessed|modified)\":\"[^\"]*\"", with: "", options: .regularExpression)
      })
  }

  @Test(arguments: [1, 2, 3, 7]) func thePartsJoinedAreTheWhole(count: Int) throws {
    let server = try FaultServer(files: Scene.images)
    let scene = try scene(server)
    #expect(try scene.run(environment: Self.epoch).status == 0)
    let whole = try dates(scene.folder.file("cache"))
    let fetched = try server.stats().sent.count
    for number in (1...count).shuffled() {
      try scene.run(["--shard", "\(number)/\(count)", "--cache", "part-{shard}"], environment: Self.epoch)
        .expect(0)
    }
    // Each source once in the whole fleet.
    for sent in try server.stats().sent.values { #expect(sent > 0) }
    #expect(try server.stats().sent.count == fetched)
    let parts = (1...count).map { "part-\($0)-of-\(count)" }
    try preheat(
      scene,
      ["merge", "-o", "joined/cache"] + (count == 2 ? ["part-{shard}", "--parts", "2"] : parts.shuffled())
    ).expect(0)
    #expect(try dates(scene.folder.file("joined/cache")) == whole)
    #expect(try scene.files(in: "joined/cache") == scene.files())
    #expect(try entries(scene, "joined/cache") == entries(scene, "cache"))
    for (cache, bundle) in [("cache", "whole.zip"), ("joined/cache", "joined.zip")] {
      #expect(try preheat(scene, ["bundle", cache, "-o", bundle]).status == 0)
    }
    #expect(
      try Data(contentsOf: scene.folder.file("joined.zip"))
        == Data(contentsOf: scene.folder.file("whole.zip")))
    // A queue that has lost a node asks once more.
    try preheat(scene, ["merge", "-o", "joined/cache"] + parts).expect(
      0, prints: "already made from the same files")
    #expect(try scene.files(in: "joined/cache") == scene.files())
  }

  @Test func missingAndForeignPartsAreNamed() throws {
    let server = try FaultServer(files: Scene.images)
    let scene = try scene(server)
    for part in ["1/3", "2/3", "1/2"] {
      #expect(try scene.run(["--shard", part], environment: Self.epoch).status == 0)
    }
    try preheat(scene, ["merge", "cache.shard-1-of-3", "cache.shard-2-of-3", "-o", "all"]).expect(
      2, "1 part of 3 missing: 3")
    #expect(!scene.folder.has("all"))
    try preheat(scene, ["merge", "cache.shard-1-of-3", "cache.shard-1-of-2", "-o", "all"]).expect(
      2, "do not belong together")
    try FileManager.default.copyItem(
      at: scene.folder.file("cache.shard-1-of-3"), to: scene.folder.file("twin"))
    try FileManager.default.copyItem(
      at: scene.folder.file("cache.shard-1-of-3.preheat"), to: scene.folder.file("twin.preheat"))
    try preheat(scene, ["merge", "cache.shard-1-of-3", "twin", "-o", "all"]).expect(2, "there twice")
    try preheat(scene, ["merge", "cache.shard-1-of-3", "cache.shard-2-of-3", "-o", "all", "--incomplete"])
      .expect(0)
  }

  /// The record of a part comes from a disk that may have been anybody's.
  @Test(arguments: [
    "", "preheat shard 3\n", "preheat shard 3\n1/1\nJOB\n1e300\n", "preheat shard 3\n1/1\nx\n5\n",
    "preheat shard 3\n1/1\nJOB\n5\n../x\n", "preheat shard 3\n1/1\nJOB\n5\nfinished\nx\n",
    "preheat shard 2\n1/1\nJOB\n5\n",
  ])
  func aDamagedRecordIsNamed(text: String) throws {
    let server = try FaultServer(files: Scene.images)
    let scene = try scene(server)
    #expect(try scene.run(["--shard", "1/1"], environment: Self.epoch).status == 0)
    let record = scene.folder.file("cache.shard-1-of-1.preheat/shard")
    let job = String(repeating: "0", count: 64)
    try Data(text.replacing("JOB", with: job).utf8).write(to: record)
    let result = try preheat(scene, ["merge", "cache.shard-1-of-1", "-o", "all"])
    #expect(result.status != 0 && result.messages.contains("is damaged"), "\(result.messages)")
    #expect(try scene.run(["--shard", "1/1"], environment: Self.epoch).status == 0)
    #expect(try preheat(scene, ["merge", "cache.shard-1-of-1", "-o", "all"]).status == 0)
  }

  /// Whatever the part had done by then: a run, too, that has nothing to do but is killed.
  @Test func aPartThatWasKilledIsNotJoinedAsIfItWereWhole() throws {
    let server = try FaultServer(files: Scene.images)
    let scene = try scene(server)
    #expect(try scene.run(["--shard", "2/2"], environment: Self.epoch).status == 0)
    let merge = ["merge", "cache.{shard}", "--parts", "2", "-o", "all"].map {
      $0.replacing("cache.{shard}", with: "cache.shard-{shard}")
    }
    for signal in [SIGKILL, SIGTERM] {
      let lines = Self.lines.map { $0.replacing("SERVER", with: server.url("/file")) }
      // The port decides which part has each of them: of so many this one has some.
      let hanging = (0..<40).map { "\(server.url("/hang"))?v=\($0) card" }
      try scene.write((lines + hanging).joined(separator: "\n"))
      let before = try server.count("/hang")
      let running = try scene.start(["--shard", "1/2"], environment: Self.epoch)
      #expect(try eventually { try server.count("/hang") > before })
      try preheat(scene, merge).expect(11)
      kill(running.process.processIdentifier, signal)
      _ = try running.wait()
      try preheat(scene, merge).expect(2, "1 part not finished", "cache.shard-1-of-2")
    }
    // What a user asks for in so many words is done.
    try preheat(scene, merge + ["--incomplete"]).expect(0)
  }

  @Test func aPartOfAnotherJobIsNotJoined() throws {
    let server = try FaultServer(files: Scene.images)
    let scene = try scene(server)
    let parts = ["cache.shard-1-of-2", "cache.shard-2-of-2"]
    // How pictures are fetched does not make another job.
    #expect(try scene.run(["--shard", "1/2", "--per-host", "2"], environment: Self.epoch).status == 0)
    #expect(try scene.run(["--shard", "2/2"], environment: Self.epoch).status == 0)
    #expect(try preheat(scene, ["merge", "-o", "same"] + parts).status == 0)
    #expect(try scene.run(["--shard", "2/2", "--gamut", "srgb"], environment: Self.epoch).status == 0)
    try preheat(scene, ["merge", "-o", "all"] + parts).expect(2, "of another job")
    // A whole job in a part's place is no part any more.
    #expect(try scene.run(["--cache", parts[1]], environment: Self.epoch).status == 0)
    try preheat(scene, ["merge", "-o", "all"] + parts).expect(2, "no part of a job")
  }

  @Test func aBundleMayHoldAPart() throws {
    let server = try FaultServer(files: Scene.images)
    let scene = try scene(server)
    #expect(try scene.run(environment: Self.epoch).status == 0)
    var counts: [Int] = []
    for part in ["1/2", "2/2"] {
      let result = try preheat(
        scene, ["bundle", "cache", "-o", "b\(part.first ?? "x").zip", "--shard", part, "--json"])
      counts.append(try #require(try result.objects().first?["files"] as? Int))
    }
    #expect(try counts.reduce(0, +) == scene.entries().count)
    #expect(!counts.contains(0))
  }
}
