import Foundation
import TestSupport
import Testing

/// A job of thousands of lines as cron runs it: nobody watches, and a few of the lines are wrong.
@Suite(.timeLimit(.minutes(10)))
struct NightlyTests {
  private static let total = 4000
  private static let missing = 90
  private static let wrong = 30
  private static let words = ["N/A", "ftp://e.com/1.jpg card", "http://127.0.0.1/my photo.jpg card"]

  /// As cron starts it: nothing in the environment but a path.
  private static let cron = ["env", "-i", "PATH=/usr/bin:/bin", "LANG=C"]

  /// A pixel.
  private static let picture =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

  private func scene(_ server: FaultServer) throws -> Scene {
    var lines = ["policy reachable"]
    for index in 0..<Self.total {
      if index % 133 == 7, lines.count(where: { Self.words.contains($0) }) < Self.wrong {
        lines.append(Self.words[index % 3])
      } else if index % 44 == 5, lines.count(where: { $0.contains("/status/404") }) < Self.missing {
        lines.append("\(server.url("/status/404?\(index)")) card")
      } else {
        lines.append("data:image/png;base64,\(Self.picture) original id=p\(index)")
      }
    }
    #expect(lines.count(where: { $0.contains("/status/404") }) == Self.missing)
    #expect(lines.count(where: { Self.words.contains($0) }) == Self.wrong)
    return try Scene(lines.joined(separator: "\n"))
  }

  private func run(_ scene: Scene, _ arguments: [String]) throws -> BuiltCommand.Result {
    try scene.preheat(["run"] + arguments, wrapper: Self.cron)
  }

  @Test func aFewWrongRowsDoNotStopIt() throws {
    let server = try FaultServer(files: Scene.images)
    let scene = try scene(server)
    let failed = Self.missing + Self.wrong
    // Without the flag the job is refused before anything is done.
    #expect(try run(scene, ["test.job"]).status == 2)
    #expect(!scene.folder.has("cache"))

    let options = ["--retries", "0", "--skip-invalid"]
    let first = try run(scene, ["test.job", "--fail-on", "5%", "--prune", "--report", "page"] + options)
      .expect(
        0, "is not pruned: \(Self.wrong) lines", prints: " \(Self.total - failed) made, ",
        " \(failed) failed, of these \(Self.wrong) wrong lines",
        "\(Self.missing) × fetch: HTTP 404 from 127.0.0.1")
    let lines = (first.output + first.messages).split(separator: "\n").count
    #expect(lines < 60, "\(first.output)\(first.messages)")
    let page = try scene.folder.text("page/index.html")
    #expect(page.matches(of: /<article class="failure">/).count < 8)

    // The bounds, on a cache that is there.
    for (bound, status) in [
      ("2%", 3), ("3%", 3), ("3.1%", 0), ("\(failed)", 3), ("\(failed + 1)", 0), ("any", 3), ("none", 0),
    ] {
      let result = try run(scene, ["test.job", "--fail-on", bound, "--quiet"] + options)
      #expect(result.status == Int32(status), "\(bound): \(result.status)")
      #expect(result.output.contains("\(failed) failed"), "told below the bound, too")
    }
    let objects = try run(scene, ["test.job", "--json"] + options).objects()
    #expect(objects.count { $0["type"] as? String == "skipped" } == Self.wrong)
    let summary = try #require(objects.last)
    #expect(summary["failed"] as? Int == failed && summary["skippedLines"] as? Int == Self.wrong)
    #expect(summary["planned"] as? Int == Self.total)
  }

  @Test func aPlanListsWhatIsLeftOut() throws {
    let scene = try Scene("https://e.com/1.jpg card\nN/A\nhttps://e.com/my photo.jpg card")
    try scene.preheat(["plan", "test.job"]).expect(2, "%20")
    try scene.preheat(["plan", "test.job", "--skip-invalid"]).expect(
      0, "test.job:6:", "2 lines of test.job are left out", prints: "1 rendition of 1 source")
    let objects = try scene.preheat(["plan", "test.job", "--skip-invalid", "--json"])
      .objects()
    #expect(
      objects.compactMap { ($0["error"] as? [String: Any])?["code"] as? String } == [
        "job.source", "job.space",
      ])
    try scene.preheat(
      ["key", "--job", "test.job", "N/A"], environment: ["PREHEAT_SKIP_INVALID": "on"]
    ).expect(2, "'N/A'")
    try scene.preheat(
      ["key", "--job", "test.job", "https://e.com/1.jpg cadr"], environment: ["PREHEAT_SKIP_INVALID": "on"]
    ).expect(2, "cadr")
  }
}
