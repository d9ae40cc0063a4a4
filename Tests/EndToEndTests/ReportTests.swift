import Foundation
import TestSupport
import Testing

/// What runs leave for people, CI and monitoring.
@Suite(.timeLimit(.minutes(10)))
struct ReportTests {
  private static let reports = ["--report", "report", "--junit", "ci/junit.xml", "--metrics", "preheat.prom"]
  private static let logo = Scene.images.appendingPathComponent("logo.png").path

  private func text(_ scene: Scene, _ name: String) throws -> String {
    try String(contentsOf: scene.folder.file(name), encoding: .utf8)
  }

  @Test func aRunLeavesWhatWasAskedForAndARecordForLater() async throws {
    try await OwnThread {
      let scene = try Scene("\(Self.logo) card\n./missing.png card")
      let result = try scene.run(Self.reports)
      #expect(result.status == 3, "\(result.messages)")
      let page = try text(scene, "report/index.html")
      #expect(page.contains("1 of 2 renditions are in the cache; 1 failed.") && page.contains("worker 1"))
      #expect(page.contains("data:image/png;base64,") && page.contains("file.missing"))
      #expect(try text(scene, "ci/junit.xml").contains("tests=\"2\" failures=\"1\""))
      #expect(try text(scene, "preheat.prom").contains("preheat_renditions{status=\"made\"} 1\n"))
      #expect(!result.messages.contains("::error"))

      let later = try BuiltCommand.run(["report", "cache", "--report", "later"], in: scene.folder.url)
      #expect(later.status == 0 && later.output.hasSuffix("/later/index.html\n"), "\(later.messages)")
      #expect(try text(scene, "later/index.html").contains("1 of 2 renditions are in the cache; 1 failed."))
      #expect(try scene.entries().count == 1)
    }.value
  }

  @Test func anOrdinaryRunLeavesARecordToo() async throws {
    try await OwnThread {
      let scene = try Scene("\(Self.logo) card")
      #expect(try scene.run().status == 0)
      // A cache that was moved with its state folder is where it was found.
      for name in ["cache", "cache.preheat"] {
        try FileManager.default.moveItem(
          at: scene.folder.file(name), to: scene.folder.file("moved" + name.dropFirst(5)))
      }
      let later = try BuiltCommand.run(["report", "moved"], in: scene.folder.url)
      #expect(later.status == 0, "\(later.messages)")
      let page = try text(scene, "preheat-report/index.html")
      #expect(page.contains("This run was not timed") && page.contains("data:image/png;base64,"))
    }.value
  }

  @Test func aPageNamesTheBuildOfTheRunAlsoLater() async throws {
    try await OwnThread {
      let scene = try Scene("\(Self.logo) card resize(width: 50)")
      #expect(try scene.run(Self.reports).status == 0)
      let environment = ["CI_COMMIT_SHA": "0123456789abcdef", "CI_JOB_URL": "https://ci.example/jobs/1"]
      #expect(try scene.run(Self.reports, environment: environment).status == 0)
      let later = try BuiltCommand.run(["report", "cache", "--report", "later"], in: scene.folder.url)
      #expect(later.status == 0, "\(later.messages)")
      for name in ["report/index.html", "later/index.html"] {
        let page = try text(scene, name)
        #expect(page.contains("0123456789ab") && page.contains("href=\"https://ci.example/jobs/1\""))
      }
    }.value
  }

  @Test func whereThereIsNothingToTellItSaysWhatToDo() async throws {
    try await OwnThread {
      let scene = try Scene("")
      for place in ["cache", "test.job", "."] {
        let result = try BuiltCommand.run(["report", place], in: scene.folder.url)
        #expect(result.status == 2 && result.messages.contains("preheat: error: "), "\(result.messages)")
      }
    }.value
  }

