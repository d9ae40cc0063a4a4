import Foundation
import Planning
import Testing
import Text

/// What `replay` says of misses, and the jobs that it and `init --from` write.
@Suite(.timeLimit(.minutes(10))) struct ReplayCommandTests {
  let scene: CommandScene

  init() throws {
    scene = try CommandScene()
    try scene.folder.makeFolder("jobs")
  }

  /// The chain is in points again, as in the job of the cache.
  @Test func missesAreToldByChainAndTheCureIsForTheSameCache() async throws {
    let lines = ["scale 3", "chain card = resize(width: 32)"]
    let sources = [
      "https://e.com/1.jpg card", "https://e.com/2.jpg resize(width: 8)",
      "https://e.com/3.jpg resize(width: 8)",
    ]
    let made = try scene.job("app.job", lines: lines + sources)
    let cache = try scene.cache(of: made)
    let wanted = try scene.job("wanted.job", lines: lines + (1...3).map { "https://e.com/\($0).jpg card" })
    let keys = try await scene.preheat("plan", "--json", wanted).objects().compactMap { $0["key"] as? String }
    try scene.write((keys + [keys[2]]).joined(separator: "\n") + "\n", to: "keys.txt")
    try await scene.preheat(
      "replay", scene.path("keys.txt"), "--in", cache, "--cures", scene.path("jobs/more.job")
    ).expect(0, prints: "what was missed:\n  card @3x is missing for 2 sources: 3 misses\n")
    let cure = try scene.folder.text("jobs/more.job")
    #expect(cure.contains("\nscale 3\n") && cure.contains("\ncache \"\(cache)\"\n"), "\(cure)")
    #expect(cure.contains("resize(width: 32)"))
    let objects = try await scene.preheat("replay", scene.path("keys.txt"), "--in", cache, "--json").objects()
    let missed = try #require(objects.first { $0["type"] as? String == "missed" })
    #expect(missed["name"] as? String == "card" && missed["sources"] as? Int == 2)
    // Job lines are made only where they are shown.
    let quiet = try await scene.preheat("replay", scene.path("keys.txt"), "--in", cache, "--quiet").expect(0)
    #expect(quiet.output.isEmpty && quiet.messages.isEmpty)
    try await scene.preheat(
      "replay", scene.path("keys.txt"), "--in", cache, "--quiet", "--cures", scene.path("jobs/quiet.job")
    ).expect(0, isSilent: true)
    #expect(try scene.folder.text("jobs/quiet.job") == cure)
  }

  /// Nothing of its chain is in the cache, and the lines are those of the job.
  @Test func aChainIsCalledAsTheJobCallsIt() async throws {
    let lines = ["scale 3", "chain card = resize(width: 360)", "chain list = resize(width: 8) | circle"]
    let cache = try scene.cache(of: scene.job("app.job", lines: lines + ["https://e.com/1.jpg list"]))
    let wanted = try scene.job(
      "wanted.job", lines: lines + ["https://e.com/1.jpg card list", "https://e.com/2.jpg list"])
    let keys = try await scene.preheat("plan", "--json", wanted).objects().compactMap { $0["key"] as? String }
    try scene.write(keys.joined(separator: "\n") + "\n", to: "keys.txt")
    try await scene.preheat("replay", scene.path("keys.txt"), "--in", cache).expect(
      0, prints: "\n  card @3x is missing for 1 source: 1 miss\n", " https://e.com/1.jpg card\n",
      " https://e.com/2.jpg list\n", lacks: "resize(")
  }

  @Test func noLineIsProposedForWhatASweepOrARunExplains() async throws {
    let job = try scene.job("app.job", lines: (1...9).map { "https://e.com/\($0).jpg original" })
    let cache = try scene.cache(of: job)
    let lost = try #require(Plan.make(.file(job)).plan).renditions.first { $0.line == 3 }?.fileName
    try FileManager.default.removeItem(atPath: cache + "/" + #require(lost))
    let keys = (1...9).map { "https://e.com/\($0).jpg" } + ["https://e.com/new.jpg"]
    try scene.write(keys.joined(separator: "\n") + "\n", to: "keys.txt")
    let replay = try await scene.preheat(
      "replay", scene.path("keys.txt"), "--in", cache, "--size-limit", "100K", "--cures",
      scene.path("jobs/more.job"))
    let text = replay.output
    #expect(
      text.contains("; a sweep had removed it\n") && text.contains("; a run of the cache's job makes it\n"),
      "\(text)")
    let more = try scene.folder.text("jobs/more.job")
    #expect(more.contains("new.jpg") && !more.contains("/1.jpg") && !more.contains("/9.jpg"), "\(more)")
  }

  /// Of a picture whose original the cache has not, nothing is said to be saved but the fetch.
  @Test func bytesAreThoseOfSourcesWhoseSizeIsKnown() async throws {
    let lines = ["https://e.com/1.jpg resize(width: 8)", "https://e.com/2.jpg original"]
    let cache = try scene.cache(of: scene.job("app.job", lines: ["scale 1"] + lines))
    let keys = try await scene.preheat("plan", "--json", scene.path("app.job")).objects()
      .compactMap { $0["key"] as? String }
    try scene.write(keys[0] + "\n", to: "one.txt")
    try scene.write(keys.joined(separator: "\n") + "\n", to: "both.txt")
    try await scene.preheat("replay", scene.path("one.txt"), "--in", cache).expect(
      0, prints: "saved: 1 source not fetched, of a size not known as the cache has no original, ")
    try await scene.preheat("replay", scene.path("both.txt"), "--in", cache).expect(
      0, prints: "saved: 2 sources not fetched (at least ",
      "), of 1 the size is not known as the cache has no original, ")
  }

  @Test func wrongArgumentsAreNamed() async throws {
    try scene.write("https://e.com/a.jpg\n{\"url\":\"x\"}\nproduct-9\n", to: "s.txt")
    let keys = scene.path("s.txt")
    try await scene.preheat("init", "--client", "nuke 12", "--from", keys).expect(
      3, "s.txt:2: \"key\" is missing", "product-9: it does not begin with a URL",
      prints: "\nhttps://e.com/a.jpg original\n")
    try await scene.preheat("init", "--from", keys).expect(2, "--client")
    try await scene.preheat("init", "--client", "nuke 9", "--from", keys).expect(2, "nuke")
    try await scene.preheat("replay", keys).expect(2, "--in is missing")
    try await scene.preheat("replay", keys, "--in", scene.path("no")).expect(2, "there is no ", "/no")
  }

  /// A run of the job makes all of it: what it could not draw is a comment.
  @Test func aRecordedJobHasTheAppsOwnProcessorsAsComments() async throws {
    let url = "https://e.com/1.jpg"
    let lines = ["", "com.example.own"].map { "{\"key\": \"\(url)\($0)\", \"url\": \"\(url)\"}\n" }
    try scene.write(lines.joined(), to: "r.ndjson")
    let job = scene.path("jobs/k.job")
    try await scene.preheat(
      "init", "--client", "nuke 12", "--cache", "out/x", "--from", scene.path("r.ndjson"), "-o", job
    ).expect(0)
    let text = try String(contentsOfFile: job, encoding: .utf8)
    #expect(text.contains("\n# chain ") && text.contains("\n# \(url) "), "\(text)")
    let plan = try await scene.preheat("plan", "--json", job).objects()
    #expect(plan.compactMap { $0["key"] as? String } == [url])
    // The cache is the one that was named here, seen from the job's folder.
    let cache = try #require(
      text.split(separator: "\n").first { $0.hasPrefix("cache ") }?.dropFirst(7).dropLast())
    #expect(PathText.absolute(String(cache), in: scene.path("jobs")) == PathText.absolute("out/x"))
  }
}
