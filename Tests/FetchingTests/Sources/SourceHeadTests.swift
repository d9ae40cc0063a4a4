import Digests
import Foundation
import TestSupport
import Testing

@testable import Fetching

/// The first bytes of a file, and what may be put behind them (RFC 9110, sections 13.1.5, 14 and 15.3.7).
@Suite(.timeLimit(.minutes(10)))
struct SourceHeadTests {
  private static let file = (0..<1000).map { UInt8($0 % 251) }
  private static let other = file.map { 255 - $0 }
  private static let tag = HTTPHeader(name: "ETag", value: "\"1\"")

  /// An answer with bytes of the file; `fields` come before those that it has anyway.
  private static func part(
    _ range: Range<Int>, of bytes: [UInt8] = file, total: String = "1000",
    fields: [HTTPHeader] = [tag], change: (inout HTTPResponse) -> Void = { _ in }
  ) -> HTTPResponse {
    let place = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(total)"
    var response = HTTPResponse(
      status: 206, body: Array(bytes[range]),
      fields: fields + [HTTPHeader(name: "Content-Range", value: place)])
    change(&response)
    return response
  }

  private func head(_ response: HTTPResponse) async throws -> SourceBody? {
    try await SourceBody.head(HTTPRequest(url: "https://e.com/1.jpg"), bytes: 400) { request in
      #expect(request.headers.value("Range") == "bytes=0-399")
      return response
    }
  }

  /// What becomes of a good head and an answer to the request for the rest.
  private func whole(
    _ head: HTTPResponse = part(0..<400), limit: Int? = nil,
    rest: () throws(HTTPFailure) -> HTTPResponse
  ) async throws -> SourceBody? {
    let head = try #require(try await self.head(head))
    let request = HTTPRequest(url: "https://e.com/1.jpg", maxBodyBytes: limit)
    return await head.whole(request) { (request) async throws(HTTPFailure) in
      #expect(request.headers.value("Range") == "bytes=400-")
      #expect(request.headers.value("If-Range") != nil)
      return try rest()
    }
  }

  @Test func theRestIsPutBehindTheHead() async throws {
    let body = try #require(try await whole { Self.part(400..<1000) })
    #expect(body.bytes == Self.file && body.isWhole)
    #expect(body.digest == hexadecimal(SHA256.hash(Self.file)))
    #expect(body.etag == "\"1\"" && !body.isFromHTTPCache)
  }

  @Test func anOldDateIsAsGoodAsATag() async throws {
    let fields = [
      HTTPHeader(name: "Last-Modified", value: "Sun, 06 Nov 1994 08:49:37 GMT"),
      HTTPHeader(name: "Date", value: "Mon, 07 Nov 1994 08:49:37 GMT"),
    ]
    let body = try await whole(Self.part(0..<400, fields: fields)) { Self.part(400..<1000, fields: fields) }
    #expect(body?.bytes == Self.file)
  }

  @Test func aServerThatSendsTheWholeIsTakenAtItsWord() async throws {
    let body = try await whole {
      HTTPResponse(body: Self.other, fields: [HTTPHeader(name: "ETag", value: "\"2\"")])
    }
    #expect(body?.bytes == Self.other && body?.etag == "\"2\"")
  }

  private static let multipart = HTTPHeader(name: "Content-Type", value: "multipart/byteranges; boundary=x")

  private static func placed(_ place: String, _ range: Range<Int> = 400..<1000) -> HTTPResponse {
    part(range) { $0.fields = [tag, HTTPHeader(name: "Content-Range", value: place)] }
  }

  /// A date that is as good as a tag.
  private static func dates(_ day: String) -> [HTTPHeader] {
    [
      HTTPHeader(name: "Last-Modified", value: "Sun, \(day) Nov 1994 08:49:37 GMT"),
      HTTPHeader(name: "Date", value: "Mon, 14 Nov 1994 08:49:37 GMT"),
    ]
  }

