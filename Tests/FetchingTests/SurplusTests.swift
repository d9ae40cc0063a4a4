import TestSupport
import Testing

@testable import Fetching

/// Bytes past the announced end of a body are never taken for the next answer on their connection.
@Suite("Bytes behind an answer", .timeLimit(.minutes(10)))
struct SurplusTests {
  private let server: FaultServer

  init() throws { server = try FaultServer() }

  /// - Returns: what the second of two requests, one after the other on one connection if possible, is answered with.
  private func second(
    after target: String, pause: Duration = .milliseconds(200), _ loader: HTTPLoader
  ) async throws -> HTTPResponse {
    _ = await loader.failure(server.url(target))
    try await Task.sleep(for: pause)
    return try await loader.load(server.url("/ok?size=777"))
  }

  @Test(arguments: [
    "/surplus", "/surplus?pause=0.05", "/surplus?size=100000", "/surplus?size=100000&pause=0.05",
    "/surplus?size=16384&extra=100000", "/surplus?size=1&extra=1000000", "/surplus?status=304",
    "/surplus?status=304&extra=100000", "/surplus?status=204&pause=0.05", "/surplus?size=0&pause=0.05",
    "/surplus?size=0&extra=100000",
  ])
  func aSecondAnswerOnTheConnectionIsNotTheNextOnes(target: String) async throws {
    let loader = HTTPLoader.test { $0.maxConcurrentPerHost = 1 }
    for _ in 0..<3 {
      let response = try await second(after: target, loader)
      let isRight = response.body == plainBody(777)
      #expect(isRight, "\(target): \(response.body.count) bytes")
    }
  }

  /// The proxy's connection serves many hosts, so one could answer for another.
  @Test func aHostDoesNotAnswerForAnotherOneBehindAProxy() async throws {
    let loader = HTTPLoader.test {
      $0.allowPrivate = ["*.example"]
      $0.proxies = HTTPProxies(http: server.baseURL)
      $0.maxConcurrentPerHost = 1
    }
    _ = await loader.failure("http://evil.example/surplus?size=100000&pause=0.05")
    try await Task.sleep(for: .milliseconds(200))
    let isRight = try await loader.load("http://good.example/ok?size=777").body == plainBody(777)
    #expect(isRight)
  }

  @Test func aCleanConnectionIsUsedAgain() async throws {
    let tally = TransferTally()
    let loader = HTTPLoader.test {
      $0.maxConcurrentPerHost = 1
      $0.signposts = tally.signposts
    }
    for _ in 0..<4 { #expect(try await loader.load(server.url("/ok?size=100000")).body.count == 100_000) }
    #expect(tally.counts.connectionsOpened == 1)
  }
}