  @Test func aJobWithErrorsIsReportedOnItsLines() async throws {
    try await OwnThread {
      let scene = try Scene("\(Self.logo) nosuchchain")
      let summary = scene.folder.file("summary.md")
      try Data("before\n".utf8).write(to: summary)
      let result = try scene.run(
        Self.reports,
        environment: [
          "GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": summary.path,
          "GITHUB_WORKSPACE": scene.folder.url.deletingLastPathComponent().path,
        ])
      #expect(result.status == 2)
      let folder = scene.folder.url.lastPathComponent
      #expect(
        result.messages.contains("::error file=\(folder)/test.job,line=5,col="), "\(result.messages)")
      #expect(try text(scene, "ci/junit.xml").contains("errors=\"1\""))
      #expect(try text(scene, "preheat.prom").contains("preheat_run_exit_code 2\n"))
      let markdown = try text(scene, "summary.md")
      #expect(markdown.hasPrefix("before\n") && markdown.contains("## Preheat"))
    }.value
  }

  @Test func aReportThatCannotBeWrittenLosesNothing() async throws {
    try await OwnThread {
      let scene = try Scene("\(Self.logo) card")
      try Data().write(to: scene.folder.file("file"))
      let result = try scene.run([
        "--report", "file/report", "--junit", "file/junit.xml", "--metrics", "preheat.prom",
      ])
      #expect(result.status == 9)
      #expect(result.messages.contains("file/junit.xml cannot be written"), "\(result.messages)")
      #expect(result.output.contains("1 made"))
      #expect(try scene.entries().count == 1)
      #expect(try text(scene, "preheat.prom").contains("preheat_run_success 1"))
      // Nor is anything of ours put among the app's files.
      let inside = try scene.run(["--report", "cache/report"])
      #expect(inside.status == 2 && inside.messages.contains("is inside the cache folder"))
      #expect(try scene.entries().count == 1)
    }.value
  }

  @Test func aLockedCacheKeepsItsRecord() async throws {
    try await OwnThread {
      let scene = try Scene("\(Self.logo) card")
      #expect(try scene.run().status == 0)
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
    }.value
  }

  /// Every form in which a URL carries a credential, `SECRET` in its place.
  static let secrets = [
    "http://user:SECRET@127.0.0.1:1/", "http://SECRET:@127.0.0.1:1/", "http://user:a%2FSECRET@127.0.0.1:1/",
    "?token=SECRET", "?access_token=SECRET", "?a=1&sig=SECRET", "?X-Amz-Signature=SECRET&X-Amz-Date=1",
    "?X-Amz-Security-Token=SECRET", "?X-Goog-Signature=SECRET", "?api_key=SECRET", "?apikey=SECRET",
    "?password=SECRET", "?key=SECRET", "?jwt=SECRET", "?auth=SECRET", "?Policy=SECRET&Key-Pair-Id=SECRET",
    "?sid=SECRET", "?client_secret=SECRET", "?hdnts=SECRET", "?u=http%3A%2F%2Fe.com%2F%3Ftoken%3DSECRET",
    "#access_token=SECRET", "?ticket=SECRET", "?SECRET", "?SECRET==", "?w=1&SECRET", "?token=.SECRET",
    "?token=(SECRET", "?v=2&SECRET#f",
  ]

  @Test func noCredentialOfALineThatDoesNotParseIsShown() async throws {
    try await OwnThread {
      let scene = try Scene("http://user:a/S3cr3t@127.0.0.1:1/ card\nhttp://e.com/?token=S3cr3t nosuch")
      let result = try scene.run(Self.reports + ["--annotations"])
      #expect(result.status == 2)
      for output in [result.messages, try text(scene, "ci/junit.xml"), try text(scene, "report/index.html")] {
        #expect(output.contains("this is not a URL") && !output.contains("S3cr3t"), "\(output)")
      }
    }.value
  }

  @Test func noCredentialIsInAnythingThatIsWritten() async throws {
    try await OwnThread {
      let lines = Self.secrets.enumerated().map { index, form in
        let secret = form.replacing("SECRET", with: "S3cr3t\(index)x")
        return "\(form.hasPrefix("http") ? secret : "http://127.0.0.1:1/\(index).jpg\(secret)") card"
      }
      let scene = try Scene(
        lines.joined(separator: "\n"),
        head: Scene.head + "header 127.0.0.1 Authorization: Bearer ${CATALOG_TOKEN}\n")
      for json in [[], ["--json"]] {
        let result = try scene.run(
          Self.reports + ["--signposts", "log.ndjson", "--trace", "trace.json", "--annotations", "-v"] + json,
          environment: [
            "CATALOG_TOKEN": "S3cr3tHeader", "GITHUB_STEP_SUMMARY": scene.folder.file("summary.md").path,
          ])
        #expect(result.status == 5, "\(result.messages)")
        var outputs = ["output": result.output, "messages": result.messages]
        var names = [
          "report/index.html", "ci/junit.xml", "preheat.prom", "log.ndjson", "trace.json", "summary.md",
          "cache.preheat/last-run.ndjson",
        ]
        if !json.isEmpty { names.append("cache.preheat/previous-run.ndjson") }
        for name in names { outputs[name] = try text(scene, name) }
        for (name, output) in outputs {
          #expect(!output.isEmpty)
          let found = output.ranges(of: "S3cr3t").first.map { output[$0.lowerBound...].prefix(20) }
          #expect(found == nil, "\(name): \(found ?? "")")
        }
      }
    }.value
  }
}
