import Foundation
import Testing
import Text

/// What a plan says without its rows: counts by chain, what the app will not find, sizes.
@Suite(.timeLimit(.minutes(10))) struct PlanSummaryTests {
  private let scene: CommandScene
  private let size: Int

  init() throws {
    scene = try CommandScene()
    let cache = try scene.cache(
      of: scene.job(lines: ["scale 2 3"] + (1...3).map { "https://e.com/\($0).jpg resize(width: 32)" }))
    size = try Data(contentsOf: URL(fileURLWithPath: cache + "/" + scene.names(cache)[0])).count
  }

  private func job(_ settings: String...) throws -> String {
    let lines = (1...8).map { "https://e.com/\($0).jpg resize(width: 32) circle" }
    return try scene.job("new.job", lines: ["scale 2 3"] + settings + lines)
  }

  @Test func itCountsByChainAndScale() async throws {
    let outcome = try await scene.preheat("plan", job())
    let known = "3 in the cache (\(ByteCountText.text(3 * size)))"
    #expect(
      outcome.lines.prefix(4) == [
        "24 renditions of 8 sources for nuke 12.9.0 in \(scene.path("out"))",
        "  circle                 8 new",
        "  resize(width: 32) @2x  5 new, \(known)", "  resize(width: 32) @3x  5 new, \(known)",
      ], "\(outcome.output)")
    #expect(outcome.lines.count < 10 && !outcome.output.contains("e.com"))
    let rows = try await scene.preheat("plan", "--rows", job())
    #expect(rows.lines.count { $0.hasPrefix("    key ") } == 24 && rows.output.hasSuffix(outcome.output))
  }

  @Test func itSaysWhatIsInTheCacheAndWhatIsNot() async throws {
    let outcome = try await scene.preheat("plan", job())
    let device = ByteCountText.text(6 * ((size + 4095) / 4096 * 4096))
    let line = "on the device: \(device) of the app's 150 MiB in 6 entries, 18 not made yet"
    #expect(outcome.lines.contains(line), "\(outcome.output)")
  }

  @Test func bothLimitsAreThere() async throws {
    try await scene.preheat("plan", job("max-size 1K", "size-limit 2K")).expect(
      0, "is beyond its budget, ", " of max-size 1 KiB; ",
      prints: " of the app's 2 KiB, ", " of max-size 1 KiB in 6 entries")
  }

  @Test func itGroupsWhatTheAppWillNotFindByTheReason() async throws {
    let lines = (1...9).map { "https://e.com/\($0).jpg thumbnail(maxPixelSize: 9)" }
    let outcome = try await scene.preheat(
      "plan", scene.job("a.job", lines: ["policy storeOriginalData"] + lines))
    let start = try #require(outcome.lines.firstIndex(of: "the app will not find:"), "\(outcome.output)")
    #expect(outcome.lines[start + 1].hasPrefix("  9 × "))
    #expect(outcome.lines[start + 2].hasSuffix("a.job:4  https://e.com/1.jpg  thumbnail(maxPixelSize: 9)"))
    #expect(outcome.lines[start + 5] == "    and 6 more")
  }

  @Test func quietLeavesErrorsAlone() async throws {
    let outcome = try await scene.preheat("plan", "--quiet", job()).expect(0)
    #expect(outcome.output.isEmpty && outcome.messages.isEmpty)
    #expect(try await !scene.preheat("plan", "--quiet", "--rows", job()).output.isEmpty)
    #expect(try await !scene.preheat("plan", "--quiet", "--json", job()).output.isEmpty)
  }
}
