import Foundation
import Testing

@testable import JobFile

/// `init`: the first job of an app, from what the app has.
@Suite(.timeLimit(.minutes(10))) struct InitCommandTests {
  let scene: CommandScene

  init() throws { scene = try CommandScene() }

  private static func lock(_ pins: (name: String, version: String)...) -> String {
    let entries = pins.map {
      """
      {"identity": "\($0.name.split(separator: "/")[1].lowercased())", "kind": "remoteSourceControl",
       "location": "https://github.com/\($0.name)", "state": {"revision": "a", "version": "\($0.version)"}}
      """
    }
    return "{\"pins\": [\(entries.joined(separator: ","))], \"version\": 2}"
  }

  /// Writes a file, makes a job of it beside a folder `App`, and plans that.
  ///
  /// - Returns: the job's text.
  @discardableResult
  private func made(_ name: String, _ text: String, _ options: String...) async throws -> String {
    try scene.write(text, to: name)
    try scene.write(Self.lock(("kean/Nuke", "12.8.0")), to: "Package.resolved")
    let job = scene.path("first.job")
    let arguments =
      ["init", scene.path("Package.resolved"), scene.path(name), "-o", job, "--force"] + options
    let made = try await Outcome(of: arguments, environment: [:])
    try #require(made.code == 0, "\(made.messages)")
    try await scene.preheat("plan", job).expect(0)
    return try String(contentsOfFile: job, encoding: .utf8)
  }

  private func line(_ text: String, _ word: String) -> String? {
    text.split(separator: "\n").first { $0.hasPrefix(word) }.map(String.init)
  }

  static let catalogues: [(name: String, text: String, line: String)] = [
    (
      "feed.csv",
      "sku,title,link,image,rank\nA,\"Mug, blue\",https://s.example/a,https://i.example/a.jpg,1\n",
      "feed.csv url=image"
    ),
    (
      "google.tsv",
      "id\ttitle\tlink\timage_link\tadditional_image_link\n"
        + "1\tMug\thttps://s.example/1\thttps://i.example/1\thttps://i.example/2\n",
      "google.tsv url=image_link"
    ),
    ("bilder.csv", "Artikel;Bild URL\n7;https://i.example/7.png\n", "bilder.csv url=\"Bild URL\""),
    ("urls.txt", "# all\nhttps://i.example/1.jpg?a=1,2\n", "urls.txt"),
  ]

  @Test(arguments: catalogues.indices)
  func theFieldsAreFoundByNamesAndFirstRows(_ index: Int) async throws {
    let (name, text, expected) = Self.catalogues[index]
    let job = try await made(name, text)
    #expect(line(job, "include") == "include \(expected) thumb card", "\(job)")
    #expect(line(job, "client") == "client  nuke from Package.resolved")
  }

  @Test func aRowThatIsNoSourceIsLeftOut() async throws {
    let rows = (1...300).map { "https://i.example/\($0).jpg,\($0)\n" }.joined()
    let job = try await made("feed.csv", "image,rank\n\(rows)nothing here,7\n")
    #expect(line(job, "include") == "include feed.csv url=image thumb card")
    #expect(line(job, "skip-invalid") == "skip-invalid on" && job.contains(": 1 line now"), "\(job)")
  }

  @Test func aFieldWithoutURLsNeedsATemplate() async throws {
    try scene.write("sku,title\nA,Mug\n", to: "feed.csv")
    try await scene.preheat("init", "--client", "nuke 12", scene.path("feed.csv")).expect(
      2, "has URLs in its first rows; --url image, or --url 'https://", isSilent: true)
    let job = try await made("feed.csv", "sku,title\nA,Mug\n", "--url", "https://cdn.example/{sku}.jpg")
    #expect(line(job, "include") == "include feed.csv url=https://cdn.example/{sku}.jpg thumb card")
  }

  @Test(arguments: [
    ("kingfisher 8", "downsampling(size: 320x320)", "com.onevcat.Kingfisher.ImageCache.default"),
    ("sdwebimage 5.6", "resize(size: 320x320, scaleMode: aspectFill)", "com.hackemist.SDImageCache/default"),
    ("nuke 10", "resize(width: 320)", "com.github.kean.Nuke.DataCache"),
  ])
  func eachClientHasItsOwnFirstJob(_ client: String, _ card: String, _ cache: String) async throws {
    try scene.write("https://i.example/1.jpg\n", to: "urls.txt")
    let job = scene.path("a.job")
    try await scene.preheat("init", "--client", client, scene.path("urls.txt"), "-o", job).expect(0)
    let text = try String(contentsOfFile: job, encoding: .utf8)
    #expect(line(text, "client") == "client  \(client)" && line(text, "cache") == "cache   out/\(cache)")
    #expect(text.contains("card  = \(card)\n"))
    try await scene.preheat("plan", job).expect(0, lacks: "warning")
  }

  @Test func settingsOfTheCommandLineAreInTheJob() async throws {
    let job = try await made(
      "urls.txt", "https://i.example/1.jpg\n", "--scale", "3", "--cache", scene.path("caches/my shop"),
      "--encode", "webp(quality: 75)")
    #expect(line(job, "cache") == "cache   \"\(scene.path("caches/my shop"))\"", "\(job)")
    #expect(line(job, "scale") == "scale 3" && line(job, "encode") == "encode webp(quality: 75)")
  }

  // MARK: The client

  @Test func aLockFileWithTwoClientsIsAnError() async throws {
    try scene.write(
      Self.lock(("kean/Nuke", "12.8.0"), ("onevcat/Kingfisher", "8.0.0")), to: "Package.resolved")
    try scene.write("https://i.example/1.jpg\n", to: "urls.txt")
    let files = [scene.path("Package.resolved"), scene.path("urls.txt")]
    let failed = try await scene.preheat("init", files[0], files[1], "--json").expect(
      2, "the app has several: nuke 12.8.0")
    // However long, it can be copied.
    for name in ["nuke", "kingfisher"] {
      #expect(failed.messages.contains("--client '\(name) from \(files[0])'"), "\(failed.messages)")
    }
    #expect(try failed.objects().first?["code"] as? String == "usage.invalid-value")
    try await scene.preheat("init", files[0], files[1], "--client", "nuke 12").expect(
      2, "both name the client")
    try await scene.preheat(
      "init", files[1], "--client", "kingfisher from \(files[0])", "-o", scene.path("a.job")
    ).expect(0)
    let text = try scene.folder.text("a.job")
    #expect(line(text, "client") == "client  kingfisher from Package.resolved")
  }

  /// The nearest folder that has one counts, and nothing above the repository.
  @Test func lockFilesAreFoundAboveTheFolder() throws {
    let inner = scene.path("repository/App/App.xcodeproj/project.xcworkspace/xcshareddata/swiftpm")
    try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: true)
    let folder = scene.path("repository/App")
    func only() throws -> AppClient { try AppClient.only(in: [], near: folder, within: nil) }
    try scene.folder.makeFolder("repository/.git")
    try scene.write(Self.lock(("kean/Nuke", "11.0.0")), to: "Package.resolved")
    #expect(throws: (any Error).self) { try only() }
    try scene.write("PODS:\n  - SDWebImage (5.19.0)\n", to: "repository/Podfile.lock")
    #expect(try only().name == "sdwebimage")
    try scene.write(
      Self.lock(("kean/Nuke", "12.8.0")),
      to: "repository/App/App.xcodeproj/project.xcworkspace/xcshareddata/swiftpm/Package.resolved")
    #expect(try only().version == "12.8.0")
  }

  // MARK: Recordings

  @Test func aRecordingGivesTheChainsThatTheAppAskedFor() async throws {
    let key =
      "https://e.com/1.jpgcom.github.kean/nuke/resize?s=(640.0, 19998.0),cm=.aspectFit,crop=false,"
      + "upscale=false"
    let recorded = "{\"v\":1,\"type\":\"request\",\"key\":\"\(key)\",\"url\":\"https://e.com/1.jpg\"}\n"
    let job = try await made("requests.ndjson", recorded)
    #expect(line(job, "client") == "client nuke from Package.resolved", "\(job)")
    #expect(line(job, "cache") == "cache \"out/com.github.kean.Nuke.DataCache\"")
    let objects = try await scene.preheat("plan", "--json", scene.path("first.job")).objects()
    #expect(objects.first?["key"] as? String == key)
    try scene.write("https://e.com/1.jpg\n", to: "keys.txt")
    let named = try await scene.preheat(
      "init", "--client", "nuke 12", "--from", scene.path("keys.txt"), "--json")
    let object = try #require(try named.objects().first, "\(named.messages)")
    #expect(object["type"] as? String == "init" && object["keys"] as? Int == 1)
    #expect((object["client"] as? String)?.hasPrefix("nuke 12") == true && object["text"] is String)
    try scene.write("https://e.com/1.jpg\n", to: "urls.txt")
    try await scene.preheat(
      "init", "--client", "nuke 12", "--from", scene.path("keys.txt"), scene.path("urls.txt")
    ).expect(2, "a recording has the sources itself")
  }

  // MARK: The file

  @Test func nothingIsReplacedUnasked() async throws {
    try scene.write("https://i.example/1.jpg\n", to: "urls.txt")
    try scene.write("mine", to: "a.job")
    let arguments = ["init", "--client", "nuke 12", scene.path("urls.txt"), "-o", scene.path("a.job")]
    try await Outcome(of: arguments, environment: [:]).expect(2, "exists; --force replaces it")
    #expect(try scene.folder.text("a.job") == "mine")
    #expect(try await Outcome(of: arguments + ["--force"], environment: [:]).code == 0)
    let mode = try FileManager.default.attributesOfItem(atPath: scene.path("a.job"))[.posixPermissions]
    #expect(mode as? Int == 0o600)
  }

  @Test func aFailedInitWritesNothing() async throws {
    let folder = scene.path("a folder")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try scene.write("", to: "empty.txt")
    try scene.write("[]", to: "none.json")
    try scene.write("not a url\n", to: "odd.txt")
    let cases: [(file: String, message: String)] = [
      (scene.path("missing.csv"), "there is no such file"), (folder, "cannot be read"),
      (scene.path("empty.txt"), "it is empty"), (scene.path("none.json"), "has URLs in its first rows"),
      ("https://i.example/feed.csv", "is on a server"), (scene.path("odd.txt"), "no job was written"),
      ("a\nclient nuke 11", "has a line end"),
    ]
    for (file, message) in cases {
      let job = scene.path("x.job")
      try await scene.preheat("init", "--client", "nuke 12", file, "-o", job).expect(2, message)
      #expect(!FileManager.default.fileExists(atPath: job))
    }
    try await scene.preheat("init", "--client", "nuke 12").expect(2, "names no catalogue, list or recording")
  }

  /// A job has no escapes, so what a terminal would obey goes into a file only.
  @Test func standardOutputHasNoControlCharacters() async throws {
    let name = scene.path("a\u{1B}[2J.txt")
    try Data("https://i.example/1.jpg\n".utf8).write(to: URL(fileURLWithPath: name))
    try await scene.preheat("init", "--client", "nuke 12", name).expect(2, lacks: "\u{1B}", "\u{1B}")
    try scene.write("a,\u{1B}[2J,image\n1,2,https://i.example/1.jpg\n", to: "feed.csv")
    try await scene.preheat("init", "--client", "nuke 12", scene.path("feed.csv")).expect(0, lacks: "\u{1B}")
  }
}

extension InitCommandTests {
  @Test func theLastCacheHolds() async throws {
    let job = try scene.job(lines: ["https://i.example/1.jpg original"])
    try await scene.preheat("plan", job, "--cache", "a", "--cache", scene.path("b")).expect(
      0, prints: " in \(scene.path("b"))\n")
  }
}
