import Testing

/// A job whose lines and includes name no source: most often its lists came empty.
@Suite(.timeLimit(.minutes(10))) struct EmptyJobTests {
  private let scene: CommandScene

  init() throws { scene = try CommandScene() }

  private static let nothing: [[String]] = [
    [], ["# none today", ""], ["include a.txt"], ["include a.txt", "include b.txt original"],
    ["include a.csv url=image"], ["include c.csv url=image where=shop=none"], ["include d.json url=image"],
  ]

  private func job(_ settings: [String], _ lines: [String], cache: String = "out") throws -> String {
    for name in ["a.txt", "b.txt"] { try scene.write(name == "b.txt" ? "# empty\n\n" : "", to: name) }
    try scene.write("image,shop\n", to: "a.csv")
    try scene.write("image,shop\nhttps://e.com/1.jpg,de\n", to: "c.csv")
    try scene.write("[]", to: "d.json")
    return try scene.job("a.job", cache: cache, lines: settings + lines)
  }

  @Test(arguments: nothing, ["run", "plan"]) func itIsAnError(lines: [String], command: String) async throws {
    for (settings, code) in [([], 2), (["prune on"], 8)] as [([String], Int32)] {
      try await Outcome(of: [command, "--quiet", job(settings, lines)]).expect(
        code, "a.job names no source", "(job.empty)")
    }
    let error = try #require(
      try await Outcome(of: [command, "--json", job([], lines)]).objects().last { $0["code"] != nil })
    #expect(error["type"] as? String == "error" && error["code"] as? String == "job.empty")
  }

  @Test(arguments: nothing) func aJobMayAllowIt(lines: [String]) async throws {
    for settings in [["allow-empty on"], ["allow-empty on", "prune on"]] {
      try await Outcome(of: ["run", job(settings, lines)]).expect(0, lacks: "names no source")
    }
    #expect(try await Outcome(of: ["run", "--allow-empty", job([], lines)]).code == 0)
  }

  /// Then nothing of the job is wanted, and `prune-most` alone guards the cache.
  @Test func whatIsAllowedToBeEmptyIsPruned() async throws {
    let cache = try scene.cache(of: scene.job("a.job"))
    #expect(try scene.names(cache).count == 3)
    try await scene.preheat("run", job(["allow-empty on", "prune on"], [])).expect(8)
    #expect(try scene.names(cache).count == 3)
    try await scene.preheat("run", job(["allow-empty on", "prune on", "prune-most 100%"], [])).expect(0)
    #expect(try scene.names(cache).isEmpty)
  }

  @Test(arguments: nothing.dropFirst(2)) func oneAmongOthersIsAWarning(lines: [String]) async throws {
    let outcome = try await Outcome(of: ["plan", job([], lines + ["https://e.com/9.jpg original"])])
    let warnings = outcome.messages.split(separator: "\n").count { $0.contains("this list names no source") }
    #expect(outcome.code == 0 && warnings == lines.count, "\(lines): \(outcome)")
  }

  @Test func anEmptyShardIsNoEmptyJob() async throws {
    for shard in 1...4 {
      let job = try job([], ["https://e.com/9.jpg original"], cache: "out.{shard}")
      try await scene.preheat("plan", "--shard", "\(shard)/4", job).expect(0, lacks: "names no source")
      let empty = try self.job([], ["include a.txt"], cache: "out.{shard}")
      #expect(try await scene.preheat("plan", "--shard", "\(shard)/4", empty).code == 2)
    }
  }

  /// They are failures, not nothing.
  @Test func linesThatAreLeftOutAreNamed() async throws {
    try await scene.preheat("plan", "--skip-invalid", job([], ["https://e.com/a b.jpg original"])).expect(
      0, lacks: "job.empty")
  }
}
