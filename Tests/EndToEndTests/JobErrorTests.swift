import Foundation
import TestSupport
import Testing

/// Slips in a job are named with their place and what was expected, and nothing starts. `JobFileMistakeTests` has one of
/// every kind; here are those that a reader of another room finds.
@Suite(.ownThreads, .timeLimit(.minutes(10)))
struct JobErrorTests {
  /// Line 5 of a job that is right but for it, where the caret points, and what the message or its help has to hold.
  static let slips: [(line: String, column: Int, words: String)] = [
    ("cahce out", 1, "cache"), ("policy automatc", 8, "automatic"),
    ("encode jpeg(quality: 101)", 22, "1 to 100"),
    ("size-limit many", 12, "many"), ("chain a = resize(widht: 3)", 18, "width"),
    ("chain card = circle", 7, "twice"),
    ("header e.com A: ${PREHEAT_TEST_MISSING}", 17, "PREHEAT_TEST_MISSING"),
    ("style builder", 1, "kingfisher"),
    ("include nowhere.txt card", 9, "no such file"), ("ftp://e.com/1.jpg card", 1, "http"),
    ("\"https://e.com/1.jpg card", 1, "not closed"), ("https://e.com/1.jpg card circel", 26, "circle"),
    ("https://e.com/1.jpg card sha256=123", 33, "64"), ("./missing\u{0}.png card", 10, "NUL"),
  ]

  @Test func everySlipIsNamedWithItsPlaceAndNothingStarts() throws {
    let server = try FaultServer()
    for slip in Self.slips {
      let scene = try Scene(slip.line + "\n\(server.url("/ok")) card")
      let result = try scene.run().expect(2, slip.words)
      #expect(result.messages.hasPrefix("test.job:5:\(slip.column): error: "), "\(result)")
      #expect(result.messages.hasSuffix("\n") && result.output.isEmpty, "\(result)")
      // Programs get the same.
      let objects = try scene.run(["--json"]).objects()
      let first = try #require(objects.first { $0["severity"] as? String == "error" }, "\(slip.line)")
      #expect(first["type"] as? String == "diagnostic" && first["file"] as? String == "test.job")
      #expect(first["line"] as? Int == 5 && first["column"] as? Int == slip.column, "\(first)")
      #expect("\(first["message"] ?? "") \(first["help"] ?? "")".contains(slip.words), "\(first)")
      #expect(try scene.folder.names() == ["test.job"])
    }
    #expect(try server.stats().requests.isEmpty)
  }

  @Test func ofSixtyErrorsOfAKindThreeAreShownAndAllAreCounted() throws {
    let scene = try Scene((0..<60).map { "https://e.com/\($0).jpg crad" }.joined(separator: "\n"))
    let text = try scene.run().expect(2, "and 57 more of this kind, 60 in all")
    #expect(text.messages.components(separatedBy: ": error: ").count - 1 == 3)
    #expect(try scene.run(["--json"]).objects().count { $0["severity"] as? String == "error" } == 60)
  }
}
