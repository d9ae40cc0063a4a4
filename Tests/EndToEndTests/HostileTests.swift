import Foundation
import TestSupport
import Testing

/// Names, bodies and files from strangers.
@Suite(.ownThreads, .timeLimit(.minutes(FaultCount.minutes)))
struct HostileTests {

  @Test func randomBodiesNeverEnterTheCache() throws {
    let count = FaultCount.of(1500, full: 10_000)
    let server = try FaultServer()
    let lines = (0..<count).map { "\(server.url("/random/\($0)")) card original" }
    let scene = try Scene(lines.joined(separator: "\n"))
    let result = try scene.run(["--json", "--policy", "storeAll"]).expect(4)
    #expect(try scene.files().isEmpty)
    let codes = try result.errorCodes()
    #expect(codes.count == 2 * count)
    let known: Set = ["image.format", "image.damaged", "image.truncated", "image.limit", "fetch.empty"]
    #expect(known.isSuperset(of: codes), "\(Set(codes))")
  }

  /// Characters that a terminal obeys or that turn text around.
  static let sly = [
    "\u{1B}[31m", "\u{202E}gpj", "\u{200B}", "\u{2066}", "\u{7F}", "\u{85}", "\u{FEFF}x", "\u{9B}2J",
    "\u{1B}]8;;x", "\u{1B}]0;x\u{7}", "\u{1B}P", "\u{1B}c", "\u{1B}[2J", "\u{1B}[?25l", "\u{8}\u{8}x",
    "\u{7}", "\u{B}", "\u{C}", "\u{E}", "\u{1}", "\u{1F}", "\u{90}", "\u{9D}0;x", "\u{202A}", "\u{202D}",
    "\u{2067}", "\u{2069}", "\u{200F}", "\u{61C}", "\u{E0001}",
  ]

  @Test func controlAndDirectionCharactersReachNoTerminal() throws {
    let lines = Self.sly.prefix(FaultCount.of(8, full: 30)).enumerated().flatMap { index, text in
      ["http://127.0.0.1:1/\(index)\(text).jpg card", "./\(index)\(text).png card id=\(index)\(text)"]
    }
    // Some of these lines are errors, some are sources that fail: both have to be shown.
    for line in lines {
      let scene = try Scene(line)
      for arguments in [["run"], ["run", "--json"], ["plan"], ["plan", "--rows"], ["plan", "--json"]] {
        let result = try scene.preheat(arguments + ["test.job"], environment: ["PREHEAT_RETRIES": "0"])
        #expect([0, 2, 4, 5].contains(result.status))
        for scalar in (result.output + result.messages).unicodeScalars where scalar != "\n" {
          let category = scalar.properties.generalCategory
          #expect(category != .control && category != .format, "\(line): \(result.output)\(result.messages)")
        }
      }
    }
  }

  @Test func longNamesAndDataURLsAreLikeOthers() throws {
    let server = try FaultServer(files: Scene.images)
    let long = String(repeating: "x", count: 20_000)
    let data = try Data(contentsOf: URL(fileURLWithPath: Scene.logo)).base64EncodedString()
    let scene = try Scene(
      """
      \(server.url("/file/logo.png?\(long)")) card
      data:image/png;base64,\(data) circle
      data:image/png;base64,\(data.prefix(400)) circle
      data:image/png;base64,@@@ circle
      data:,%89PNG circle
      /\(long).png card
      /\(String(repeating: "d/", count: 3000))x.png card
      """)
    let result = try scene.run(["--policy", "reachable"]).expect(3, prints: "2 made", "5 failed")
    #expect(result.output.utf8.count < 8000)
  }

  @Test func pipesDevicesAndFoldersAreNoSources() throws {
    let scene = try Scene("")
    let pipe = scene.folder.file("pipe.jpg").path
    #expect(mkfifo(pipe, 0o644) == 0)
    try scene.folder.link("loop.jpg", to: "loop.jpg")
    let sources = [
      pipe, "/dev/zero", "/dev/null", "/dev/tty", "/tmp", "/proc/self/mem", "./loop.jpg", "./missing.jpg",
      "file:///dev/zero", "/proc/kmsg",
    ]
    try scene.write(sources.map { "\($0) card" }.joined(separator: "\n"))
    let result = try scene.run(["--json"]).expect(4)
    let codes = try result.errorCodes()
    #expect(
      codes.count >= 9
        && codes.allSatisfy { $0.hasPrefix("file.") || $0 == "fetch.empty" || $0 == "image.format" },
      "\(codes)")
  }
}