  /// Answers that nothing may be joined from.
  static let lies: [(name: String, answer: HTTPResponse)] = [
    ("changed tag", part(400..<1000, of: other, fields: [HTTPHeader(name: "ETag", value: "\"2\"")])),
    ("tag turned weak", part(400..<1000, fields: [HTTPHeader(name: "ETag", value: "W/\"1\"")])),
    ("no tag", part(400..<1000, fields: [])),
    ("other first byte", part(399..<1000)),
    ("other total", part(400..<1000, total: "1007")),
    ("total unlike the head's", part(400..<900, total: "900")),
    ("missing Content-Range", part(400..<1000) { $0.fields = [tag] }),
    ("short body", part(400..<1000) { $0.body.removeLast() }),
    ("long body", part(400..<1000) { $0.body.append(0) }),
    ("a part of the rest", part(400..<900)),
    ("redirect", part(400..<1000) { $0.redirects = 1 }),
    ("coded", part(400..<1000, fields: [tag, HTTPHeader(name: "Content-Encoding", value: "gzip")])),
    ("several parts", part(400..<1000, fields: [tag, multipart])),
    (
      "one of several parts alone",
      part(400..<1000, fields: [tag, multipart]) { $0.fields = [tag, multipart] }
    ),
    ("other unit", placed("pixels 400-999/1000")), ("no unit", placed("400-999/1000")),
    ("overlapping", part(300..<1000)), ("shifted by one", part(401..<1000)),
    ("other bytes under the right range", placed("bytes 400-999/1000", 300..<1000)),
    ("unknown range", placed("bytes */1000")), ("backwards", placed("bytes 999-400/1000")),
    ("past the total", placed("bytes 400-999/999")),
    ("total of another range", placed("bytes 400-999/10000")),
    ("endless", placed("bytes 400-9223372036854775807/*")),
    ("beyond all numbers", placed("bytes 400-99999999999999999999/*")),
    ("negative", placed("bytes -400-999/1000")), ("total unknown and too short", part(400..<999, total: "*")),
    ("same length, other tag", part(400..<1000, fields: [HTTPHeader(name: "ETag", value: "\"1 \"")])),
    ("tag in other letters", part(400..<1000, fields: [HTTPHeader(name: "ETag", value: "1")])),
    ("a date in place of the tag", part(400..<1000, fields: dates("06"))),
    ("coded by br", part(400..<1000, fields: [tag, HTTPHeader(name: "Content-Encoding", value: "br")])),
    (
      "coded twice",
      part(400..<1000, fields: [tag, HTTPHeader(name: "Content-Encoding", value: "identity, gzip")])
    ),
    ("nothing", part(400..<1000) { $0.body = [] }),
    ("length that was not announced", part(400..<1000) { $0.isLengthUnverified = true }),
  ]

  @Test(arguments: lies.indices)
  func whatIsNotCertainlyTheRestIsFetchedAsAWhole(index: Int) async throws {
    let (name, answer) = Self.lies[index]
    #expect(try await whole { answer } == nil, "\(name)")
  }

  @Test func aDateThatMovedIsAnotherVersion() async throws {
    let head = Self.part(0..<400, fields: Self.dates("06"))
    #expect(try await whole(head) { Self.part(400..<1000, fields: Self.dates("06")) } != nil)
    #expect(try await whole(head) { Self.part(400..<1000, fields: Self.dates("13")) } == nil)
    #expect(try await whole(head) { Self.part(400..<1000, fields: [Self.tag]) } == nil)
  }

  @Test(arguments: ["bytes 400-999/*", "bytes 400-999/1000", "Bytes 400 - 999 / 1000"])
  func theSameRangeInOtherWordsIsJoined(place: String) async throws {
    #expect(try await whole { Self.placed(place) }?.bytes == Self.file)
  }

  @Test func identityIsNoCoding() async throws {
    let fields = [Self.tag, HTTPHeader(name: "Content-Encoding", value: "identity")]
    #expect(try await whole { Self.part(400..<1000, fields: fields) }?.bytes == Self.file)
  }

  @Test(arguments: [416, 500])
  func aFailureOfTheRestIsNoFailureOfTheSource(status: Int) async throws {
    let body = try await whole { () throws(HTTPFailure) in throw HTTPFailure(.status, "", status: status) }
    #expect(body == nil)
  }

