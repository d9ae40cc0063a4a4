import Foundation
import TestSupport
import Testing

/// Texts of strangers in the output of all commands: no secret is shown, and nobody obeys them.
@Suite(.ownThreads, .timeLimit(.minutes(10)))
struct ForeignTextTests {
  private static let resize =
    "com.github.kean/nuke/resize?s=(120.0, 120.0),cm=.aspectFill,crop=true,upscale=false"

  private static func recording(_ requests: [[String: String]], in scene: Scene) throws {
    let lines = try requests.map { request in
      let object = request.merging(["type": "request", "found": "none"]) { _, new in new }
      return try JSONSerialization.data(withJSONObject: object) + Data("\n".utf8)
    }
    try lines.reduce(Data(), +).write(to: scene.folder.file("requests.ndjson"))
  }

  private static func mode(_ url: URL) throws -> Int {
    try #require(try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int)
  }

  @Test func noCommandShowsASecretOfARecording() throws {
    let scene = try Scene(Scene.ordinaryLines[0]).warmed()
    var requests: [[String: String]] = []
    for (number, name) in CredentialLeakTests.names.enumerated() {
      let url = "https://e.example/\(number).png"
      let secret = "?w=1&\(name)=S3CRET"
      requests += [
        ["key": url + secret + Self.resize], ["key": url + secret, "url": url + secret],
        [
          "key": "product-\(number)" + secret + Self.resize, "url": url, "id": "product-\(number)" + secret,
        ],
        ["key": "\(url);\(name)=S3CRET" + Self.resize, "url": url],
        // Refused: no URL, a line end, a URL that is none.
        ["key": "product-\(number)" + secret], ["key": url + secret + "\n" + Self.resize],
        ["key": url + secret, "url": "http://[" + secret],
      ]
    }
    requests.append(["key": "https://bob:S3CRET@e.example/a.png" + Self.resize])
    let bare = ["?S3CRET", "?w=1&S3CRET", "?token=.S3CRET", "?token=(S3CRET", "?S3CRET="]
    for (number, query) in bare.enumerated() {
      let url = "https://e.example/bare-\(number).png" + query
      requests += [["key": url, "url": url], ["key": url + Self.resize, "url": url]]
      // Without its URL the last one is an item with a name, and the key is its value.
      if !query.hasSuffix("=") { requests.append(["key": url + Self.resize]) }
    }
    try Self.recording(requests, in: scene)
    for (status, command) in [
      (
        3 as Int32,
        ["init", "--client", "nuke 12", "--from", "requests.ndjson", "-o", "made.job", "--verbose"]
      ),
      (3, ["init", "--client", "nuke 12", "requests.ndjson", "-o", "first.job", "--verbose"]),
      (
        0,
        ["replay", "requests.ndjson", "--in", "cache", "--cures", "cures.job", "--verbose"]
      ),
      (0, ["replay", "requests.ndjson", "--in", "cache"]),
    ] {
      let result = try scene.preheat(command).expect(status)
      for line in (result.output + result.messages).split(separator: "\n") where line.contains("S3CRET") {
        Issue.record("\(command[0]): \(line)")
      }
    }
    // The jobs have the keys as they are, for their owner alone.
    for name in ["made.job", "cures.job"] {
      #expect(try scene.folder.text(name).contains("S3CRET"))
      #expect(try Self.mode(scene.folder.file(name)) == 0o600, "\(name)")
    }
    // On standard output a job has its keys; its messages have none.
    let printed = try scene.preheat(["init", "--client", "nuke 12", "--from", "requests.ndjson"])
    #expect(printed.output.contains("S3CRET") && !printed.messages.contains("S3CRET"), "\(printed.messages)")
    try FileManager.default.copyItem(at: scene.folder.file("made.job"), to: scene.folder.file("copy.job"))
    for command in [
      ["plan", "copy.job", "--rows"], ["code", "copy.job"], ["plan", "copy.job", "--compare", "test.job"],
      ["run", "copy.job", "--cache", "other", "--retries", "0", "--timeout", "1", "--verbose"],
    ] {
      let result = try scene.preheat(command)
      for line in (result.output + result.messages).split(separator: "\n") where line.contains("S3CRET") {
        // The app's code has URLs as they are but for known credentials.
        if command[0] == "code", line.contains("bare-") { continue }
        Issue.record("\(command[0]): \(line)")
      }
    }
  }

  /// What terminals and CI systems obey.
  private static let commands = ["##vso[task.setvariable variable=x]y", "##[error]x", "##VSO[x]", "###[x]"]

