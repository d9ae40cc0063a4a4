import Foundation
import TestSupport
import Testing

@testable import Fetching
@testable import Text

@Suite("Trying again", .timeLimit(.minutes(10)))
struct RetryLoadingTests {
  private let server: FaultServer

  init() throws { server = try .shared() }

  private let tally = TransferTally()

  private func loader(_ retries: Int, maxWait: Duration = .seconds(30)) -> HTTPLoader {
    HTTPLoader.test {
      $0.signposts = tally.signposts
      $0.retries = retries
      $0.maxRetryWait = maxWait
    }
  }

  @Test(arguments: [
    "/flaky?fail=2", "/flaky?fail=2&status=500", "/flaky?fail=2&status=429", "/flaky-rst?fail=2",
  ])
  func aFailureThatPassesIsGotOver(target: String) async throws {
    let loader = loader(2)
    let target = target + "&id=\(UUID())"
    let response = try await loader.load(server.url(target))
    #expect(response.body == plainBody(1000))
    #expect(response.retries == 2)
    #expect(tally.counts.retries == 2)
    #expect(tally.counts.transfers == 3)
    #expect(try server.stats().requests[target] == 3)
  }

  @Test func retryAfterHoldsTheWholeHost() async throws {
    let server = try FaultServer()
    let loader = loader(1)
    let first = Task { try await loader.load(server.url("/flaky?fail=1&retry-after=1")) }
    while try server.count("/flaky") == 0 { try await Task.sleep(for: .milliseconds(5)) }
    while tally.counts.retries == 0 { try await Task.sleep(for: .milliseconds(5)) }
    _ = try await loader.load(server.url("/ok"))
    _ = try await first.value
    let times = try server.stats().times
    let refused = try #require(times["/flaky?fail=1&retry-after=1"]?.first)
    // Nobody was sent there in the time that the server asked for.
    for time in times.values.joined() where time > refused { #expect(time - refused >= 0.9) }
  }

  @Test func aHostOutOfReachIsNotTriedForEveryRequest() async throws {
    let closed = try ClosedPort()
    let port = closed.number
    let loader = loader(1)
    let failures = await loader.failures((0..<50).map { "http://127.0.0.1:\(port)/\($0)" })
    #expect(failures.allSatisfy { $0?.code == .connect })
    #expect(tally.counts.transfers < 20)
    #expect(try await loader.load(server.url("/ok")).status == 200)
  }

  @Test(arguments: [429, 503])
  func aThousandSourcesOfABusyHostAllArriveAndNoneInTheWindow(status: Int) async throws {
    let server = try FaultServer()
    let loader = loader(1)
    let urls = (0..<1000).map { server.url("/busy/once?status=\(status)&retry-after=2&size=10&n=\($0)") }
    let failures = await loader.failures(urls)
    #expect(failures.allSatisfy { $0 == nil })
    let times = try server.stats().times.values.joined().sorted()
    #expect(times.count == 1001)
    // What was under way when the server spoke may have come just behind; then nothing for two seconds.
    let gap = zip(times, times.dropFirst()).map { $1 - $0 }.max() ?? 0
    let before = times.filter { $0 - times[0] < 1 }.count
    #expect(gap >= 1.8)
    #expect(before <= 12)
  }

  @Test(arguments: [
    ("1", 1), ("now%202", 0.9), ("now%20-3600", 0), ("100000", 1.2), ("now%20100000", 1.2), ("soon", 0),
    ("-5", 0),
  ])
  func aServersWishIsHeldWithinTheLimit(retryAfter: String, least: Double) async throws {
    let target = "/flaky?fail=1&status=429&retry-after=\(retryAfter)&id=\(UUID())"
    let response = try await loader(1, maxWait: .milliseconds(1200)).load(server.url(target))
    #expect(response.retries == 1)
    let times = try #require(server.stats().times[target])
    #expect(times[1] - times[0] >= 0.9 * least)
    // 1.2 s, and what a busy machine needs.
    #expect(times[1] - times[0] < 5)
  }

  @Test func aHostIsLeftAloneAlsoWhenNoRetryIsLeft() async throws {
    let server = try FaultServer()
    let loader = loader(0)
    #expect(await loader.failure(server.url("/status/503?retry-after=1"))?.status == 503)
    _ = try await loader.load(server.url("/ok"))
    let times = try server.stats().times
    let refused = try #require(times["/status/503?retry-after=1"]?.first)
    #expect(try #require(times["/ok"]?.first) - refused >= 0.9)
  }

  @Test func everyTryIsToldOf() async throws {
    let target = server.url("/status/502?id=\(UUID())")
    let failure = try #require(await loader(3).failure(target))
    #expect(failure.message.hasSuffix("(after 3 retries, for: 502, 502, 502)"))
    let reset = try #require(await loader(1).failure(server.url("/rst")))
    #expect(reset.message.hasSuffix("(after 1 retry, for: network)"))
  }

  @Test func noRetryBeginsBehindTheTimeForAll() async throws {
    let loader = HTTPLoader.test {
      $0.retries = 100
      $0.retryDelay = .milliseconds(100)
      $0.maxRetryTime = .milliseconds(350)
    }
    let target = "/status/500?id=\(UUID())"
    #expect(await loader.failure(server.url(target))?.status == 500)
    #expect((2...4).contains(try server.stats().requests[target] ?? 0))
  }

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
    #expect(outcome.fields.retryAfterSeconds(now: Self.now) == seconds)
  }