  /// Heads that are good enough to draw from, but whose rest cannot be asked for.
  static let lonelyHeads: [HTTPResponse] = [
    part(0..<400, fields: []), part(0..<400, fields: [HTTPHeader(name: "ETag", value: "W/\"1\"")]),
    part(0..<400, fields: [HTTPHeader(name: "Last-Modified", value: "Sun, 06 Nov 1994 08:49:37 GMT")]),
    part(0..<400) { $0.redirects = 1 }, part(0..<400) { $0.isLengthUnverified = true },
  ]

  @Test(arguments: lonelyHeads.indices)
  func theRestOfAHeadIsAskedForOnlyWithAStrongValidatorOfItsOwn(index: Int) async throws {
    let head = try #require(try await head(Self.lonelyHeads[index]))
    #expect(!head.isWhole && head.bytes.count == 400 && head.rest == nil)
    let body = await head.whole(HTTPRequest(url: "https://e.com/1.jpg")) { _ in
      Issue.record("nothing is asked")
      return Self.part(400..<1000)
    }
    #expect(body == nil)
  }

  /// Answers that are no beginning of the file.
  static let noHeads: [HTTPResponse] = [
    part(1..<400), part(0..<400) { $0.fields = [tag] }, part(0..<400) { $0.body.removeLast() },
    part(0..<400, fields: [tag, HTTPHeader(name: "Content-Encoding", value: "gzip")]),
    part(0..<400, fields: [tag, multipart]), placed("bytes 0-9223372036854775807/*", 0..<400),
    placed("bytes 0-400/1000", 0..<400), placed("pixels 0-399/1000", 0..<400),
    placed("bytes */1000", 0..<400),
  ]

  @Test(arguments: noHeads.indices)
  func whatIsNotTheBeginningIsNotDrawnFrom(index: Int) async throws {
    #expect(try await head(Self.noHeads[index]) == nil)
  }

  @Test func aShortFileIsWholeAtOnce() async throws {
    let head = try #require(try await head(Self.part(0..<300, total: "300")))
    #expect(head.isWhole && head.etag == "\"1\"")
    let body = await head.whole(HTTPRequest(url: "https://e.com/1.jpg")) { _ in
      Issue.record("nothing is asked")
      return Self.part(0..<1)
    }
    #expect(body?.bytes.count == 300)
  }

  @Test func aServerWithoutRangesIsNotAskedTwice() async throws {
    let head = try #require(try await head(HTTPResponse(body: Self.file)))
    #expect(head.isWhole && head.bytes == Self.file)
  }

  /// What refuses `Range` is asked once without it, and not tried again before.
  @Test(arguments: ["400", "403", "416", "500", "503", "close"])
  func aRefusedRangeLeadsToTheWhole(how: String) async throws {
    let server = try FaultServer.shared()
    let loader = HTTPLoader.test { $0.retries = 2 }
    let request = HTTPRequest(url: server.url("/no-range/\(how)"))
    let fetch: HTTPCache.Fetch = { (request) async throws(HTTPFailure) in try await loader.load(request) }
    #expect(try await SourceBody.head(request, bytes: 400, fetch: fetch) == nil)
    #expect(try server.count("/no-range/\(how)") == 1)
    #expect(try await loader.load(request).body.count == 1000)
    for status in [404, 429] {
      let gone = HTTPRequest(url: server.url("/status/\(status)"))
      await #expect(throws: HTTPFailure.self) { try await SourceBody.head(gone, bytes: 400, fetch: fetch) }
    }
    // The rest of a file that broke off, too.
    let resumed = ResumedDownload(bytes: plainBody(10), validator: "\"1\"", total: 1000)
    #expect(try await resumed.load(request, fetch: fetch) == nil)
  }

  @Test func aFileThatIsTooLargeIsNotPutTogether() async throws {
    #expect(try await whole(limit: 1000) { Self.part(400..<1000) } != nil)
    let body = try await whole(limit: 999) {
      Issue.record("its length is known")
      return Self.part(400..<1000)
    }
    #expect(body == nil)
    let star = Self.part(0..<400, total: "*")
    #expect(try await whole(star, limit: 999) { Self.part(400..<1000) } == nil)
  }
}
