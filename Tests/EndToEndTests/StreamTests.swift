import Foundation
import TestSupport
import Testing

/// `preheat run --json -`: sources as they come, each answered while the stream is open.
@Suite(.ownThreads, .timeLimit(.minutes(10)))
struct StreamTests {
  private static let settings =
    "client nuke 12\ncache cache\nscale 1\nchain card = resize(width: 30)\ndefault card\n"

  private func scene() throws -> Scene { try Scene("") }

  private func path(_ name: String) -> String { Scene.images.appendingPathComponent(name).path }

  private func start(_ scene: Scene) throws -> BuiltCommand.Running {
    let running = try BuiltCommand.start(["run", "--json", "-"], in: scene.folder.url, hasOpenInput: true)
    try running.write(Self.settings)
    return running
  }

  /// A run with a whole text on standard input.
  private func run(
    _ scene: Scene, _ text: String, head: String = Self.settings, _ arguments: [String] = []
  ) throws -> BuiltCommand.Result {
    try BuiltCommand.run(["run", "--json", "-"] + arguments, in: scene.folder.url, input: head + text)
  }

  private func counts(_ result: BuiltCommand.Result) throws -> [Int?] {
    let summary = try result.objects().last
    return ["made", "current", "failed"].map { summary?[$0] as? Int }
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

  @Test func eachLineIsAnsweredWhileTheStreamIsOpen() throws {
    let scene = try scene()
    let running = try start(scene)
    for (number, name) in ["mountains.jpg", "logo.png", "balloons.webp"].enumerated() {
      try running.write("\(path(name)) id=p\(number)\n")
      try #require(
        try eventually { try running.linesSoFar().count > number }, "no answer to line \(number + 1)")
      let line = try running.linesSoFar()[number]
      #expect(line.contains("\"line\":\(number + 6)") && line.contains("\"made\""), "\(line)")
      #expect(try scene.entries().count == number + 1)
    }
    running.closeInput()
    let result = try running.wait()
    #expect(result.status == 0, "\(result.messages)")
    #expect(result.output.contains("\"type\":\"summary\""))
  }

  @Test func aWrongLineCostsItselfAlone() throws {
    let scene = try scene()
    let lines = [
      path("logo.png") + " id=a", "nonsense", path("logo.png") + " nosuchchain", "width 3", "client nuke 12",
      "", "# note",
      "/nowhere.jpg", path("mountains.jpg") + " id=a", path("mountains.jpg") + " id=b",
      "https://e.com/" + String(repeating: "x", count: 1 << 21), path("balloons.webp") + " id=c",
    ]
    let result = try run(scene, lines.joined(separator: "\n")).expect(3)
    #expect(
      try statuses(result.objects()) == [
        6: "made", 7: "failed job.source", 8: "failed job.chains", 9: "failed job.source",
        10: "failed job.source",
        13: "failed file.missing", 14: "failed job.key", 15: "made", 16: "failed job.text", 17: "made",
      ])
    #expect(try counts(result) == [3, 0, 7])
    #expect(try scene.entries().count == 3)
  }

  @Test func flagsMaySayEverythingAndASecondStreamFindsWhatIsThere() throws {
    let scene = try scene()
    let flags = ["--client", "nuke 12", "--cache", "cache", "--scale", "1", "--chain", "resize(width: 30)"]
    let text = (0..<200).map { "\(path("logo.png")) id=n\($0)\n" }.joined()
    #expect(try counts(run(scene, text, head: "", flags).expect(0)) == [200, 0, 0])
    #expect(try counts(run(scene, text, head: "", flags).expect(0)) == [0, 200, 0])
  }

  /// Of several renditions of a line that asks for a key of another picture only that one is refused.
  @Test func aKeyThatIsTakenCostsItsRenditionAlone() throws {
    let scene = try scene()
    let lines = [
      path("logo.png") + " card id=a", path("mountains.jpg") + " card resize(width: 20) id=a",
      path("mountains.jpg") + " card id=a", path("logo.png") + " card id=a",
    ]
    #expect(try counts(run(scene, lines.map { $0 + "\n" }.joined()).expect(3)) == [2, 0, 2])
    #expect(try scene.entries().count == 2)
  }

  @Test func listsAndCataloguesMayBeIncluded() throws {
    let scene = try scene()
    let rows = "id,url\na,\(path("logo.png"))\nb,\(path("balloons.webp"))\n"
    try scene.folder.write(rows, to: "feed.csv")
    let text = "include feed.csv url=url id=id\ninclude none.txt\ninclude -  url=url format=csv\n"
    #expect(try counts(run(scene, text + path("mountains.jpg") + " id=c\n").expect(3)) == [3, 0, 2])
  }

  @Test func aWrongHeadIsAnErrorOfTheJob() throws {
    let scene = try scene()
    for head in ["client nuke 12\n", Self.settings + "polcy automatic\n", Self.settings + "scale 3\n"] {
      try run(scene, "\(path("logo.png"))\n", head: head).expect(2, "<stdin>:")
    }
    try run(scene, "", ["--shard", "1/2"]).expect(2, "--shard needs the whole job")
    #expect(try scene.entries().isEmpty)
    // An empty one is a success.
    try run(scene, "").expect(0)
  }

  @Test func aStreamThatBreaksOffIsAnError() throws {
    let scene = try scene()
    try scene.preheat(["run", "--json", "-"], wrapper: ["bash", "-c", "exec \"$@\" < .", "bash"]).expect(
      2, "'<stdin>' cannot be read")
  }

  /// Nobody knows what a stream does not name.
  @Test func aStreamDoesNotPrune() throws {
    let scene = try scene()
    #expect(try run(scene, "\(path("logo.png"))\n").status == 0)
    for (head, arguments) in [(Self.settings, ["--prune"]), (Self.settings + "prune on\n", [])] {
      try run(scene, "", head: head, arguments).expect(2, "prune")
    }
    #expect(try scene.entries().count == 1)
  }

  @Test func aSignalEndsAnOpenStream() throws {
    let scene = try scene()
    let running = try start(scene)
    try running.write("\(path("logo.png")) id=a\n")
    #expect(try eventually { try !running.linesSoFar().isEmpty })
    kill(running.process.processIdentifier, SIGTERM)
    let result = try running.wait()
    #expect(result.output.contains("\"type\":\"summary\""))
    #expect(try scene.entries().count == 1)
  }
}
