import Foundation
import Testing

@testable import PreheatCommand

/// Most rows of a plan are written from a row before them: they read as if each were the only one of its job.
@Suite(.timeLimit(.minutes(10))) struct PlanRowTests {
  let scene: CommandScene

  init() throws { scene = try CommandScene() }

  /// What a URL may have that a row shows in another way, or that changes the key.
  private static func lines(_ number: Int) -> [String] {
    let long = String(repeating: "x", count: 420 + number)
    return [
      "https://e.com/a/\(number).jpg", "https://e.com/b\(number).png?w=300&v=\(number)",
      "https://me:S3CRET\(number)@e.com/\(number).jpg", "https://e.com/c.jpg?token=S3CRET\(number)",
      "https://e.com/d\(number).jpg?\(number)#part", "https://e.com/\(long).jpg",
      "https://e.com/e\(number).gif",
      "https://e.com/f%20\(number)/%3Ftoken%3Dabc.webp", "https://e.com/g\(number)/",
      "https://e.com/ü\(number).jpg",
      "https://e.com/h\(number).jpg id=own\(number)",
      "https://e.com/i.jpg?sig=\(number) id=https://e.com/i\(number)",
      "https://e.com/##vso[\(number).jpg", "https://e.com/k\(number).jpg original",
      "https://e.com/l\(number).jpeg?a=b\(number)*c",
    ]
  }

  private static let settings = [
    ("nuke 12", ["policy reachable", "default circle resize(width: 32)|circle"]),
    ("nuke 13", ["policy storeAll", "default thumbnail(maxPixelSize: 9)|circle original"]),
    ("nuke 10", ["strip-query v", "scale 2 3", "default resize(width: 40) custom(\"x?token=1\")"]),
    ("kingfisher 8", ["default resizing(referenceSize: 32x32) original blur(blurRadius: 3)"]),
    ("sdwebimage 5", ["default resize(size: 32x32, scaleMode: fill) original"]),
  ]

  @Test(arguments: settings, [[], ["--json"], ["--show-secrets"]])
  func rowsReadAsIfEachWereTheOnlyOne(_ setting: (client: String, head: [String]), _ flags: [String])
    async throws
  {
    let head = setting.head + ["skip-invalid on"]
    let lines = (1...4).flatMap(Self.lines)
    let whole = try await rows(setting.client, head + lines, flags)
    var alone: [String] = []
    for index in lines.indices {
      // At its own number.
      let blank = Array(repeating: "", count: index)
      alone += try await rows(setting.client, head + blank + [lines[index]], flags)
    }
    #expect(whole.count >= lines.count)
    for (row, expected) in zip(whole, alone) { #expect(row == expected) }
    #expect(whole.count == alone.count)
  }

  /// Without what is said of all of them together.
  private func rows(_ client: String, _ lines: [String], _ flags: [String]) async throws -> [String] {
    let job = try scene.job("rows.job", client: client, lines: lines)
    let outcome = try await Outcome(of: ["plan", "--rows", job] + flags)
    #expect(outcome.code == 0, "\(outcome.messages)")
    if flags == ["--json"] { return outcome.lines.filter { $0.contains("\"type\":\"rendition\"") } }
    return Array(
      outcome.lines.prefix { !$0.contains(" for \(client.prefix { $0 != " " }) ") || $0.contains("https:") })
  }
}
