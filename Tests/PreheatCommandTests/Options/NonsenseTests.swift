import Testing

/// Values that nobody means are refused before anything is made.
@Suite(.timeLimit(.minutes(10))) struct NonsenseTests {
  static let ofRun = [
    "--cache=", "--cache= ", "--chain=", "--scale=", "--scale=0", "--scale=-2", "--scale=nan", "--scale=1e23",
    "--size-limit=0", "--size-limit=-5", "--per-host=0", "--http-cache=-1", "--stale-if-error=-1d",
    "--allow-private=", "--allow-private= ", "--rate-limit=-5/s", "--max-pixels=0", "--max-bytes=-1",
    "--max-memory=99999999999999999999999", "--render-timeout=nan", "--workers=0", "--workers=-1",
    "--workers=9999",
    "--retries=-1", "--fetch-timeout=inf", "--proxy=",
    "--proxy=proxy",
    "--cacert=/no/such", "--cacert=/", "--insecure-host=*", "--env=1",
    "--report=",
    "--junit= ", "--trace=", "--signposts=/", "--trusted-root=/no/such", "--allow-format=bmp",
    "--expires=-7d",
  ]

  @Test(arguments: ofRun) func aRunRefusesThem(argument: String) async throws {
    let scene = try CommandScene()
    let job = try scene.job(client: "kingfisher 8", lines: ["/none.png original"])
    let outcome = try await scene.preheat("run", job, argument).expect(2)
    #expect(!outcome.messages.isEmpty, "\(outcome.messages)")
    #expect(!scene.folder.has("out"))
  }

  static let ofOthers = [
    ["sweep", "--size-limit=0"], ["sweep", "--size-limit=-5"], ["sweep", "--now=nan"],
    ["sweep", "--now=inf"],
    ["sweep", "--now=-1"], ["sweep", "--client=nuke"], ["bundle", "-o", ""],
    ["bundle", "-o", "b.zip", "--max-size=0"],
    ["bundle", "-o", "b.zip", "--size-limit=-1"], ["bundle", "-o", "b.zip", "--since=/no/such"],
    ["bundle", "-o", "b.zip", "--keys=none"], ["merge", "-o", ""],
    ["verify", "--workers=0"], ["inspect", "--now=1e300"], ["timings", "--by=day"],
  ]

  @Test(arguments: ofOthers) func otherCommandsRefuseThem(arguments: [String]) async throws {
    let scene = try CommandScene()
    let cache = try scene.cache(of: scene.job())
    let before = try scene.names(cache)
    let outcome = try await Outcome(of: [arguments[0], cache] + arguments.dropFirst()).expect(2)
    #expect(!outcome.messages.isEmpty, "\(outcome.code) \(outcome.messages)")
    #expect(try scene.names(cache) == before)
  }
}
