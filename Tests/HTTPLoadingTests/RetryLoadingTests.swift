import Foundation
import HTTPLoading
import TestSupport
import Testing

@Suite("Trying again", .timeLimit(.minutes(10)))
struct RetryLoadingTests {
  private let server: FaultServer

  init() throws { server = try .shared() }

  private func loader(_ retries: Int, maxWait: Duration = .seconds(30)) -> HTTPLoader {
    HTTPLoader(
      configuration: .test.with {
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
    #expect(loader.statistics.retries == 2)
    #expect(loader.statistics.transfers == 3)
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
    while loader.statistics.retries == 0 { try await Task.sleep(for: .milliseconds(5)) }
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
    let port = try FaultServer().port
    let loader = loader(1)
    await withTaskGroup(of: HTTPFailure?.self) { group in
      for index in 0..<50 { group.addTask { await loader.failure("http://127.0.0.1:\(port)/\(index)") } }
      for await failure in group { #expect(failure?.code == .connect) }
    }
    #expect(loader.statistics.transfers < 20)
    #expect(try await loader.load(server.url("/ok")).status == 200)
  }
}
