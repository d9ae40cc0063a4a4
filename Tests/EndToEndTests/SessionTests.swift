import Foundation
import TestSupport
import Testing

/// From what an app asked for to a job, its cache, and back.
@Suite("Sessions", .timeLimit(.minutes(10)))
struct SessionTests {
  private static func write(_ requests: [(url: String, key: String)], to file: URL) throws {
    let lines = try requests.enumerated().map { number, request in
      let object: [String: Any] = [
        "v": 1, "type": "request", "at": 1.8e9 + Double(number), "key": request.key, "url": request.url,
        "found": "none",
      ]
      return String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self) + "\n"
    }
    try Data(lines.joined().utf8).write(to: file)
  }

  private static func summary(_ result: BuiltCommand.Result) throws -> [String: Any] {
    try #require(try result.objects().last { $0["type"] as? String == "replay" })
  }

  @Test func aJobOfARecordingAnswersTheRecording() async throws {
    try await OwnThread {
      let server = try NginxServer(serving: Scene.images)
      let scene = try Scene("")
      let urls = ["mountains.jpg", "logo.png", "balloons.webp"].map { "\(server.baseURL)/\($0)" }
      let resize = "com.github.kean/nuke/resize?s=(180.0, 29997.0),cm=.aspectFit,crop=false,upscale=false"
      let circle = "com.github.kean/nuke/circle"
      var requests = urls.map { ($0, $0 + resize) } + urls.map { ($0, $0 + circle) }
      requests += [requests[0], (urls[0], urls[0])]
      let recording = scene.folder.file("requests.ndjson")
      try Self.write(requests, to: recording)

      let made = try BuiltCommand.run(
        ["init", "--client", "nuke 12", "--cache", "cache", "--from", "requests.ndjson", "-o", "made.job"],
        in: scene.folder.url)
      #expect(made.status == 0, "\(made.messages)")
      let text = try String(contentsOf: scene.folder.file("made.job"), encoding: .utf8)
      // 29,997 is 9,999 points on a 3x screen.
      #expect(text.contains("chain resize-60 = resize(width: 60)\n"))
      let plan = try BuiltCommand.run(["plan", "made.job", "--json"], in: scene.folder.url)
      let keys = try plan.objects().filter { $0["type"] as? String == "rendition" }.compactMap {
        $0["key"] as? String
      }
      #expect(keys.sorted() == Set(requests.map(\.1)).sorted())

      let before = try BuiltCommand.run(
        ["replay", "requests.ndjson", "--in", "cache", "--client", "nuke 12"], in: scene.folder.url)
      #expect(before.status == 2, "there is no cache yet")
      let run = try BuiltCommand.run(
        ["run", "made.job", "--allow-private", "127.0.0.1", "--retries", "0"], in: scene.folder.url)
      #expect(run.status == 0, "\(run.messages)")
      let replayed = try BuiltCommand.run(
        ["replay", "requests.ndjson", "--in", "cache", "--json", "--fail-under", "100"], in: scene.folder.url)
      #expect(replayed.status == 0, "\(replayed.messages)")
      let summary = try Self.summary(replayed)
      #expect(summary["requests"] as? Int == 8)
      // Nuke stores originals of what it draws: the others are finished on the device unless the policy says otherwise.
      #expect((summary["exact"] as? Int ?? 0) + (summary["partial"] as? Int ?? 0) == 8)
      #expect(summary["unusedBytes"] as? Int == 0)
    }.value
  }

  @Test func aBundleAnswersAsItsCacheDoes() async throws {
    try await OwnThread {
      let server = try NginxServer(serving: Scene.images)
      let scene = try Scene(
        "\(server.baseURL)/mountains.jpg card\n\(server.baseURL)/logo.png card circle",
        head: Scene.head + "policy storeEncodedImages\n")
      #expect(try scene.run().status == 0)
      for output in ["b.zip", "b.bundle"] {
        #expect(try BuiltCommand.run(["bundle", "cache", "-o", output], in: scene.folder.url).status == 0)
      }
      let plan = try BuiltCommand.run(["plan", "test.job", "--json"], in: scene.folder.url)
      let known = try plan.objects().compactMap { object -> (String, String)? in
        guard let key = object["key"] as? String, let source = object["source"] as? String else { return nil }
        return (source, key)
      }
      #expect(known.count == 3)
      let missing = "\(server.baseURL)/grey.jpg"
      try Self.write(known + known + [(missing, missing)], to: scene.folder.file("s.ndjson"))
      for cache in ["cache", "b.zip", "b.bundle"] {
        let result = try BuiltCommand.run(
          ["replay", "s.ndjson", "--in", cache, "--json"], in: scene.folder.url)
        #expect(result.status == 0, "\(result.messages)")
        let summary = try Self.summary(result)
        #expect(summary["exact"] as? Int == 6, "\(cache)")
        #expect(summary["miss"] as? Int == 1, "\(cache)")
        #expect(summary["entries"] as? Int == 3, "\(cache)")
      }
      // Six of seven.
      #expect(try status(scene, ["--fail-under", "85"]) == 0)
      #expect(try status(scene, ["--fail-under", "86"]) == 10)
      #expect(try status(scene, ["--fail-under", "101"]) == 2)

      // What it lacks is one line, which answers the rest.
      #expect(try status(scene, ["--cures", "more.job"]) == 0)
      let cure = try String(contentsOf: scene.folder.file("more.job"), encoding: .utf8)
      #expect(cure.contains("\n\(missing) original\n"))
      // Nothing may be written where the app looks.
      #expect(try status(scene, ["--cures", "cache/more.job"]) == 2)
    }.value
  }

  /// Entries rank by their own priority: a source's urgent rendition does not save its other ones, in no form.
  @Test(arguments: ["nuke 12", "nuke 10", "kingfisher 8", "sdwebimage 5", "sdwebimage 5.19"])
  func underALimitACacheAndItsBundleLoseTheSame(client: String) async throws {
    try await OwnThread {
      let server = try FaultServer(files: Scene.images)
      let names = ["mountains.jpg", "logo.png", "opaque.png", "portrait-6.jpg"]
      let priorities = ["low", "veryHigh", "normal", "veryLow"]
      let lines = (0..<24).flatMap { number in
        let source = "\(server.url("/file"))/\(names[number % 4])?v=\(number) original"
        return [
          "\(source) priority=\(priorities[number / 4 % 4]) id=https://e.com/\(number)",
          "\(source) priority=\(priorities[number % 4]) id=https://e.com/\(number)b",
        ]
      }
      let head = "client \(client)\ncache cache\nallow-private 127.0.0.1\n"
      let policy = client.hasPrefix("nuke") ? "policy storeOriginalData\n" : ""
      let scene = try Scene(lines.joined(separator: "\n"), head: head + policy)
      let run = try scene.run()
      #expect(run.status == 0, "\(run.messages)")
      let made = try BuiltCommand.run(["bundle", "cache", "-o", "b.zip"], in: scene.folder.url)
      #expect(made.status == 0, "\(made.messages)")
      let plan = try BuiltCommand.run(["plan", "test.job", "--json"], in: scene.folder.url).objects()
      let keys = plan.compactMap { $0["key"] as? String }
      #expect(keys.count == 48)
      try Data(keys.map { $0 + "\n" }.joined().utf8).write(to: scene.folder.file("s.txt"))
      let bytes = try scene.names().reduce(0) { sum, name in
        let file = scene.folder.file("cache/\(name)").path
        return sum + (try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int ?? 0)
      }
      for limit in [bytes * 3 / 10, bytes * 6 / 10, bytes * 9 / 10] {
        let outcomes = try ["cache", "b.zip"].map { cache in
          try BuiltCommand.run(
            ["replay", "s.txt", "--in", cache, "--json", "--size-limit", "\(limit)"], in: scene.folder.url
          ).objects().compactMap { $0["outcome"] as? String }
        }
        #expect(outcomes[0].count == 48 && outcomes[0] == outcomes[1], "\(limit)")
        #expect(outcomes[0].contains("exact") && outcomes[0].contains("miss"), "\(limit): \(outcomes[0])")
      }
    }.value
  }

  private func status(_ scene: Scene, _ arguments: [String]) throws -> Int32 {
    try BuiltCommand.run(["replay", "s.ndjson", "--in", "cache"] + arguments, in: scene.folder.url).status
  }

  @Test func replayChangesNothing() async throws {
    try await OwnThread {
      let scene = try Scene.ordinary()
      #expect(try scene.run().status == 0)
      let before = try FolderSnapshot(scene.folder.file("cache"))
      try Data("mountains.jpg\n".utf8).write(to: scene.folder.file("s.txt"))
      let result = try BuiltCommand.run(
        ["replay", "s.txt", "--in", "cache", "--size-limit", "1K", "--after", "90d"], in: scene.folder.url)
      #expect(result.status == 0, "\(result.messages)")
      #expect(try FolderSnapshot(scene.folder.file("cache")) == before)
    }.value
  }

  @Test func secretsOfRecordingsAreMaskedInTheSummary() async throws {
    try await OwnThread {
      let scene = try Scene.ordinary()
      #expect(try scene.run().status == 0)
      let url = "https://img.example.com/a.jpg?token=geheim1234"
      try Data("\(url)\n".utf8).write(to: scene.folder.file("s.txt"))
      let arguments = ["replay", "s.txt", "--in", "cache", "--verbose"]
      let result = try BuiltCommand.run(arguments, in: scene.folder.url)
      #expect(!result.output.contains("geheim"))
      #expect(!result.messages.contains("geheim"))
      // Nor does a key that became a comment show it in the log.
      try Data("\(url) |x\n".utf8).write(to: scene.folder.file("odd.txt"))
      let made = try BuiltCommand.run(
        ["init", "--client", "nuke 12", "--from", "odd.txt"], in: scene.folder.url)
      #expect(made.status == 3)
      #expect(!made.messages.contains("geheim"))
      let shown = try BuiltCommand.run(arguments + ["--show-secrets"], in: scene.folder.url)
      #expect(shown.output.contains("geheim1234"))
    }.value
  }

  @Test func wrongInputIsToldWithItsLine() async throws {
    try await OwnThread {
      let scene = try Scene.ordinary()
      try Data("https://e.com/a.jpg\n{\"url\":\"x\"}\nproduct-9\n".utf8).write(to: scene.folder.file("s.txt"))
      let made = try BuiltCommand.run(
        ["init", "--client", "nuke 12", "--from", "s.txt"], in: scene.folder.url)
      #expect(made.status == 3)
      #expect(made.messages.contains("s.txt:2: \"key\" is missing"))
      #expect(made.messages.contains("product-9: it does not begin with a URL"))
      #expect(made.output.contains("\nhttps://e.com/a.jpg original\n"))
      for (arguments, words) in [
        (["init", "--client", "nuke 12"], "names no catalogue, list or recording"),
        (["init", "--from", "s.txt"], "--client"),
        (["init", "--client", "nuke 12", "--from", "none.txt"], "there is no such file"),
        (["init", "--client", "nuke 9", "--from", "s.txt"], "nuke"),
        (["replay", "s.txt"], "--in is missing"),
        (["replay", "s.txt", "--in", "nowhere"], "error: there is no \(scene.folder.file("nowhere").path)"),
      ] {
        let result = try BuiltCommand.run(arguments, in: scene.folder.url)
        #expect(result.status == 2, "\(arguments)")
        #expect(result.messages.contains(words), "\(result.messages)")
      }
    }.value
  }
}