  @Test func aDateIsHeldAgainstTheClockOfTheServer() {
    var outcome = TransferOutcome(result: .complete, status: 503)
    outcome.fields = [HTTPHeader(name: "Retry-After", value: "Wed, 01 Jan 2025 00:00:30 GMT")]
    #expect(outcome.fields.retryAfterSeconds(now: Self.now) == 30)
    outcome.fields.append(HTTPHeader(name: "Date", value: "Wed, 01 Jan 2025 00:00:20 GMT"))
    #expect(outcome.fields.retryAfterSeconds(now: Self.now) == 10)
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

  /// A path; how often it is asked, with one retry; and the exit code of a run.
  static let statuses: [(String, Int, Int)] = {
    var rows = [("204", 1, 4), ("empty", 1, 4), ("status/206", 1, 4), ("partial?total=100", 1, 0)]
    rows += [("redirect-to-file", 1, 4), ("redirect-nowhere", 1, 4), ("bad-gzip", 1, 4)]
    for status in [200, 201, 203, 226, 299] { rows.append(("status/\(status)", 1, 0)) }
    let passing = [202, 304, 408, 421, 425, 429, 500, 502, 503, 504, 507, 509, 527, 529, 530, 598, 599]
    for status in passing + Array(520...524) {
      rows += [("status/\(status)", 2, 5), ("busy/\(status)?status=\(status)", 2, 0)]
    }
    for status in [300, 305, 400, 401, 403, 404, 406, 410, 412, 416, 426, 451, 501, 505, 525, 526, 999] {
      rows.append(("status/\(status)", 1, 4))
      if status >= 400 { rows.append(("status/\(status)?retry-after=0", 2, 5)) }
    }
    for refusal in ["400", "412", "501", "close"] { rows.append(("no-condition/\(refusal)", 2, 0)) }
    return rows
  }()

  @Test(arguments: statuses)
  func aStatusIsAskedAgainWhereThatHelps(path: String, count: Int, exitCode: Int) async throws {
    // Of a path of its own.
    let target = "/\(path)\(path.contains("?") ? "&" : "?")id=\(UUID())"
      .replacingOccurrences(of: "busy/", with: "busy/\(UUID())")
    let loader = HTTPLoader.test { ($0.retries, $0.isAwaited) = (1, { $0.count > 7 }) }
    let isConditional = path.hasPrefix("no-condition")
    let failure = await loader.failure(
      HTTPRequest(server.url(target), isConditional ? ["If-None-Match": "\"1\""] : [:]))
    #expect(try server.stats().requests[target] == count)
    #expect(failure.map { $0.isRetryable ? 5 : 4 } ?? 0 == exitCode)
    if path.hasPrefix("status/"), let failure {
      #expect(failure.message.contains("answered \(failure.status ?? 0)") || failure.status == 206)
    }
  }

  /// While the picture is being made.
  @Test func acceptedIsAskedAgainWhenTheServerSays() async throws {
    let target = "/status/202?retry-after=1&id=\(UUID())"
    let loader = HTTPLoader.test { ($0.retries, $0.isAwaited) = (1, { $0.count > 7 }) }
    #expect(await loader.failure(server.url(target))?.status == 202)
    let times = try #require(server.stats().times[target])
    #expect(times.count == 2 && times[1] - times[0] > 0.9)
  }

  /// The connections that are too many cost no try.
  @Test(arguments: [nil, 16])
  func aHostThatTakesTwoConnectionsGivesAllPictures(mostPerHost: Int?) async throws {
    let server = try FaultServer(mostConnections: 2)
    let loader = HTTPLoader.test { $0.mostPerHost = mostPerHost }
    let failures = await loader.failures((0..<40).map { server.url("/ok?delay=0.02&n=\($0)") })
    #expect(failures.allSatisfy { $0 == nil })
    #expect(try server.stats().connections < 100)
  }

  @Test func aPauseFillsABucketToItsBurstAndNoFurther() {
    var bucket = TokenBucket(perSecond: 1, burst: 2)
    for _ in 0..<2 { bucket.take(at: .zero) }
    #expect(bucket.ready(at: .zero) == .seconds(1))
    for _ in 0..<2 {
      #expect(bucket.ready(at: .seconds(1000)) == .seconds(1000))
      bucket.take(at: .seconds(1000))
    }
    #expect(bucket.ready(at: .seconds(1000)) == .seconds(1001))
  }

  @Test(arguments: [0, -1, 1e-300, .infinity, 1e300], [0, -5, Int.max])
  func noNumberMakesABucketFail(rate: Double, burst: Int) {
    var bucket = TokenBucket(perSecond: rate, burst: burst)
    #expect(bucket.ready(at: .zero) == .zero)
    bucket.take(at: .zero)
    #expect(bucket.ready(at: .seconds(1)) >= .seconds(1))
  }

  @Test func theFirstLimitThatNamesAHostHolds() throws {
    var configuration = HTTPConfiguration()
    configuration.rateLimits = [
      HTTPRateLimit(requestsPerSecond: 9), HTTPRateLimit(host: "*.cdn.example", requestsPerSecond: 1),
      HTTPRateLimit(host: "img.cdn.example", requestsPerSecond: 2),
      HTTPRateLimit(host: "a.example:81", requestsPerSecond: 3),
    ]
    let rules = HostRules(configuration)
    #expect(rules.rate(of: try HTTPURL("http://img.cdn.example/"))?.requestsPerSecond == 1)
    #expect(rules.rate(of: try HTTPURL("http://a.example:81/"))?.requestsPerSecond == 3)
    #expect(rules.rate(of: try HTTPURL("http://a.example/"))?.requestsPerSecond == 9)
    #expect(HostRules(HTTPConfiguration()).rate(of: try HTTPURL("http://a.example/")) == nil)
  }

  @Test func theSchedulerWaitsForAToken() {
    var scheduler = TransferScheduler(maxConcurrent: 9, maxConcurrentPerHost: 9)
    let rate = HTTPRateLimit(requestsPerSecond: 4, burst: 2)
    for id in 1...4 { scheduler.enqueue(UInt64(id), host: "a", priority: .normal, rate: rate) }
    scheduler.enqueue(5, host: "b", priority: .veryLow)
    #expect(scheduler.next(at: .zero) == .start(1))
    #expect(scheduler.next(at: .zero) == .start(2))
    #expect(scheduler.next(at: .zero) == .start(5))
    #expect(scheduler.next(at: .zero) == .wait(until: .milliseconds(250)))
    for id in [1, 2, 5] { scheduler.finish(UInt64(id), health: .reached) }
    #expect(scheduler.next(at: .milliseconds(100)) == .wait(until: .milliseconds(250)))
    #expect(scheduler.next(at: .milliseconds(250)) == .start(3))
    #expect(scheduler.next(at: .milliseconds(250)) == .wait(until: .milliseconds(500)))
  }

  @Test func aServerSeesNoMoreThanItsRate() async throws {
    let server = try FaultServer()
    let loader = HTTPLoader.test {
      $0.rateLimits = [HTTPRateLimit(host: "127.0.0.1", requestsPerSecond: 20, burst: 5)]
    }
    let failures = await loader.failures((0..<15).map { server.url("/ok?\($0)") })
    #expect(failures.allSatisfy { $0 == nil })
    let times = try server.stats().times.values.joined().sorted()
    #expect(times.count == 15)
    // The burst at once, the others a twentieth of a second apart; the server may be late, never early.
    #expect(times[14] - times[0] >= 0.45)
  }
}
