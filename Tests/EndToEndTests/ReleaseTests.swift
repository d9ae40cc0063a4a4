import Foundation
import TestSupport
import Testing

/// The app's release from its lock file, as the built command tells it.
@Suite(.timeLimit(.minutes(10)))
struct ReleaseTests {
  private static func pods(_ release: String) -> String {
    "PODS:\n  - Nuke (\(release))\n\nDEPENDENCIES:\n  - Nuke\n\nCOCOAPODS: 1.16.2\n"
  }

  /// A job with this client line, and a lock file beside it.
  private static func scene(_ client: String, pods release: String) throws -> Scene {
    let scene = try Scene(
      "\(Scene.images.appendingPathComponent("logo.png").path) resize(width: 60) id=logo",
      head: "client \(client)\ncache cache\nscale 1\n")
    try Data(pods(release).utf8).write(to: scene.folder.file("Podfile.lock"))
    return scene
  }

  private static func preheat(_ scene: Scene, _ arguments: String...) throws -> BuiltCommand.Result {
    try BuiltCommand.run(arguments, in: scene.folder.url)
  }

  @Test func aRunSaysWhichReleaseItFound() async throws {
    try await OwnThread {
      let scene = try Self.scene("nuke from Podfile.lock", pods: "12.8.0")
      let run = try scene.run()
      #expect(run.status == 0, "\(run)")
      #expect(run.messages.contains("test.job: nuke 12.8.0, from Podfile.lock\n"))
      #expect(run.output.contains("\nrelease: test.job: nuke 12.8.0, from Podfile.lock\n"), "\(run.output)")
      let summary = try #require(try scene.run(["--json"]).objects().last)
      #expect(summary["releases"] as? [String] == ["test.job: nuke 12.8.0, from Podfile.lock"])
      let code = try Self.preheat(scene, "code", "test.job", "--swift")
      #expect(
        code.output.contains("\n// For nuke 12.8.0, from Podfile.lock, screen scale 1.\n"), "\(code.output)")
      let page = scene.folder.file("summary.md").path
      let report = try scene.run(
        ["--annotations"], environment: ["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": page])
      #expect(report.status == 0)
      #expect(try String(contentsOfFile: page, encoding: .utf8).contains("Release: "))
    }.value
  }

  /// The second of two plans has the same line, and the app another release.
  @Test func aComparedPlanNamesBothReleases() async throws {
    try await OwnThread {
      let scene = try Self.scene("nuke from Podfile.lock", pods: "11.6.4")
      try scene.write(
        "https://e.com/1.jpg thumbnail(maxPixelSize: 9)", head: "client nuke from Podfile.lock\ncache cache\n"
      )
      let before = try Self.preheat(scene, "plan", "--json", "test.job")
      try Data(before.output.utf8).write(to: scene.folder.file("before.ndjson"))
      let same = try Self.preheat(scene, "plan", "--compare", "before.ndjson", "test.job")
      #expect(same.output.hasSuffix("\n0 new, 0 gone, 1 as before\n"), "\(same)")
      try Data(Self.pods("12.0.0").utf8).write(to: scene.folder.file("Podfile.lock"))
      let other = try Self.preheat(scene, "plan", "--compare", "before.ndjson", "test.job")
      #expect(other.output.contains("1 new, 1 gone, 0 as before"), "\(other)")
      #expect(other.output.contains("\nclient: nuke 12.0.0, before nuke 11.6.4\n"))
      let json = try Self.preheat(scene, "plan", "--compare", "before.ndjson", "--json", "test.job").objects()
      #expect(json.last?["clientBefore"] as? String == "nuke 11.6.4")
    }.value
  }

  @Test func aLaterReleaseStopsTheRunUnlessTheNearestWillDo() async throws {
    try await OwnThread {
      let scene = try Self.scene("nuke from Podfile.lock", pods: "99.1.0")
      let refused = try scene.run()
      #expect(
        refused.status == 2 && refused.messages.contains("test.job:1:18: error: ")
          && refused.messages.contains("Nuke 99.1.0"), "\(refused.messages)")
      #expect(refused.messages.contains("--nearest-release takes "))
      let taken = try scene.run(["--nearest-release"])
      #expect(
        taken.status == 0 && taken.output.contains("the nearest known release to 99.1.0 of Podfile.lock"))
    }.value
  }

  @Test func aSummaryAndTheDoctorSayWhereAJobsReleaseDiffers() async throws {
    try await OwnThread {
      let scene = try Self.scene("nuke 12.9.0", pods: "12.8.0")
      let run = try scene.run()
      #expect(
        run.output.contains("\nrelease: test.job: nuke 12.9.0, but Podfile.lock has 12.8.0\n"), "\(run)")
      try Data(Self.pods("12.9.0").utf8).write(to: scene.folder.file("Podfile.lock"))
      #expect(try !scene.run().output.contains("release: "))
    }.value
  }

  @Test func whatDoesNotExistIsRefused() async throws {
    try await OwnThread {
      let scene = try Self.scene("nuke 12.9.0", pods: "12.9.0")
      let missing = try Self.preheat(scene, "doctor", "gone")
      #expect(
        missing.status == 2 && missing.output.isEmpty && missing.messages.contains("gone"), "\(missing)")
      try scene.write("", head: "client nuke from gone/Podfile.lock\ncache cache\nhttps://e.com/1.jpg\n")
      let result = try Self.preheat(scene, "plan", "test.job")
      #expect(result.status == 2 && result.messages.contains("there is no such file"), "\(result)")
    }.value
  }

  /// A stranger's lock file, and the private files of the machine that reads it.
  @Test func nothingOfAFileThatIsNoLockFileIsPrinted() async throws {
    try await OwnThread {
      let scene = try Self.scene("nuke from Podfile.lock", pods: "12.8.0")
      for text in ["PODS:\n  - s3cr3t\n", "s3cr3t: yes\n", "PODS:\n  - Nuke (s3cr3t)\n"] {
        try Data(text.utf8).write(to: scene.folder.file("Podfile.lock"))
        for command in [["run"], ["plan"], ["code", "--swift"]] {
          let result = try BuiltCommand.run(command + ["test.job"], in: scene.folder.url)
          #expect(result.status == 2 && !(result.output + result.messages).contains("s3cr3t"), "\(result)")
        }
      }
      try FileManager.default.createDirectory(
        at: scene.folder.file("jobs"), withIntermediateDirectories: true)
      try scene.write(
        "", head: "client nuke from ../Podfile.lock\ncache c\nhttps://e.com/1.jpg\n", to: "jobs/a.job")
      let outside = try Self.preheat(scene, "plan", "jobs/a.job", "--trusted-root", "jobs")
      #expect(
        outside.status == 2 && outside.messages.contains("outside of the trusted folders"), "\(outside)")
    }.value
  }
}
