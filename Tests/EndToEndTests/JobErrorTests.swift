import Foundation
import TestSupport
import Testing

/// A slip in every kind of line: each is named with its place and what was expected, and nothing starts.
@Suite(.timeLimit(.minutes(10)))
struct JobErrorTests {
  struct Slip {
    var line: String
    /// Where the caret points.
    var column: Int
    /// What the message or its help has to hold.
    var expectation: String

    init(_ line: String, _ column: Int, _ expectation: String) {
      (self.line, self.column, self.expectation) = (line, column, expectation)
    }
  }

  /// Each stands as line 5 of a job that is right but for it.
  static let slips = [
    Slip("clinet nuke 12", 1, "client"),
    Slip("cahce out", 1, "cache"),
    Slip("policy automatc", 8, "automatic"),
    Slip("policy", 1, "needs a value"),
    Slip("scale 0", 7, "above 0"),
    Slip("scale two", 7, "number"),
    Slip("encode tiff", 8, "jpeg"),
    Slip("encode jpeg(quality: 101)", 22, "1 to 100"),
    Slip("strip-query ?token", 13, "query"),
    Slip("size-limit many", 12, "many"),
    Slip("chain a resize(width: 3)", 9, "'='"),
    Slip("chain a = resise(width: 3)", 11, "resize"),
    Slip("chain a = resize(widht: 3)", 18, "width"),
    Slip("chain a = resize(width: 3", 17, "not closed"),
    Slip("chain card = circle", 7, "given twice"),
    Slip("default crad", 9, "card"),
    Slip("header e.com Accept", 14, "':'"),
    Slip("header e.com A: ${PREHEAT_TEST_MISSING}", 17, "PREHEAT_TEST_MISSING"),
    Slip("allow-private http://h", 15, "host"),
    Slip("include nowhere.txt card", 9, "no such file"),
    Slip("style builder", 1, "kingfisher"),
    Slip("htps://e.com/1.jpg card", 1, "https"),
    Slip("ftp://e.com/1.jpg card", 1, "http"),
    Slip("https:///1.jpg card", 1, "host"),
    Slip("e.com/1.jpg card", 1, "https://"),
    Slip("\"https://e.com/1.jpg card", 1, "not closed"),
    Slip("https://e.com/1.jpg crad", 21, "card"),
    Slip("https://e.com/1.jpg card circel", 26, "circle"),
    Slip("https://e.com/1.jpg circle |", 28, "'|'"),
    Slip("https://e.com/1.jpg resize(size: 44)", 34, "44x44"),
    Slip("https://e.com/1.jpg resize(width: -1 px)", 38, "',' or ')'"),
    Slip("https://e.com/1.jpg circle(border: (color: systemRed))", 44, "#"),
    Slip("https://e.com/1.jpg gaussianBlur(radius: 1.5)", 42, "whole number"),
    Slip("https://e.com/1.jpg custom(x)", 28, "\""),
    Slip("https://e.com/1.jpg card priority=urgent", 35, "veryHigh"),
    Slip("https://e.com/1.jpg card sha256=123", 33, "64"),
    Slip("https://e.com/1.jpg card id=", 29, "id="),
    Slip("https://e.com/1.jpg card relaod", 26, "reload"),
    Slip("./missing\u{0}.png card", 10, "NUL"),
  ]

  @Test func everySlipIsNamedWithItsPlaceAndNothingStarts() async throws {
    try await OwnThread {
      let server = try FaultServer()
      for slip in Self.slips {
        let scene = try Scene(slip.line + "\n\(server.url("/ok")) card")
        let result = try scene.run()
        let shown = "\(slip.line): \(result.messages)"
        #expect(result.status == 2, "\(shown)")
        #expect(result.messages.hasPrefix("test.job:5:\(slip.column): error: "), "\(shown)")
        #expect(result.messages.contains(slip.expectation), "\(shown)")
        #expect(result.messages.hasSuffix("\n") && result.output.isEmpty, "\(shown)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: scene.folder.path) == ["test.job"])
      }
      #expect(try server.stats().requests.isEmpty)
    }.value
  }

  @Test func programsGetTheSameFindingsAsObjects() async throws {
    try await OwnThread {
      for slip in Self.slips {
        let objects = try Scene(slip.line + "\n/1.jpg card").run(["--json"]).objects()
        let first = try #require(objects.first { $0["severity"] as? String == "error" }, "\(slip.line)")
        #expect(first["type"] as? String == "diagnostic" && first["file"] as? String == "test.job")
        #expect(first["line"] as? Int == 5 && first["column"] as? Int == slip.column, "\(first)")
        let text = "\(first["message"] ?? "") \(first["help"] ?? "")"
        #expect(text.contains(slip.expectation), "\(text)")
      }
    }.value
  }

  @Test func ofSixtyErrorsOfAKindThreeAreShownAndAllAreCounted() async throws {
    try await OwnThread {
      let scene = try Scene((0..<60).map { "https://e.com/\($0).jpg crad" }.joined(separator: "\n"))
      let text = try scene.run()
      #expect(text.status == 2)
      #expect(text.messages.components(separatedBy: ": error: ").count - 1 == 3)
      #expect(text.messages.contains("and 57 more of this kind, 60 in all"))
      #expect(try scene.run(["--json"]).objects().count { $0["severity"] as? String == "error" } == 60)
    }.value
  }

  @Test func oneWrongJobOfTwoStartsNeither() async throws {
    try await OwnThread {
      let scene = try Scene.ordinary()
      try scene.write("crad", to: "wrong.job")
      #expect(try scene.run(["wrong.job"]).status == 2)
      #expect(!FileManager.default.fileExists(atPath: scene.folder.file("cache").path))
    }.value
  }
}
