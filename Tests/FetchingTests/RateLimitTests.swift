import TestSupport
import Testing

@testable import Fetching
@testable import Scheduling

@Suite("Rate limits", .timeLimit(.minutes(10)))
struct RateLimitTests {
  @Test func aBucketGivesItsBurstAndThenOneByOne() {
    var bucket = TokenBucket(perSecond: 10, burst: 3)
    var moments: [Duration] = []
    var now: Duration = .zero
    for _ in 0..<6 {
      now = bucket.ready(at: now)
      bucket.take(at: now)
      moments.append(now)
    }
    #expect(moments == [0, 0, 0, 0.1, 0.2, 0.3].map { .seconds($0) })
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
    let loader = HTTPLoader(
      configuration: .test.with {
        $0.rateLimits = [HTTPRateLimit(host: "127.0.0.1", requestsPerSecond: 20, burst: 5)]
      })
    await withTaskGroup(of: HTTPFailure?.self) { group in
      for index in 0..<15 { group.addTask { await loader.failure(server.url("/ok?\(index)")) } }
      for await failure in group { #expect(failure == nil) }
    }
    let times = try server.stats().times.values.joined().sorted()
    #expect(times.count == 15)
    // The burst at once, the others a twentieth of a second apart; the server may be late, never early.
    #expect(times[14] - times[0] >= 0.45)
  }
}