  private static func expectInert(_ text: String, _ what: String) {
    for line in text.split(separator: "\n") {
      let isObeyed =
        line.hasPrefix("::") || line.lowercased().contains("##vso[") || line.contains("##[")
        || line.unicodeScalars.contains {
          [.control, .format, .lineSeparator].contains($0.properties.generalCategory)
        }
      if isObeyed { Issue.record("\(what): \(line.debugDescription)") }
    }
  }

  @Test func noCommandWritesWhatATerminalOrACISystemObeys() throws {
    let texts = HostileTests.sly + Self.commands + ["\n::error::x"]
    let scene = try Scene(Scene.ordinaryLines[0]).warmed()
    let requests = texts.enumerated().flatMap { number, text in
      let url = "https://e.example/\(number).png"
      return [
        ["key": "\(url)?v=\(text)" + Self.resize], ["key": "\(text)\(number)"],
        ["key": "product\(text)" + Self.resize, "url": url, "id": "product\(text)"],
        ["key": url + "com.example.\(text)?x"], ["key": url, "url": "\(url)?a=\(text)"],
      ]
    }
    try Self.recording(requests, in: scene)
    // Names of fields stand in comments, and in the line.
    var row: [String: Any] = ["sku\(texts[0])": "7", "image": "https://e.example/1.png"]
    for text in texts { row["name\(text)"] = text }
    try JSONSerialization.data(withJSONObject: [row]).write(to: scene.folder.file("feed.json"))
    for command in [
      ["init", "--client", "nuke 12", "feed.json", "--url", "image"],
      ["init", "--client", "nuke 12", "feed.json", "--url", "image", "-o", "first.job"],
      ["plan", "first.job", "--rows"],
      ["init", "--client", "nuke 12", "requests.ndjson"],
      ["init", "--client", "nuke 12", "requests.ndjson", "-o", "asked.job", "--verbose"],
      ["init", "--client", "nuke 12", "--from", "requests.ndjson"],
      ["init", "--client", "nuke 12", "--from", "requests.ndjson", "--json"],
      ["init", "--client", "nuke 12", "--from", "requests.ndjson", "-o", "made.job", "--verbose"],
      ["replay", "requests.ndjson", "--in", "cache", "--verbose", "--cures", "cures.job"],
      ["replay", "requests.ndjson", "--in", "cache", "--json"], ["plan", "made.job", "--rows"],
      ["code", "made.job"],
      ["plan", "made.job", "--json"], ["plan", "made.job", "--rows", "--show-secrets"],
      ["run", "made.job", "--cache", "other", "--retries", "0", "--timeout", "1", "--verbose"],
      ["bundle", "cache", "-o", "c.zip", "--job", "made.job"],
    ] {
      let result = try scene.preheat(command)
      #expect(result.status >= 0 && !(result.output + result.messages).isEmpty, "\(command)")
      Self.expectInert(result.output + result.messages, command.joined(separator: " "))
    }
    // What a terminal would obey is written into a file alone.
    try scene.preheat(["init", "--client", "nuke 12", "--from", "requests.ndjson"]).expect(
      2, "write the job to a file with -o")
    let made = try scene.folder.text("made.job")
    #expect(made.contains("\u{202E}gpj") && made.contains("##vso["))
    // And names, keys and patterns of the command line.
    for (number, text) in texts.enumerated() {
      let commands = [
        ["key", "https://e.example/\(text).png", "--client", "nuke 12"], ["inspect", "cache\(text)"],
        ["verify", "cache\(text)"], ["diff", "cache", "cache\(text)"],
        ["sweep", "cache\(text)", "--dry-run"],
        ["merge", "cache\(text)", "-o", "m\(text)"], ["bundle", "cache\(text)", "-o", "b\(text)"],
        ["report", "run\(text).ndjson"], ["timings", "log\(text)"], ["help", text], [text],
        ["run", "\(text).job"],
        ["replay", "x\(text)", "--in", "cache\(text)"],
        ["init", "--from", "x\(text)", "--client", "nuke\(text)"],
        ["init", "x\(text)", "--client", "nuke\(text)"],
        ["init", "feed.json", "--client", "nuke 12", "--url", text],
      ]
      for turn in 0..<FaultCount.of(3, full: commands.count) {
        let command = commands[(3 * number + turn) % commands.count]
        // No argument can hold it.
        guard !text.contains("\0") else { continue }
        let result = try scene.preheat(command)
        Self.expectInert(result.output + result.messages, command.joined(separator: " "))
      }
    }
  }
}
