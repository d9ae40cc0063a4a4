import Testing

@testable import Fetching
@testable import Text

@Suite("Retry rules", .timeLimit(.minutes(10)))
struct RetryTests {
  /// 2025-01-01 00:00:00 UTC.
  private static let now: Int64 = 1_735_689_600

  @Test(arguments: [
    ("0", 0), ("1", 1), (" 120\t", 120), ("100000", 100_000), ("99999999999999999999", Int64.max),
    ("Wed, 01 Jan 2025 00:00:07 GMT", 7), ("Wednesday, 01-Jan-25 00:01:00 GMT", 60),
    ("Wed Jan  1 00:00:09 2025", 9), ("Tue, 31 Dec 2024 23:00:00 GMT", 0),
    ("", nil), ("-1", nil), ("1.5", nil), ("soon", nil), ("Monday", nil), ("20250102", 20_250_102),
    ("1 2", nil), ("٣", nil), ("12:61:99", nil), ("0x10", nil),
  ])
  func retryAfterIsSecondsOrADate(text: String, seconds: Int64?) {
    var outcome = TransferOutcome(result: .complete, status: 503)
    outcome.fields = [HTTPHeader(name: "Retry-After", value: text)]
    #expect(outcome.retryAfterSeconds(now: Self.now) == seconds)
  }

  @Test func aDateIsHeldAgainstTheClockOfTheServer() {
    var outcome = TransferOutcome(result: .complete, status: 503)
    outcome.fields = [HTTPHeader(name: "Retry-After", value: "Wed, 01 Jan 2025 00:00:30 GMT")]
    #expect(outcome.retryAfterSeconds(now: Self.now) == 30)
    outcome.fields.append(HTTPHeader(name: "Date", value: "Wed, 01 Jan 2025 00:00:20 GMT"))
    #expect(outcome.retryAfterSeconds(now: Self.now) == 10)
  }

  @Test func waitsDoubleWithinTheirLimits() {
    var configuration = HTTPConfiguration()
    configuration.retries = 20
    configuration.retryDelay = .seconds(1)
    configuration.maxRetryWait = .seconds(30)
    func wait(_ attempt: Int, _ retryAfter: Int64? = nil, jitter: Double = 0.5) -> Duration? {
      configuration.with { $0.jitter = { jitter } }.wait(attempt: attempt, retryAfter: retryAfter)
    }
    #expect((0..<7).map { wait($0) } == [1, 2, 4, 8, 16, 30, 30].map { .seconds($0) })
    #expect(wait(0, jitter: 0) == .seconds(0.75))
    #expect(wait(0, jitter: 1) == .seconds(1.25))
    #expect(wait(19) == .seconds(30))
    #expect(wait(20) == nil)
    #expect(wait(0, 7) == .seconds(7))
    #expect(wait(0, 100_000) == .seconds(30))
    #expect(wait(0, .max) == .seconds(30))
    #expect(wait(1, 0) == .seconds(2))
    #expect(wait(20, 7) == nil)
  }

  @Test(arguments: [
    (408, true), (425, true), (429, true), (500, true), (502, true), (503, true), (504, true),
    (300, false), (304, false), (400, false), (401, false), (403, false), (404, false), (410, false),
    (416, false), (501, false), (505, false), (999, false),
  ])
  func onlyStatusesThatMayPassAreTriedAgain(status: Int, isRetryable: Bool) {
    let failure = HTTPFailure(status: status, place: RedactedURL("http://h/"), wording: .settings)
    #expect(failure.isRetryable == isRetryable)
    #expect(failure.status == status)
    #expect(failure.message.contains("\(status)"))
  }
}
