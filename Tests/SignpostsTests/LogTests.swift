import Foundation
import TestSupport
import Testing

@testable import Signposts
@testable import Text

@Suite(.timeLimit(.minutes(10))) struct LogTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("log").path
  }

  func exporter(showsPrivate: Bool = false) throws -> SignpostLogExporter {
    SignpostLogExporter(file: try SignpostFile(path: path), program: "preheat 1", showsPrivate: showsPrivate)
  }

  func lines() throws -> [String] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  func objects() throws -> [[String: Any]] {
    try lines().map { try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]) }
  }

  @Test func everyKindOfRecordHasItsLine() throws {
    let exporter = try exporter()
    let header = try #require(objects().first)
    let start = try #require(header["monotonic"] as? Int64)
    let span = SignpostSpan(
      id: 7, parent: 3, name: .renderSource, begin: start + 1000, end: start + 3500,
      metadata: [.worker: .integer(1), .succeeded: .flag(true)])
    exporter.write([
      .interval(span, wasBegun: false), .begun(span), .event(span),
      .counter(.queueDepth, value: 4, time: start + 9),
    ])
    exporter.finish(open: [span], at: start + 10_000)
    #expect(header["v"] as? Int == 1 && header["subsystem"] as? String == "preheat")
    #expect(header["pid"] as? Int == Int(getpid()))
    let rest = #""category":"render","parent":3,"worker":1,"succeeded":true}"#
    #expect(
      try lines().dropFirst() == [
        #"{"type":"interval","name":"RenderSource","id":7,"begin":1000,"duration":2500,"# + rest,
        #"{"type":"begin","name":"RenderSource","id":7,"begin":1000,"# + rest,
        #"{"type":"event","name":"RenderSource","id":7,"time":1000,"# + rest,
        #"{"type":"counter","name":"QueueDepth","time":9,"value":4}"#,
        #"{"type":"footer","time":10000,"open":1}"#,
      ])
  }

  @Test func theHeaderAnchorsTheClockInTheCalendar() throws {
    _ = try exporter()
    let text = try #require(objects().first?["wall"] as? String)
    let format = ISO8601DateFormatter()
    format.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
    let date = try #require(format.date(from: text.replacing(/(\.\d{3})\d{6}Z/) { "\($0.1)Z" }))
    #expect(abs(date.timeIntervalSinceNow) < 600)
    #expect(SignpostClock.text(951_826_155_000_000_042) == "2000-02-29T12:09:15.000000042Z")
  }

  static let secrets: [(SignpostValue, String, String)] = [
    (
      .url("https://u:p@e.com/a.jpg?token=1#x"), "https://***@e.com/a.jpg",
      "https://u:p@e.com/a.jpg?token=1#x"
    ),
    (.text("a\u{1b}[2J\u{202e}\"\\\n"), "a\u{1b}[2J\u{202e}\"\\\n", "a\u{1b}[2J\u{202e}\"\\\n"),
  ]

  @Test(arguments: secrets)
  func whatIsPrivateIsWrittenOnlyWhenAskedFor(value: SignpostValue, open: String, full: String) throws {
    for (showsPrivate, text) in [(false, open), (true, full)] {
      let now = SignpostClock.now
      try exporter(showsPrivate: showsPrivate).write([
        .event(SignpostSpan(id: 1, name: .retryLoad, begin: now, end: now, metadata: [.url: value]))
      ])
      #expect(try objects().last?["url"] as? String == text)
    }
  }

  @Test func nothingInALineMovesATerminal() throws {
    try exporter().write([
      .event(
        SignpostSpan(
          id: 1, name: .retryLoad, begin: 0, end: 0,
          metadata: [.file: .text("\u{1b}]0;x\u{7}\u{9b}\r\u{202e}\u{2028}é🙂")]))
    ])
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(!bytes.contains { ($0 < 0x20 && $0 != 0x0a) || $0 == 0x7f })
    let text = try #require(lines().last)
    #expect(text.contains("\\u001b]0;x\\u0007\\u009b\\r\\u202e\\u2028é🙂"))
  }

  static let urls: [(String, String)] = [
    ("https://e.com/a?b", "https://e.com/a"), ("http://E.com:8080#x", "http://E.com:8080"),
    ("https://user@e.com/", "https://****@e.com/"), ("http://u:p@[::1]:80/x", "http://***@[::1]:80/x"),
    ("https://u:p/w@e.com/x", "https://*****@e.com/x"), ("data:image/png;base64,AAAA", "data:..."),
    ("file:///a/b", "file:///a/b"), ("/a/b?c", "/a/b"), ("", ""),
  ]

  @Test(arguments: urls) func aURLIsShownWithoutItsSecrets(url: String, text: String) {
    #expect(RedactedURL(url, limit: 500, escapes: false).description == text)
  }

  @Test func aFullDiskIsToldAndEndsTheWriting() throws {
    let exporter = SignpostLogExporter(file: try SignpostFile(path: "/dev/full"), program: "preheat 1")
    #expect(exporter.failure?.contains("/dev/full cannot be written further") == true)
    #expect(throws: SignpostFile.Failure.self) { try SignpostFile(path: folder.file("no/such/folder").path) }
  }
}
