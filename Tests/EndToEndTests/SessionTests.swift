import Foundation
import TestSupport
import Testing

/// From what an app asked for to a job, its cache, and back.
@Suite("Sessions", .ownThreads, .timeLimit(.minutes(10)))
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

  @Test func aJobOfARecordingAnswersTheRecording() throws {
    let server = try NginxServer(serving: Scene.images)
    let scene = try Scene("")
    let urls = ["mountains.jpg", "logo.png", "balloons.webp"].map { "\(server.baseURL)/\($0)" }
    let resize = "com.github.kean/nuke/resize?s=(180.0, 29997.0),cm=.aspectFit,crop=false,upscale=false"
    let circle = "com.github.kean/nuke/circle"
    var requests = urls.map { ($0, $0 + resize) } + urls.map { ($0, $0 + circle) }
    requests += [requests[0], (urls[0], urls[0])]
    let recording = scene.folder.file("requests.ndjson")
    try Self.write(requests, to: recording)

    try scene.preheat([
      "init", "--client", "nuke 12", "--cache", "cache", "--from", "requests.ndjson", "-o", "made.job",
    ]).expect(0)
    let text = try scene.folder.text("made.job")
    // 29,997 is 9,999 points on a 3x screen.
    #expect(text.contains("chain resize-60 = resize(width: 60)\n"))
    let plan = try scene.preheat(["plan", "made.job", "--json"])
    let keys = try plan.objects().filter { $0["type"] as? String == "rendition" }.compactMap {
      $0["key"] as? String
    }
    #expect(keys.sorted() == Set(requests.map(\.1)).sorted())

    try scene.preheat(["replay", "requests.ndjson", "--in", "cache", "--client", "nuke 12"]).expect(2)
    try scene.preheat(["run", "made.job", "--allow-private", "127.0.0.1", "--retries", "0"]).expect(0)
    let replayed = try scene.preheat([
      "replay", "requests.ndjson", "--in", "cache", "--json", "--fail-under", "100",
    ]).expect(0)
    let summary = try Self.summary(replayed)
    #expect(summary["requests"] as? Int == 8)
    // Nuke stores originals of what it draws: the others are finished on the device unless the policy says otherwise.
    #expect((summary["exact"] as? Int ?? 0) + (summary["partial"] as? Int ?? 0) == 8)
    #expect(summary["unusedBytes"] as? Int == 0)
  }

  @Test func aBundleAnswersAsItsCacheDoes() throws {
    let server = try NginxServer(serving: Scene.images)
    let scene = try Scene(
      "\(server.baseURL)/mountains.jpg card\n\(server.baseURL)/logo.png card circle",
      head: Scene.head + "policy storeEncodedImages\n"
    ).warmed()
    for output in ["b.zip", "b.bundle"] {
      #expect(try scene.preheat(["bundle", "cache", "-o", output]).status == 0)
    }
    let plan = try scene.preheat(["plan", "test.job", "--json"])
    let known = try plan.objects().compactMap { object -> (String, String)? in
      guard let key = object["key"] as? String, let source = object["source"] as? String else { return nil }
      return (source, key)
    }
    #expect(known.count == 3)
    let missing = "\(server.baseURL)/grey.jpg"
    try Self.write(known + known + [(missing, missing)], to: scene.folder.file("s.ndjson"))
    for cache in ["cache", "b.zip", "b.bundle"] {
      let result = try scene.preheat(["replay", "s.ndjson", "--in", cache, "--json"]).expect(0)
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
    let cure = try scene.folder.text("more.job")
    #expect(cure.contains("\n\(missing) original\n"))
    // Nothing may be written where the app looks.
    #expect(try status(scene, ["--cures", "cache/more.job"]) == 2)
  }

  /// Entries rank by their own priority: a source's urgent rendition does not save its other ones, in no form.
  @Test(arguments: ["nuke 12", "nuke 10", "kingfisher 8", "sdwebimage 5", "sdwebimage 5.19"])
  func underALimitACacheAndItsBundleLoseTheSame(client: String) throws {
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
    try scene.run().expect(0)
    try scene.preheat(["bundle", "cache", "-o", "b.zip"]).expect(0)
    let plan = try scene.preheat(["plan", "test.job", "--json"]).objects()
    let keys = plan.compactMap { $0["key"] as? String }
    #expect(keys.count == 48)
    try scene.folder.write(keys.map { $0 + "\n" }.joined(), to: "s.txt")
    let bytes = try scene.names().reduce(0) { sum, name in
      let file = scene.folder.file("cache/\(name)").path
      return sum + (try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int ?? 0)
    }
    for limit in [bytes * 3 / 10, bytes * 6 / 10, bytes * 9 / 10] {
      let outcomes = try ["cache", "b.zip"].map { cache in
        try scene.preheat(["replay", "s.txt", "--in", cache, "--json", "--size-limit", "\(limit)"]).objects()
          .compactMap { $0["outcome"] as? String }
      }
      #expect(outcomes[0].count == 48 && outcomes[0] == outcomes[1], "\(limit)")
      #expect(outcomes[0].contains("exact") && outcomes[0].contains("miss"), "\(limit): \(outcomes[0])")
    }
  }

  private func status(_ scene: Scene, _ arguments: [String]) throws -> Int32 {
    try scene.preheat(["replay", "s.ndjson", "--in", "cache"] + arguments).status
  }

  @Test func replayChangesNothing() throws {
    let scene = try Scene.ordinary().warmed()
    let before = try FolderSnapshot(scene.folder.file("cache"))
    try scene.folder.write("mountains.jpg\n", to: "s.txt")
    try scene.preheat(["replay", "s.txt", "--in", "cache", "--size-limit", "1K", "--after", "90d"]).expect(0)
    #expect(try FolderSnapshot(scene.folder.file("cache")) == before)
  }
}
