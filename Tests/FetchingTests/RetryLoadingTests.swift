import Foundation
import TestSupport
import Testing

@testable import Fetching

@Suite("Trying again", .timeLimit(.minutes(10)))
struct RetryLoadingTests {
  private let server: FaultServer

  init() throws { server = try .shared() }

  private let tally = TransferTally()

  private func loader(_ retries: Int, maxWait: Duration = .seconds(30)) -> HTTPLoader {
    HTTPLoader(
      configuration: .test.with {
        $0.signposts = tally.signposts
        $0.retries = retries
        $0.maxRetryWait = maxWait
      })
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

  @Test func retriesEnd() async throws {
    let target = "/status/503?id=\(UUID())"
    let failure = try #require(await loader(2).failure(server.url(target)))
    #expect(failure.status == 503)
    #expect(failure.message.contains("after 2 retries"))
    #expect(try server.stats().requests[target] == 3)
  }

  @Test(arguments: ["/status/404", "/status/403", "/empty", "/redirect-to-file", "/bad-gzip"])
  func whatWillNotPassIsNotTriedAgain(target: String) async throws {
    let target = "\(target)?id=\(UUID())"
    #expect(await loader(3).failure(server.url(target)) != nil)
    #expect(try server.stats().requests[target] == 1)
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

  @Test func retryAfterIsCapped() async throws {
    let response = try await loader(1, maxWait: .milliseconds(100))
      .load(server.url("/flaky?fail=1&retry-after=100000&id=\(UUID())"))
    #expect(response.retries == 1)
  }

  @Test func aHostOutOfReachIsNotTriedForEveryRequest() async throws {
    let closed = try ClosedPort()
    let port = closed.number
    let loader = loader(1)
    await withTaskGroup(of: HTTPFailure?.self) { group in
      for index in 0..<50 { group.addTask { await loader.failure("http://127.0.0.1:\(port)/\(index)") } }
      for await failure in group { #expect(failure?.code == .connect) }
    }
    #expect(tally.counts.transfers < 20)
    #expect(try await loader.load(server.url("/ok")).status == 200)
  }

  @Test(arguments: [429, 503])
  func aThousandSourcesOfABusyHostAllArriveAndNoneInTheWindow(status: Int) async throws {
    let server = try FaultServer()
    let loader = loader(1)
    let urls = (0..<1000).map { server.url("/busy/once?status=\(status)&retry-after=2&size=10&n=\($0)") }
    await withTaskGroup(of: HTTPFailure?.self) { group in
      for url in urls { group.addTask { await loader.failure(url) } }
      for await failure in group { #expect(failure == nil) }
    }
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

  @Test func waitsHaveARandomPart() {
    func waits(_ jitter: Double) -> [Duration] {
      let configuration = HTTPConfiguration.test.with {
        $0.retries = 4
        $0.jitter = { jitter }
      }
      return (0..<4).compactMap { configuration.wait(attempt: $0, retryAfter: nil) }
    }
    let first = waits(0.25)
    #expect(first.count == 4)
    #expect(waits(0.25) == first)
    #expect(zip(waits(0.75), first).allSatisfy { $0 > $1 })
  }

  @Test func noRetryBeginsBehindTheTimeForAll() async throws {
    let loader = HTTPLoader(
      configuration: .test.with {
        $0.retries = 100
        $0.retryDelay = .milliseconds(100)
        $0.maxRetryTime = .milliseconds(350)
      })
    let target = "/status/500?id=\(UUID())"
    #expect(await loader.failure(server.url(target))?.status == 500)
    #expect((2...4).contains(try server.stats().requests[target] ?? 0))
  }
}
