import ClientRegistry
import Foundation
import Planning
import Reporting
import Testing

@testable import PreheatCommand

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
    let outcome = try await scene.preheat("inspect", cache, "--now", "1000000000")
    #expect(outcome.output.contains("  dated in ") && !outcome.output.contains(" old"), "\(outcome.output)")
  }

  @Test func inspectShowsEachEntryAndATotal() async throws {
    let outcome = try await scene.preheat("inspect", cache)
    #expect(outcome.code == 0)
    #expect(outcome.lines.count { $0.contains("  hit") } == 3)
    #expect(outcome.output.contains("3 entries of nuke 12.9.0: 3 hit\n"))
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
    let wrong = try await scene.preheat("inspect", cache, "--size-limit=some")
    #expect(wrong.code == 2 && wrong.messages.contains("size-limit is a number of bytes"))
    let other = try await scene.preheat("inspect", cache, "--client=frob 1")
    #expect(other.code == 2 && other.messages.contains("no client is called 'frob'"))
  }

  @Test func whatIsNoCacheIsAUsageError() async throws {
    for command in ["inspect", "sweep"] {
      let outcome = try await scene.preheat(command, scene.path("none"))
      #expect(outcome.code == 2 && outcome.output == "" && outcome.messages.contains("error: "), "\(command)")
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
        let output = outcome.output.replacing(#/ +[0-9]+ [a-z]+ old/#, with: "")
        shown.append(command[0] == "doctor" ? "" : "\(outcome.code) \(output)")
      }
      outputs.append(shown)
    }
    #expect(outputs[0] == outputs[1])
    #expect(try Data(contentsOf: half) == Data("\u{FF}\u{D8}half".utf8))
    let merged = try await scene.preheat("merge", cache, "-o", scene.path("joined"))
    #expect(merged.code == 0 && !merged.messages.contains(".tmp"), "\(merged.messages)")
    #expect(
      try !FileManager.default.contentsOfDirectory(atPath: scene.path("joined")).contains {
        $0.hasSuffix(".tmp")
      })
  }

  @Test func verifyFindsAWholeCacheWholeAndADamagedOneDamaged() async throws {
    let whole = try await scene.preheat("verify", "--quick", cache)
    #expect(whole.code == 0, "\(whole.messages)")
    let file = try #require(try scene.names(cache).first)
    try Data("<html>".utf8).write(to: scene.folder.file("out/\(file)"))
    let damaged = try await scene.preheat("verify", "--quick", cache)
    #expect(damaged.code == 6 && damaged.output.contains(file))
    let json = try await scene.preheat("verify", "--quick", "--json", cache)
    #expect(json.code == 6)
    #expect(try json.objects().contains { $0["file"] as? String == file })
    let repaired = try await scene.preheat("verify", "--quick", "--repair", cache)
    #expect(repaired.code == 6)
    #expect(try !scene.names(cache).contains(file))
  }

  @Test func sweepRemovesWhatTheClientWould() async throws {
    let before = try scene.names(cache)
    let dry = try await scene.preheat("sweep", cache, "--size-limit=1K", "--dry-run")
    #expect(dry.code == 0 && dry.output.contains("would remove 3 of 3 files by the rules of nuke 12.9.0"))
    #expect(try scene.names(cache) == before)
    let wet = try await scene.preheat("sweep", cache, "--size-limit=1K", "--json")
    #expect(try wet.objects().last?["removed"] as? Int == 3)
    #expect(try scene.names(cache) == [])
  }

  @Test func aBundleHasTheCachesFilesAndTheSameBytesEachTime() async throws {
    let first = try await scene.preheat("bundle", cache, "-o", scene.path("a.zip"))
    let second = try await scene.preheat("bundle", cache, "--output=\(scene.path("b.zip"))", "--json")
    #expect(first.code == 0 && second.code == 0, "\(first.messages)\(second.messages)")
    #expect(first.output.contains("a.zip: 3 files, "))
    #expect(try second.objects().first?["files"] as? Int == 3)
    #expect(
      try Data(contentsOf: scene.folder.file("a.zip")) == Data(contentsOf: scene.folder.file("b.zip")))
    #expect(try await scene.preheat("verify", "--quick", scene.path("a.zip")).code == 0)
    #expect(try await scene.preheat("diff", scene.path("a.zip"), cache).code == 0)
  }

  @Test func aBundleThatIsTooLargeEndsWithItsOwnCode() async throws {
    let large = try await scene.preheat("bundle", cache, "-o", scene.path("a.zip"), "--max-size=5")
    #expect(large.code == 8)
    #expect(!FileManager.default.fileExists(atPath: scene.path("a.zip")))
    let nowhere = try await scene.preheat("bundle", cache)
    #expect(
      nowhere.code == 2 && nowhere.messages.contains("--output is missing; for example: -o catalog.zip"))
    let drop = try await scene.preheat("bundle", cache, "-o", scene.path("a.zip"), "--drop")
    #expect(drop.code == 2 && drop.messages.contains("--drop needs --max-size"))
  }

  @Test func cachesAreMergedAndCompared() async throws {
    let other = try scene.cache(of: scene.job("b.job", cache: "b", lines: ["https://e.com/9.jpg original"]))
    let differs = try await scene.preheat("diff", cache, other)
    #expect(differs.code == 7 && differs.output.hasSuffix("1 added, 3 removed, 0 changed, 0 the same\n"))
    let merged = try await scene.preheat("merge", cache, other, "-o", scene.path("all"))
    #expect(merged.code == 0, "\(merged.messages)")
    #expect(try scene.names(scene.path("all")).count == 4)
    let json = try await scene.preheat("diff", cache, scene.path("all"), "--json")
    #expect(json.code == 7)
    #expect(try json.objects().last?["added"] as? Int == 1)
  }

  @Test func aReportNeedsTheRecordOfARun() async throws {
    let outcome = try await scene.preheat("report", cache, "--report", scene.path("page"))
    #expect(outcome.code == 2 && outcome.messages.contains("no run has left a record beside"))
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
