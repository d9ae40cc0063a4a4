import ClientKit
import ClientRegistry
import Syntax
import Testing
import Text

@testable import PreheatCommand

/// What voids a warm cache in an app.
@Suite(.timeLimit(.minutes(10))) struct ConditionsTests {
  private func conditions(_ client: String) throws -> [CacheCondition] {
    ClientRegistry.conditions(of: try #require(ClientRegistry.client(client)))
  }

  @Test(arguments: ["nuke 13", "kingfisher 8"])
  func eachHasAWordOfItsOwnAndFitsACell(client: String) throws {
    let rows = try #require(ClientRegistry.client(client).flatMap { ClientRegistry.library(named: $0.name) })
      .conditions
    #expect(Set(rows.map(\.name)).count == rows.count && rows.count > 9)
    for row in rows {
      #expect(row.name.allSatisfy { $0.isLetter && $0.isLowercase || $0 == "-" }, "\(row.name)")
      #expect(row.condition.count < 130 && row.remedy.count < 130, "\(row.name)")
      #expect(!row.condition.hasSuffix(".") && !row.remedy.isEmpty)
    }
  }

  @Test(arguments: [
    ("nuke 10.9.0", ["default-processors"], ["user-info", "compression", "scale-zero"]),
    ("nuke 10.10.0", [], ["default-processors"]),
    ("nuke 12.9.0", ["compression", "scale-zero"], ["user-info", "scale-late"]),
    ("nuke 13.0.6", ["user-info", "scale-zero"], ["compression", "scale-late"]),
    ("nuke 13.1.0", ["user-info", "scale-late", "url-cache", "mac-scale"], ["scale-zero", "compression"]),
    (
      "kingfisher 5.0.0", ["folder", "scale-factor"],
      ["file-names", "late-files", "builder", "original-data"]
    ),
    ("kingfisher 8.11.0", ["file-names", "late-files", "builder", "original-data", "forced-extension"], []),
  ])
  func aReleaseHasItsOwn(client: String, has: [String], hasNot: [String]) throws {
    let names = Set(try conditions(client).map(\.name))
    #expect(names.isSuperset(of: has) && names.isDisjoint(with: hasNot), "\(names.sorted())")
  }

  @Test func releasesAreReadAsPeopleSayThem() {
    let release = Release(12, 7, 0)
    #expect(ReleaseRange().description == "all")
    #expect(ReleaseRange(first: release).description == "12.7.0 and later")
    #expect(ReleaseRange(last: release).description == "up to 12.7.0")
    #expect(ReleaseRange(first: release, last: Release(13, 0, 6)).description == "12.7.0 to 13.0.6")
    #expect(ReleaseRange(first: release, last: release).description == "12.7.0")
  }

  @Test func aPlanPointsToThemAndListsThoseOfItsReleaseAsJSON() async throws {
    let scene = try CommandScene()
    let job = try scene.job(lines: ["scale 2", "https://e.com/1.jpg original"])
    let text = try await scene.preheat("plan", job)
    let line = try #require(text.lines.last)
    #expect(line.hasSuffix("make a warm cache useless: see 'preheat help conditions'."))
    let page = try await Outcome(of: ["help", "conditions"])
    for row in try conditions("nuke 12.9.0") { #expect(page.output.contains("\n  \(row.name)\n")) }
    let object = try #require(try await scene.preheat("plan", "--json", job).objects().last)
    #expect(object["type"] as? String == "conditions" && object["client"] as? String == "nuke 12.9.0")
    let rows = try #require(object["conditions"] as? [[String: String]])
    #expect(rows.compactMap { $0["name"] } == (try conditions("nuke 12.9.0").map(\.name)))
    #expect(rows.allSatisfy { Set($0.keys) == ["name", "condition", "releases", "remedy"] })
  }
}
