import Foundation
import TestSupport
import Testing

/// What runs leave for people, CI and monitoring.
@Suite(.ownThreads, .timeLimit(.minutes(10)))
struct ReportTests {
  private static let reports = ["--report", "report", "--junit", "ci/junit.xml", "--metrics", "preheat.prom"]

  private func text(_ scene: Scene, _ name: String) throws -> String {
    try scene.folder.text(name)
  }

  @Test func aRunLeavesWhatWasAskedForAndARecordForLater() throws {
    let scene = try Scene("\(Scene.logo) card\n./missing.png card")
    try scene.run(Self.reports).expect(3, lacks: "::error")
    let page = try text(scene, "report/index.html")
    #expect(page.contains("1 of 2 renditions are in the cache; 1 failed.") && page.contains("RenderSource"))
    #expect(page.contains("The pictures lie in ") && page.contains("file.missing"))
    #expect(try text(scene, "ci/junit.xml").contains("tests=\"2\" failures=\"1\""))
    #expect(try text(scene, "preheat.prom").contains("preheat_renditions{status=\"made\"} 1\n"))

    let later = try scene.preheat(["report", "cache", "--report", "later"]).expect(0)
    #expect(later.output.hasSuffix("/later/index.html\n"), "\(later.messages)")
    #expect(try text(scene, "later/index.html").contains("1 of 2 renditions are in the cache; 1 failed."))
    #expect(try scene.entries().count == 1)
  }

  @Test func anOrdinaryRunLeavesARecordToo() throws {
    let scene = try Scene("\(Scene.logo) card").warmed()
    // A cache that was moved with its state folder is where it was found.
    for name in ["cache", "cache.preheat"] {
      try FileManager.default.moveItem(
        at: scene.folder.file(name), to: scene.folder.file("moved" + name.dropFirst(5)))
    }
    try scene.preheat(["report", "moved"]).expect(0)
    let page = try text(scene, "preheat-report/index.html")
    #expect(!page.contains("RenderSource") && page.contains("The pictures lie in "))
  }

  @Test func aJobWithErrorsIsReportedOnItsLines() throws {
    let scene = try Scene("\(Scene.logo) nosuchchain")
    let summary = scene.folder.file("summary.md")
    try Data("before\n".utf8).write(to: summary)
    let result = try scene.run(
      Self.reports,
      environment: [
        "GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": summary.path,
        "GITHUB_WORKSPACE": scene.folder.url.deletingLastPathComponent().path,
      ]
    ).expect(2)
    let folder = scene.folder.url.lastPathComponent
    #expect(result.messages.contains("::error file=\(folder)/test.job,line=5,col="), "\(result.messages)")
    #expect(try text(scene, "ci/junit.xml").contains("errors=\"1\""))
    #expect(try text(scene, "preheat.prom").contains("preheat_run_exit_code 2\n"))
    let markdown = try text(scene, "summary.md")
    #expect(markdown.hasPrefix("before\n") && markdown.contains("## Preheat"))
  }

  @Test func aReportThatCannotBeWrittenLosesNothing() throws {
    let scene = try Scene("\(Scene.logo) card")
    try Data().write(to: scene.folder.file("file"))
    try scene.run(["--report", "file/report", "--junit", "file/junit.xml", "--metrics", "preheat.prom"])
      .expect(9, "file/junit.xml cannot be written", prints: "1 made")
    #expect(try scene.entries().count == 1)
    #expect(try text(scene, "preheat.prom").contains("preheat_run_success 1"))
    // Nor is anything of ours put among the app's files.
    try scene.run(["--report", "cache/report"]).expect(2, "is inside the cache folder")
    #expect(try scene.entries().count == 1)
  }

  @Test func aLockedCacheKeepsItsRecord() throws {
    let scene = try Scene("\(Scene.logo) card").warmed()
    let server = try FaultServer()
    try scene.write("\(server.url("/hang")) card", to: "other.job")
    let running = try BuiltCommand.start(["run", "other.job", "--retries", "0"], in: scene.folder.url)
    defer { running.process.terminate() }
    // It holds the lock from before its first request.
    #expect(eventually { (try? server.stats().requests.isEmpty) == false })
    let record = try text(scene, "cache.preheat/last-run.ndjson")
    #expect(try scene.run(Self.reports).status == 11)
    #expect(try text(scene, "cache.preheat/last-run.ndjson") == record)
    #expect(try text(scene, "ci/junit.xml").contains("<error type=\"run\""))
  }

  @Test func noCredentialOfALineThatDoesNotParseIsShown() throws {
    let scene = try Scene("http://user:a/S3cr3t@127.0.0.1:1/ card\nhttp://e.com/?token=S3cr3t nosuch")
    let result = try scene.run(Self.reports + ["--annotations"]).expect(2)
    for output in [result.messages, try text(scene, "ci/junit.xml"), try text(scene, "report/index.html")] {
      #expect(output.contains("this is not a URL") && !output.contains("S3cr3t"), "\(output)")
    }
  }
}
