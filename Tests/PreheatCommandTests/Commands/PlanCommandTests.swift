import Testing

/// `plan`, `key`, `code`: what is said of a job without a cache and without network.
@Suite(.timeLimit(.minutes(10))) struct PlanCommandTests {
  let scene: CommandScene

  init() throws { scene = try CommandScene() }

  @Test func aPlanHasALineForEachRenditionAndATotal() async throws {
    let outcome = try await scene.preheat("plan", "--rows", scene.job(), "--scale", "1").expect(
      0, prints: "https://e.com/2.jpg  resize(width: 32) @1x  stores encoded\n",
      "    key https://e.com/2.jpg", ", 3 not made yet\n")
    #expect(outcome.messages == "")
    #expect(outcome.lines.count { $0.hasPrefix("    key ") } == 3)
    #expect(outcome.output.contains("3 renditions of 2 sources for nuke 12.9.0 in \(scene.path("out"))\n"))
    #expect(!scene.folder.has("out"), "nothing is written")
  }

  @Test func aPlanSaysWhatIsFoundInPartAndWhatNotAtAll() async throws {
    let lines = [
      "policy storeOriginalData", "https://e.com/1.jpg thumbnail(maxPixelSize: 9) circle original",
    ]
    let outcome = try await scene.preheat("plan", "--rows", scene.job(lines: lines))
    #expect(outcome.lines.count { $0 == "    the app will not find this rendition" } == 1)
    #expect(outcome.lines.count { $0 == "    the app finds only the original and processes it itself" } == 1)
    #expect(
      outcome.lines.dropLast().last
        == "in the app: 1 found only in part, the app makes the rest itself; 1 not found")
    try await scene.preheat(
      "plan", "--rows", scene.job(lines: ["https://e.com/1.jpg circle circle|custom(\"x\")"])
    ).expect(0, prints: "    the app finds only U+p1 and makes the rest itself\n")
  }

  @Test func aPlanForProgramsIsOneObjectARendition() async throws {
    let all = try await scene.preheat("plan", "--json", scene.job()).objects()
    #expect(all.first?["type"] as? String == "diagnostic" && all.first?["severity"] as? String == "warning")
    let objects = all.dropFirst()
    #expect(objects.count == 3)
    #expect(objects.map { $0["source"] as? String }.first == "https://e.com/1.jpg")
    #expect(objects.allSatisfy { $0["v"] as? Int == 1 && $0["type"] as? String == "rendition" })
  }

  @Test func aPlanSaysWhatAChangeOfTheJobWouldMake() async throws {
    let before = try await scene.preheat("plan", "--json", "--scale", "1", scene.job())
    try scene.folder.write(before.output, to: "before.ndjson")
    let job = try scene.job("new.job", lines: ["https://e.com/1.jpg resize(width: 32) circle"])
    let other = scene.path("before.ndjson")
    let changes = try await scene.preheat("plan", "--compare", other, "--json", "--scale", "1", job)
    let object = try #require(changes.objects().last)
    #expect(object["type"] as? String == "comparison")
    // Of the three, the original of the second picture and its small form are gone, and so is the first's.
    #expect(object["added"] as? Int == 2 && object["removed"] as? Int == 3, "\(object)")
    let same = try await scene.preheat("plan", "--compare", other, "--scale", "1", scene.job())
    #expect(same.lines.last == "0 new, 0 gone, 3 as before", "\(same.output)")
    try scene.folder.write("no plan\n", to: "bad.ndjson")
    let bad = try await scene.preheat("plan", "--compare", scene.path("bad.ndjson"), job)
    #expect(bad.code != 0 && bad.output == "")
    #expect(bad.messages.contains("line 1 is not from preheat plan --json"))
  }

  /// The value of a header is for a run alone, in a pull request's build too.
  @Test(arguments: [[:], ["TOKEN": "s3cr3t"], ["TOKEN": "s3cr3t", "GITHUB_EVENT_NAME": "pull_request"]])
  func whatSendsNothingNeedsNoVariable(environment: [String: String]) async throws {
    let job = try scene.job(lines: [
      "header e.com Authorization: Bearer ${TOKEN}", "aws-sigv4 s3.e.com aws:amz:eu-west-1:s3",
      "https://e.com/1.jpg original",
    ])
    try scene.write("https://e.com/1.jpg\n", to: "keys.txt")
    for command in [
      ["plan", job], ["plan", "--env", "OTHER", job], ["code", "--swift", job],
      ["key", "--job", job, "https://e.com/1.jpg"],
      ["init", "--client", "nuke 12", "--from", scene.path("keys.txt")],
    ] {
      try await Outcome(of: command, environment: environment).expect(0, lacks: "s3cr3t")
    }
  }

  @Test func flagsAndVariablesHoldOverTheJob() async throws {
    let job = try scene.job()
    try await scene.preheat(
      "plan", job, "--client", "nuke 11", environment: ["PREHEAT_CLIENT": "nuke 10"]
    ).expect(0, prints: "for nuke 11.")
    try await scene.preheat("plan", job, environment: ["PREHEAT_CLIENT": "nuke 10"]).expect(
      0, prints: "for nuke 10.")
  }

  @Test func anErrorInAJobStopsAllJobsAndIsShownAtItsPlace() async throws {
    let good = try scene.job()
    let bad = try scene.job("bad.job", lines: ["https://e.com/1.jpg resise(width: 3)"])
    try await scene.preheat("plan", good, bad).expect(
      2, "bad.job:3:21: error: ", "did you mean 'resize'?", isSilent: true)
    let json = try await scene.preheat("plan", "--json", bad).expect(2)
    #expect(try json.objects().map { $0["type"] as? String } == ["diagnostic"])
  }

  @Test func aJobThatIsNotThereIsAUsageError() async throws {
    try await scene.preheat("plan", scene.path("none.job")).expect(2, "cannot be read")
  }

  @Test func aRunOfAWrongJobStartsNothing() async throws {
    let bad = try scene.job(lines: ["https://e.com/1.jpg resise(width: 3)"])
    try await scene.preheat("run", bad).expect(2, "error: ")
    #expect(!scene.folder.has("out.preheat"))
    try await scene.preheat("run", scene.job(), "--cacert", scene.path("none")).expect(2, "--cacert: ")
  }

  @Test func aKeyIsAskedForWithItsChainItsScaleAndItsID() async throws {
    let client = "--client=nuke 12"
    let plain = try await scene.preheat("key", client, "https://e.com/1", "resize(width: 32)").expect(
      0, "warning: no scale is set")
    #expect(plain.lines.count == 3)
    #expect(plain.output.hasPrefix("scale 1\nkey   https://e.com/1com.github.kean/nuke/resize?"))
    let named = try await scene.preheat(
      "key", client, "https://e.com/1", "resize(width: 32)", "--id", "product 1", "--scale", "3")
    #expect(named.output.hasPrefix("scale 3\nkey   product 1com.github.kean/nuke/resize?s=(96.0"))
    let original = try await scene.preheat("key", client, "https://e.com/1", "--json")
    #expect(try original.objects().first?["key"] as? String == "https://e.com/1")
  }

  @Test func aKeyIsLookedUpInACache() async throws {
    let cache = try scene.cache(of: scene.job())
    let client = "--client=nuke 12.9.0"
    try await scene.preheat("key", client, "--in", cache, "https://e.com/1.jpg").expect(
      0, prints: "\nhit   ")
    try await scene.preheat("key", client, "--in", cache, "https://e.com/1.jpg", "circle").expect(
      0, prints: "\npart  ")
    try await scene.preheat("key", client, "--in", cache, "https://e.com/3.jpg").expect(
      10, prints: "\nmiss  ")
    let json = try await scene.preheat("key", client, "--in", cache, "https://e.com/3.jpg", "--json")
    #expect(try json.objects().first?["hit"] as? Bool == false)
  }

  @Test func theClientOfACacheIsTheLedgersUnlessAnotherIsNamed() async throws {
    let cache = try scene.cache(of: scene.job())
    let hit = try await scene.preheat(
      "key", "--in", cache, "https://e.com/2.jpg", "resize(width: 32)", "--json"
    ).expect(0)
    #expect(try hit.objects().last?["client"] as? String == "nuke 12.9.0")
    let flag = try await scene.preheat(
      "key", "--in", cache, "--client=nuke 13", "https://e.com/1.jpg", "--json")
    #expect(try flag.objects().first?["client"] as? String == "nuke 13.2.3")
    let variable = try await scene.preheat(
      "key", "--in", cache, "https://e.com/1.jpg", "--json", environment: ["PREHEAT_CLIENT": "nuke 11"])
    #expect(try variable.objects().first?["client"] as? String == "nuke 11.6.4")
    try await scene.preheat("key", "--in", scene.folder.path, "https://e.com/1.jpg").expect(
      2, "the client is missing")
  }

  @Test func aKeyIsAskedForWithAJobsSettings() async throws {
    let job = try scene.job(
      client: "nuke 11",
      lines: [
        "scale 2", "chain card = resize(width: 32)", "strip-query v", "https://e.com/1.jpg?v=1 original card",
        "https://e.com/2.jpg circle id=two", "https://e.com/2.jpg original",
      ])
    func keys(_ arguments: String...) async throws -> [String] {
      let outcome = try await Outcome(of: ["key", "--job", job, "--json"] + arguments).expect(0)
      #expect(outcome.messages == "", "\(outcome.messages)")
      return try outcome.objects().compactMap { $0["key"] as? String }
    }
    let resize = "com.github.kean/nuke/resize?s=(64.0, 19998.0),cm=.aspectFit,crop=false,upscale=false"
    #expect(try await keys("https://e.com/9.jpg?v=2", "card") == ["https://e.com/9.jpg" + resize])
    // What the job makes of a source, or would make.
    #expect(
      try await keys("https://e.com/1.jpg?v=1") == ["https://e.com/1.jpg", "https://e.com/1.jpg" + resize])
    #expect(try await keys("https://e.com/9.jpg") == ["https://e.com/9.jpg"])
    #expect(try await keys("https://e.com/1.jpg?v=1", "--id", "x") == ["x"])
    // A line by its text.
    #expect(try await keys("https://e.com/2.jpg circle id=two") == ["twocom.github.kean/nuke/circle"])
    #expect(try await keys("https://e.com/3.jpg card id=three") == ["three" + resize])
    try await scene.preheat("key", "--job", job, "4").expect(2, "'4' is neither a URL nor a path")
    try await scene.preheat("key", "--job", job, "https://e.com/1.jpg", "crad").expect(
      2, "did you mean 'card'?")
    try await scene.preheat("key", "--job", scene.path("none.job"), "https://e.com/1.jpg").expect(
      2, "cannot be read")
  }

  @Test func codeIsPrintedInTheLanguageThatIsAskedFor() async throws {
    let job = try scene.job()
    try await scene.preheat("code", job, "--swift").expect(0, prints: "import Nuke")
    try await scene.preheat("code", job).expect(2, "--swift or --objc is missing")
    try await scene.preheat("code", job, "--objc").expect(
      2, "nuke cannot be used from Objective-C", isSilent: true)
    try await scene.preheat("code", job, "--objc", "--swift").expect(2, "exclude each other")
  }
}
