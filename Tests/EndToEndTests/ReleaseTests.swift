import Foundation
import Testing

/// The app's release from its lock file, as the built command tells it.
@Suite(.ownThreads, .timeLimit(.minutes(10)))
struct ReleaseTests {
  private static func pods(_ release: String) -> String {
    "PODS:\n  - Nuke (\(release))\n\nDEPENDENCIES:\n  - Nuke\n\nCOCOAPODS: 1.16.2\n"
  }

  /// A job with this client line, and a lock file beside it.
  private static func scene(_ client: String, pods release: String) throws -> Scene {
    let scene = try Scene(
      "\(Scene.logo) resize(width: 60) id=logo",
      head: "client \(client)\ncache cache\nscale 1\n")
    try scene.folder.write(pods(release), to: "Podfile.lock")
    return scene
  }

  @Test func aRunSaysWhichReleaseItFound() throws {
    let scene = try Self.scene("nuke from Podfile.lock", pods: "12.8.0")
    try scene.run().expect(0, prints: "\nrelease: test.job: nuke 12.8.0, from Podfile.lock\n")
    let summary = try #require(try scene.run(["--json"]).objects().last)
    #expect(summary["releases"] as? [String] == ["test.job: nuke 12.8.0, from Podfile.lock"])
    try scene.preheat("code", "test.job", "--swift").expect(
      0, prints: "\n// For nuke 12.8.0, from Podfile.lock, screen scale 1.\n")
    let page = scene.folder.file("summary.md").path
    try scene.run(["--annotations"], environment: ["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": page])
      .expect(0)
    #expect(try String(contentsOfFile: page, encoding: .utf8).contains("Release: "))
  }

  /// The second of two plans has the same line, and the app another release.
  @Test func aComparedPlanNamesBothReleases() throws {
    let scene = try Self.scene("nuke from Podfile.lock", pods: "11.6.4")
    try scene.write(
      "https://e.com/1.jpg thumbnail(maxPixelSize: 9)", head: "client nuke from Podfile.lock\ncache cache\n"
    )
    let before = try scene.preheat("plan", "--json", "test.job")
    try scene.folder.write(before.output, to: "before.ndjson")
    let same = try scene.preheat("plan", "--compare", "before.ndjson", "test.job")
    #expect(same.output.hasSuffix("\n0 new, 0 gone, 1 as before\n"), "\(same)")
    try scene.folder.write(Self.pods("12.0.0"), to: "Podfile.lock")
    try scene.preheat("plan", "--compare", "before.ndjson", "test.job").expect(
      0, prints: "1 new, 1 gone, 0 as before")
  }

  @Test func aLaterReleaseStopsTheRunUnlessTheNearestWillDo() throws {
    let scene = try Self.scene("nuke from Podfile.lock", pods: "99.1.0")
    try scene.run().expect(2, "test.job:1:18: error: ", "Nuke 99.1.0", "--nearest-release takes ")
    try scene.run(["--nearest-release"]).expect(
      0, prints: "the nearest known release to 99.1.0 of Podfile.lock")
  }

  @Test func aSummaryAndTheDoctorSayWhereAJobsReleaseDiffers() throws {
    let scene = try Self.scene("nuke 12.9.0", pods: "12.8.0")
    try scene.run().expect(
      0, prints: "\nrelease: test.job: nuke 12.9.0, but Podfile.lock has 12.8.0\n")
    try scene.folder.write(Self.pods("12.9.0"), to: "Podfile.lock")
    #expect(try !scene.run().output.contains("release: "))
  }

  @Test func whatDoesNotExistIsRefused() throws {
    let scene = try Self.scene("nuke 12.9.0", pods: "12.9.0")
    try scene.preheat("doctor", "gone").expect(2, "gone", isSilent: true)
    try scene.write("", head: "client nuke from gone/Podfile.lock\ncache cache\nhttps://e.com/1.jpg\n")
    try scene.preheat("plan", "test.job").expect(2, "there is no such file")
  }

  /// A stranger's lock file, and the private files of the machine that reads it.
  @Test func nothingOfAFileThatIsNoLockFileIsPrinted() throws {
    let scene = try Self.scene("nuke from Podfile.lock", pods: "12.8.0")
    for text in ["PODS:\n  - s3cr3t\n", "s3cr3t: yes\n", "PODS:\n  - Nuke (s3cr3t)\n"] {
      try scene.folder.write(text, to: "Podfile.lock")
      for command in [["run"], ["plan"], ["code", "--swift"]] {
        try scene.preheat(command + ["test.job"]).expect(2, lacks: "s3cr3t")
      }
    }
    try scene.folder.makeFolder("jobs")
    try scene.write(
      "", head: "client nuke from ../Podfile.lock\ncache c\nhttps://e.com/1.jpg\n", to: "jobs/a.job")
    try scene.preheat("plan", "jobs/a.job", "--trusted-root", "jobs").expect(
      2, "outside of the trusted folders")
  }
}
