import Foundation
import TestSupport
import Testing

/// `preheat run --json -`: sources as they come, each answered while the stream is open.
@Suite(.timeLimit(.minutes(10)))
struct StreamTests {
  private static let settings =
    "client nuke 12\ncache cache\nscale 1\nchain card = resize(width: 30)\ndefault card\n"

  private func scene() throws -> Scene {
    let scene = try Scene("")
    try Data(Self.settings.utf8).write(to: scene.folder.file("app.job"))
    return scene
  }

  private func path(_ name: String) -> String { Scene.images.appendingPathComponent(name).path }

  /// The objects of a run with a whole text on standard input.
  private func run(
    _ scene: Scene, _ text: String, _ arguments: [String] = ["--settings", "app.job"]
  ) throws -> (status: Int32, objects: [[String: Any]], messages: String) {
    let running = try BuiltCommand.start(
      ["run", "--json", "-"] + arguments, in: scene.folder.url, hasOpenInput: true)
    try running.write(text)
    running.closeInput()
    let result = try running.wait()
    return (result.status, try result.objects(), result.messages)
  }

  private func statuses(_ objects: [[String: Any]]) -> [Int: String] {
    var found: [Int: String] = [:]
    for object in objects where object["type"] as? String != "summary" {
      guard let line = object["line"] as? Int, let status = object["status"] as? String else { continue }
      let code = (object["error"] as? [String: Any])?["code"] as? String
      found[line] = code.map { "\(status) \($0)" } ?? status
    }
    return found
  }

  @Test func eachLineIsAnsweredWhileTheStreamIsOpen() async throws {
    try await OwnThread {
      let scene = try scene()
      let running = try BuiltCommand.start(
        ["run", "--json", "--settings", "app.job", "-"], in: scene.folder.url, hasOpenInput: true)
      for (number, name) in ["mountains.jpg", "logo.png", "balloons.webp"].enumerated() {
        try running.write("\(path(name)) id=p\(number)\n")
        try #require(
          try eventually { try running.linesSoFar().count > number }, "no answer to line \(number + 1)")
        let line = try running.linesSoFar()[number]
        #expect(line.contains("\"line\":\(number + 1)") && line.contains("\"made\""), "\(line)")
        #expect(try scene.entries().count == number + 1)
      }
      running.closeInput()
      let result = try running.wait()
      #expect(result.status == 0, "\(result.messages)")
      #expect(result.output.contains("\"type\":\"summary\""))
    }.value
  }

  @Test func aWrongLineCostsItselfAlone() throws {
    let scene = try scene()
    let lines = [
      path("logo.png") + " id=a", "nonsense", path("logo.png") + " nosuchchain", "width 3", "client nuke 12",
      "", "# note",
      "/nowhere.jpg", path("mountains.jpg") + " id=a", path("mountains.jpg") + " id=b",
      "https://e.com/" + String(repeating: "x", count: 1 << 21), path("balloons.webp") + " id=c",
    ]
    let (status, objects, messages) = try run(scene, lines.joined(separator: "\n"))
    #expect(status == 3, "\(messages)")
    #expect(
      statuses(objects) == [
        1: "made", 2: "failed job.source", 3: "failed job.chains", 4: "failed job.source",
        5: "failed job.source",
        8: "failed file.missing", 9: "failed job.key", 10: "made", 11: "failed job.text", 12: "made",
      ])
    #expect(objects.last?["failed"] as? Int == 7 && objects.last?["made"] as? Int == 3)
    #expect(try scene.entries().count == 3)
  }

  @Test func flagsMaySayEverythingAndASecondStreamFindsWhatIsThere() throws {
    let scene = try scene()
    let flags = ["--client", "nuke 12", "--cache", "cache", "--scale", "1", "--chain", "resize(width: 30)"]
    let text = (0..<200).map { "\(path("logo.png")) id=n\($0)\n" }.joined()
    let first = try run(scene, text, flags)
    #expect(first.status == 0, "\(first.messages)")
    #expect(first.objects.last?["made"] as? Int == 200)
    let second = try run(scene, text, flags)
    #expect(second.objects.last?["current"] as? Int == 200)
  }

  /// A pipe has its text once, and the stream is read in many pieces.
  @Test func settingsMayComeFromAPipe() throws {
    let scene = try scene()
    let pipe = scene.folder.file("pipe").path
    #expect(mkfifo(pipe, 0o600) == 0)
    let writer = Thread {
      guard let file = FileHandle(forWritingAtPath: pipe) else { return }
      try? file.write(contentsOf: Data(Self.settings.utf8))
      try? file.close()
    }
    writer.start()
    let text = (0..<200).map { "\(path("logo.png")) id=n\($0)\n" }.joined()
    let result = try run(scene, text, ["--settings", "pipe"])
    #expect(result.status == 0, "\(result.messages)")
    #expect(result.objects.last?["made"] as? Int == 200)
  }

  @Test func aStreamThatBreaksOffIsAnError() throws {
    let scene = try scene()
    let result = try BuiltCommand.run(
      ["run", "--json", "--settings", "app.job", "-"], in: scene.folder.url,
      wrapper: ["bash", "-c", "exec \"$@\" < .", "bash"])
    #expect(result.status == 1 && result.messages.contains("standard input cannot be read"), "\(result)")
  }

  /// Nobody knows what a stream does not name.
  @Test func aStreamDoesNotPrune() throws {
    let scene = try scene()
    #expect(try run(scene, "\(path("logo.png"))\n").status == 0)
    try Data((Self.settings + "prune on\n").utf8).write(to: scene.folder.file("prune.job"))
    for arguments in [["--settings", "app.job", "--prune"], ["--settings", "prune.job"]] {
      let result = try run(scene, "", arguments)
      #expect(result.status == 2 && result.messages.contains("prune"), "\(result.messages)")
    }
    #expect(try scene.entries().count == 1)
  }

  @Test func anEmptyStreamIsASuccess() throws {
    #expect(try run(scene(), "").status == 0)
  }

  @Test(arguments: [
    (["--settings", "none.job"], "cannot be read"), (["--settings", "sources.job"], "names sources itself"),
    (["--settings", "app.job", "--shard", "1/2"], "--shard needs the whole job"),
    (["--settings", "app.job", "--failures", "f.job"], "--failures needs the whole job"),
  ])
  func whatCannotBeAStreamIsRefused(arguments: [String], words: String) throws {
    let scene = try scene()
    try Data((Self.settings + "https://e.com/1.jpg\n").utf8).write(to: scene.folder.file("sources.job"))
    let result = try run(scene, "", arguments)
    #expect(result.status == 2 && result.messages.contains(words), "\(result.messages)")
  }

  @Test func aSignalEndsAnOpenStream() async throws {
    try await OwnThread {
      let scene = try scene()
      let running = try BuiltCommand.start(
        ["run", "--json", "--settings", "app.job", "-"], in: scene.folder.url, hasOpenInput: true)
      try running.write("\(path("logo.png")) id=a\n")
      #expect(try eventually { try !running.linesSoFar().isEmpty })
      kill(running.process.processIdentifier, SIGTERM)
      let result = try running.wait()
      #expect(result.output.contains("\"type\":\"summary\""))
      #expect(try scene.entries().count == 1)
    }.value
  }
}
