import ClientRegistry
import Foundation
import Planning
import Testing

/// Commands that work on a cache that exists.
@Suite(.timeLimit(.minutes(10))) struct CacheCommandTests {
  let scene: CommandScene
  let cache: String

  init() throws {
    scene = try CommandScene()
    cache = try scene.cache(of: scene.job())
  }

  /// SDWebImage and others are given dates ahead of now.
  @Test func aDateToComeIsNoAge() async throws {
    try await scene.preheat("inspect", cache, "--now", "1000000000").expect(
      0, prints: "  dated in ", lacks: " old")
  }

  @Test func inspectShowsEachEntryAndATotal() async throws {
    let outcome = try await scene.preheat("inspect", cache).expect(
      0, prints: "3 entries of nuke 12.9.0: 3 hit\n")
    #expect(outcome.lines.count { $0.contains("  hit") } == 3)
    let objects = try await scene.preheat("inspect", "--json", "--sort=size", cache).objects()
    #expect(objects.map { $0["type"] as? String } == ["entry", "entry", "entry", "cache"])
    #expect(objects.last?["sizeLimit"] as? Int == 157_286_400)
  }

  /// A size limit and a client are settings of jobs that mean the same here.
  @Test func settingsOfJobsHoldHereToo() async throws {
    for environment in [["PREHEAT_SIZE_LIMIT": "1K"], [:]] {
      let arguments = ["inspect", "--json", cache] + (environment.isEmpty ? ["--size-limit=1K"] : [])
      let outcome = try await Outcome(of: arguments, environment: environment)
      #expect(try outcome.objects().last?["sizeLimit"] as? Int == 1024)
    }
    try await scene.preheat("inspect", cache, "--size-limit=some").expect(
      2, "size-limit is a number of bytes")
    try await scene.preheat("inspect", cache, "--client=frob 1").expect(2, "no client is called 'frob'")
  }

  @Test func whatIsNoCacheIsAUsageError() async throws {
    for command in ["inspect", "sweep"] {
      try await scene.preheat(command, scene.path("none")).expect(2, "error: ", isSilent: true)
    }
    // A bundle that is missing is not called a cache folder.
    let bundle = scene.path("no.zip")
    for command in [
      ["verify", bundle], ["verify", bundle, "--public-key", "k.pem"], ["diff", bundle, bundle],
    ] {
      let outcome = try await Outcome(of: command)
      #expect(outcome.code != 0 && outcome.messages.contains(/there is no|does not exist/), "\(outcome)")
      #expect(!outcome.messages.contains("cache folder"), "\(outcome)")
    }
  }

  /// Nuke's main branch writes through a hidden `.NAME.tmp`: one that an app was killed over is nobody's entry, and stays.
  @Test func hiddenFilesOfAnAppThatWritesAreLeftAlone() async throws {
    let commands = [
      ["verify", cache], ["verify", "--repair", cache], ["inspect", cache],
      ["doctor", cache], ["sweep", "--size-limit", "1", "--dry-run", cache],
    ]
    let name = try #require(try scene.names(cache).first)
    let half = scene.folder.file("out/.\(name).tmp")
    var outputs: [[String]] = []
    for isThere in [false, true] {
      if isThere { try Data("\u{FF}\u{D8}half".utf8).write(to: half) }
      var shown: [String] = []
      for command in commands {
        let outcome = try await Outcome(of: command)
        #expect(!(outcome.output + outcome.messages).contains(".tmp"), "\(command)")
        // A column is as wide as the oldest age.
        let output = outcome.output.replacing(#/ +([0-9]+ [a-z]+ old +)?/#, with: " ")
        shown.append(command[0] == "doctor" ? "" : "\(outcome.code) \(output)")
      }
      outputs.append(shown)
    }
    #expect(outputs[0] == outputs[1])
    #expect(try Data(contentsOf: half) == Data("\u{FF}\u{D8}half".utf8))
    try await scene.preheat("merge", cache, "-o", scene.path("joined")).expect(0, lacks: ".tmp")
    #expect(try !scene.folder.names("joined").contains { $0.hasSuffix(".tmp") })
  }

  @Test func codeSaysThatDigestsAreMissing() async throws {
    let arguments = ["code", scene.path("catalog.job"), "--swift", "--tests"]
    try await Outcome(of: arguments).expect(0, lacks: "no digests")
    try Data("no database".utf8).write(to: scene.folder.file("out.preheat/ledger.sqlite"))
    try await Outcome(of: arguments).expect(0, "warning: the list has no digests: the ledger")
  }

  @Test func verifyFindsAWholeCacheWholeAndADamagedOneDamaged() async throws {
    try await scene.preheat("verify", "--quick", cache).expect(0)
    let file = try #require(try scene.names(cache).first)
    try scene.folder.write("<html>", to: "out/\(file)")
    try await scene.preheat("verify", "--quick", cache).expect(6, prints: file)
    let json = try await scene.preheat("verify", "--quick", "--json", cache).expect(6)
    #expect(try json.objects().contains { $0["file"] as? String == file })
    try await scene.preheat("verify", "--quick", "--repair", cache).expect(6)
    #expect(try !scene.names(cache).contains(file))
  }

  @Test func sweepRemovesWhatTheClientWould() async throws {
    let before = try scene.names(cache)
    try await scene.preheat("sweep", cache, "--size-limit=1K", "--dry-run").expect(
      0, prints: "would remove 3 of 3 files by the rules of nuke 12.9.0")
    #expect(try scene.names(cache) == before)
    let wet = try await scene.preheat("sweep", cache, "--size-limit=1K", "--json")
    #expect(try wet.objects().last?["removed"] as? Int == 3)
    #expect(try scene.names(cache) == [])
  }

  @Test func aBundleHasTheCachesFilesAndTheSameBytesEachTime() async throws {
    let first = try await scene.preheat("bundle", cache, "-o", scene.path("a.zip")).expect(
      0, prints: "a.zip: 3 files, ")
    let second = try await scene.preheat("bundle", cache, "--output=\(scene.path("b.zip"))", "--json").expect(
      0)
    #expect(first.code == 0, "\(first.messages)\(second.messages)")
    #expect(try second.objects().first?["files"] as? Int == 3)
    #expect(try Data(contentsOf: scene.folder.file("a.zip")) == Data(contentsOf: scene.folder.file("b.zip")))
    #expect(try await scene.preheat("verify", "--quick", scene.path("a.zip")).code == 0)
    #expect(try await scene.preheat("diff", scene.path("a.zip"), cache).code == 0)
  }

  @Test func cachesAreMergedAndCompared() async throws {
    let other = try scene.cache(of: scene.job("b.job", cache: "b", lines: ["https://e.com/9.jpg original"]))
    let differs = try await scene.preheat("diff", cache, other).expect(7)
    #expect(differs.output.hasSuffix("1 added, 3 removed, 0 changed, 0 the same\n"))
    try await scene.preheat("merge", cache, other, "-o", scene.path("all")).expect(0)
    #expect(try scene.names(scene.path("all")).count == 4)
    let json = try await scene.preheat("diff", cache, scene.path("all"), "--json").expect(7)
    #expect(try json.objects().last?["added"] as? Int == 1)
  }

  @Test func aReportNeedsTheRecordOfARun() async throws {
    try await scene.preheat("report", cache, "--report", scene.path("page")).expect(
      2, "no run has left a record beside")
    #expect(try await scene.preheat("report", scene.path("none")).messages.contains("there is no "))
  }

  /// Nuke counts whole blocks and keeps 70 %, Kingfisher counts content and keeps half.
  @Test(arguments: [("nuke 12.9.0", 8192, 700_000), ("kingfisher 8.11.0", 5000, 500_000)])
  func aRecordSaysWhatTheClientsSweepGoesBy(client: String, counted: Int, target: Int) throws {
    let client = try #require(ClientRegistry.client(client))
    let rules = try #require(ClientRegistry.make(client)).folder
    func size(limit: Int) -> CacheSize {
      CacheSize(path: "c", client: client, rules: rules, sizeLimit: limit, fileSizes: [5000])
    }
    #expect(size(limit: 1_000_000).countedBytes == counted)
    #expect(size(limit: 1_000_000).sweepTarget == target)
    #expect(size(limit: counted).isBeyondLimit == rules.sweepsAtLimit)
    #expect(size(limit: counted - 1).isBeyondLimit)
  }
}
