import Testing

@testable import Fetching

/// RFC 9111, section 4.2.
@Suite(.timeLimit(.minutes(10)))
struct FreshnessTests {
  /// Sun, 06 Nov 1994 08:49:37 GMT, the RFC's own date.
  private static let date: Int64 = 784_111_777
  private static let dateText = "Sun, 06 Nov 1994 08:49:37 GMT"

  private func stored(_ fields: [(String, String)], delay: Int64 = 0) -> StoredResponse {
    let response = HTTPResponse(
      body: [1], fields: fields.map { HTTPHeader(name: $0.0, value: $0.1) })
    return StoredResponse(
      response, to: HTTPRequest(url: "http://h/"), requestTime: Self.date - delay, responseTime: Self.date)
  }

  @Test(
    arguments: [
      ("max-age=60", nil, nil, 60), ("MAX-AGE=\"60\"", nil, nil, 60), ("max-age=60, max-age=5", nil, nil, 60),
      ("public, max-age=0", nil, nil, 0), ("max-age=many", nil, nil, 0), ("max-age", nil, nil, 0),
      ("s-maxage=9, max-age=60", nil, nil, 60), ("x=\"max-age=9,\", max-age=60", nil, nil, 60),
      ("max-age=60", "Thu, 01 Dec 1994 16:00:00 GMT", nil, 60),
      (nil, "Sun, 06 Nov 1994 08:50:37 GMT", nil, 60), (nil, "Sun, 06 Nov 1994 08:48:37 GMT", nil, 0),
      (nil, "0", nil, 0), (nil, "-1", "Sat, 05 Nov 1994 08:49:37 GMT", 0),
      (nil, nil, "Sun, 06 Nov 1994 08:32:57 GMT", 100), (nil, nil, "Tue, 06 Nov 1984 08:49:37 GMT", 43_200),
      (nil, nil, "Fri, 04 Nov 1994 08:49:37 GMT", 17_280),
      (nil, nil, "Tue, 01 Nov 1994 08:49:37 GMT", 43_200),
      (nil, nil, nil, 0), ("max-age=99999999999999999999", nil, nil, 2_147_483_647),
    ] as [(String?, String?, String?, Int64)])
  func lifetimesFollowMaxAgeThenExpiresThenTheLastChange(
    control: String?, expires: String?, modified: String?, lifetime: Int64
  ) {
    let fields = [
      ("Date", Self.dateText), ("Cache-Control", control), ("Expires", expires), ("Last-Modified", modified),
    ]
    let response = stored(fields.compactMap { name, value in value.map { (name, $0) } })
    #expect(response.lifetime() == lifetime)
    #expect(response.isFresh(at: Self.date) == (lifetime > 0))
    #expect(response.freshUntil == Self.date + lifetime)
    #expect(!response.isFresh(at: Self.date + lifetime))
  }

  @Test(
    arguments: [
      ([("Date", dateText)], 0, 5, 5), ([("Date", dateText), ("Age", "30")], 0, 5, 35),
      ([("Date", dateText), ("Age", "30")], 4, 5, 39),
      ([("Date", "Sun, 06 Nov 1994 08:49:27 GMT")], 0, 5, 15),
      ([], 2, 5, 7), ([("Date", "nonsense"), ("Age", "nonsense")], 0, 5, 5), ([("Age", "-5")], 0, 0, 0),
    ] as [([(String, String)], Int64, Int64, Int64)])
  func agesCountWhatOthersKeptAndTheWayTook(
    fields: [(String, String)], delay: Int64, later: Int64, age: Int64
  ) {
    #expect(stored(fields, delay: delay).age(at: Self.date + later) == age)
  }

  @Test func noCacheIsNeverFreshAndAClockThatWentBackProvesNothing() {
    #expect(!stored([("Cache-Control", "max-age=60, no-cache")]).isFresh(at: Self.date))
    #expect(!stored([("Cache-Control", "max-age=60")]).isFresh(at: Self.date - 1))
  }

  @Test(
    arguments: [
      ("bytes 0-9/10", 0, 9, 10), ("Bytes 5-5/*", 5, 5, nil), ("bytes 5-9 / 20", 5, 9, 20),
    ] as [(String, Int, Int, Int?)])
  func contentRangesAreRead(text: String, first: Int, last: Int, total: Int?) throws {
    let range = try #require(ContentRange(text))
    #expect((range.first, range.last) == (first, last))
    #expect(range.total == total)
  }

  @Test(arguments: [
    "", "bytes", "bytes 5-4/10", "bytes 0-10/10", "items 0-1/2", "bytes 0-1", "bytes */10", "bytes -1-2/9",
  ])
  func nonsenseIsNoContentRange(text: String) {
    #expect(ContentRange(text) == nil)
  }
}
