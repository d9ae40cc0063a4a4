import TestSupport
import Testing

@testable import Fetching

@Suite("Private addresses end to end", .timeLimit(.minutes(10)))
struct PrivateAddressTests {
  private let server: FaultServer
  /// No connection to it is ever made.
  private let untouched: FaultServer

  init() throws {
    server = try .shared()
    untouched = try .shared("untouched")
  }

  private func loader(_ allowed: [String], resolve: [String] = []) -> HTTPLoader {
    HTTPLoader(
      configuration: .test.with {
        $0.allowPrivate = allowed
        $0.resolve = resolve
      })
  }

  @Test(arguments: [
    "127.0.0.1", "localhost", "127.0.0.1.", "localhost.", "2130706433", "0x7f000001", "017700000001", "127.1",
    "0x7f.1", "0177.0.0.1", "0", "0.0.0.0", "[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]",
    "[::127.0.0.1]", "[64:ff9b::7f00:1]", "[fe80::1]", "10.0.0.1", "169.254.169.254",
    "user:hunter2@127.0.0.1", "127。0。0。1",
  ])
  func noSpellingReachesThisMachine(host: String) async throws {
    let failure = try #require(await loader([]).failure("http://\(host):\(untouched.port)/ok"))
    #expect([.privateAddress, .resolve, .url].contains(failure.code))
    #expect(!failure.message.contains("hunter2"))
    #expect(try untouched.stats().connections == 0)
  }

  @Test func theFailureNamesHostAddressAndTheWayOut() async throws {
    let loader = loader([], resolve: ["media.example:\(server.port):127.0.0.1"])
    let failure = try #require(await loader.failure("http://media.example:\(server.port)/ok"))
    #expect(failure.code == .privateAddress)
    #expect(!failure.isRetryable)
    for part in ["media.example", "127.0.0.1", "add \"media.example\" to HTTPConfiguration.allowPrivate"] {
      #expect(failure.message.contains(part))
    }
  }

  @Test func aNamedHostMayBeAtAPrivateAddress() async throws {
    let entry = "media.example:\(server.port):127.0.0.1"
    for pattern in ["media.example", "MEDIA.example:\(server.port)", "*.example"] {
      let loader = loader([pattern], resolve: [entry])
      #expect(try await loader.load("http://media.example:\(server.port)/ok").status == 200)
    }
    let loader = loader(["media.example:1"], resolve: [entry])
    #expect(await loader.failure("http://media.example:\(server.port)/ok")?.code == .privateAddress)
  }

  @Test func theGuardHoldsAgainAfterARedirect() async throws {
    let inner = untouched
    let loader = loader(
      ["media.example"],
      resolve: ["media.example:\(server.port):127.0.0.1", "inner.example:\(inner.port):127.0.0.1"])
    for host in ["inner.example", "127.0.0.1", "localhost", "2130706433"] {
      let target = "http%3A//\(host)%3A\(inner.port)/ok"
      let url = "http://media.example:\(server.port)/redirect-to?url=\(target)"
      let failure = try #require(await loader.failure(url))
      #expect(failure.code == .privateAddress)
      #expect(failure.message.contains("redirected from"))
    }
    #expect(try inner.stats().connections == 0)
  }

  @Test func anOpenConnectionOfANamedHostIsNotLentToAnother() async throws {
    let server = try FaultServer()
    let entries = ["media.example:\(server.port):127.0.0.1", "else.example:\(server.port):127.0.0.1"]
    let loader = loader(["media.example"], resolve: entries)
    #expect(try await loader.load("http://media.example:\(server.port)/ok").status == 200)
    #expect(await loader.failure("http://else.example:\(server.port)/ok")?.code == .privateAddress)
    #expect(try server.stats().connections == 1)
  }

  @Test func noAddressOfSeveralIsTriedWhenAllAreRefused() async throws {
    let loader = loader([], resolve: ["both.example:\(untouched.port):192.0.2.1,127.0.0.1"])
    #expect(await loader.failure("http://both.example:\(untouched.port)/ok")?.code == .privateAddress)
    #expect(try untouched.stats().connections == 0)
  }
}
