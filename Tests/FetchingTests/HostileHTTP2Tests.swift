import Concurrency
import TestSupport
import Testing

@testable import Fetching

/// Servers that use what transfers of one connection have in common. The paths are `h2_server.py`'s.
@Suite("Hostile HTTP/2", .serialized, .timeLimit(.minutes(10)))
struct HostileHTTP2Tests {
  private static func server(_ name: Int = 0) throws -> FaultServer {
    try .shared("h2 \(name)", tls: .good, script: "h2_server")
  }

  private func configuration(_ servers: FaultServer...) -> HTTPConfiguration {
    .test.with {
      // Every server has an authority of its own.
      $0.insecureHosts = servers.map { "127.0.0.1:\($0.port)" }
      $0.retries = 2
      $0.longestSilence = .seconds(30)
    }
  }

  /// A number in the letters that the server can read.
  private static func name(_ number: Int) -> String {
    String(String(number, radix: 2).map { $0 == "1" ? "X" : "Z" })
  }

  /// Frames and TLS messages with nothing in them stop libcurl's reading of everything else for as long as they come. The
  /// bounds are for machines that are busy with other tests.
  @Test(arguments: [
    ("h2 /ZX", 1), ("h2 /ZX", 12), ("h2 /ZZ", 4), ("h2 /Z&", 4), ("h2 /Z*", 4), ("h2 /Z,", 4), ("h2 /Z;", 4),
    ("h2 /Z!", 4), ("h2 /Z(", 4), ("h2 /Z)", 4), ("tls /tickets?", 1), ("tls /tickets?", 12),
    ("tls /tickets?pause=0.01&", 4), ("tls /updates?", 4), ("tls /warnings?", 4), ("tls /empty?", 4),
    ("old /again?", 4), ("long /tickets?", 4), ("h2 /Z* names", 12), ("tls /tickets? names", 12),
  ])
  func messagesWithoutEndHoldUpNoOtherHost(kind: String, count: Int) async throws {
    let words = kind.split(separator: " ")
    let hostile =
      words[0] == "h2"
      ? try Self.server()
      : try FaultServer(tls: FaultServer.TLS(rawValue: String(words[0])) ?? .good, script: "tls_server")
    let healthy = try FaultServer.shared()
    let names = (0..<count).map { words.count > 2 ? "n\($0).example" : "127.0.0.1" }
    let loader = HTTPLoader(
      configuration: configuration(hostile).with {
        $0.resolve = names.filter { $0 != "127.0.0.1" }.map { "\($0):\(hostile.port):127.0.0.1" }
        $0.insecureHosts = names.map { "\($0):\(hostile.port)" }
        $0.allowPrivate += names
      })
    let floods = names.enumerated().map { (number, name) in
      Task { await loader.failure("https://\(name):\(hostile.port)\(words[1])\(Self.name(number))") }
    }
    try await Task.sleep(for: .milliseconds(200))
    let began = ContinuousClock.now
    try await withThrowingTaskGroup(of: HTTPResponse.self) { group in
      for number in 0..<80 {
        group.addTask { try await loader.load(healthy.url("/ok?size=30000&n=\(number)")) }
      }
      for try await response in group { #expect(response.body.count == 30_000) }
    }
    #expect(ContinuousClock.now - began < .seconds(35))
    let ended = ContinuousClock.now
    loader.shutdown()
    #expect(ContinuousClock.now - ended < .seconds(5))
    for task in floods { #expect(await task.value != nil) }
  }

  /// The good ones are asked for often enough, and the bad ones as often as they may be.
  /// Also where the host answers nothing over HTTP/1.1.
  @Test(arguments: ["*X", "*Z", ";"], ["h2 http/1.1", "h2"])
  func whatBreaksAConnectionCostsTheOthersNothing(bad: String, alpn: String) async throws {
    let server = try FaultServer(tls: .good, script: "h2_server", alpn: alpn)
    let loader = HTTPLoader(configuration: configuration(server).with { $0.retries = 0 })
    let failures = Locked<[String]>([])
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<310 {
        let path = number % 31 == 7 ? "/\(bad)\(Self.name(number))" : "/X\(Self.name(number))"
        group.addTask {
          do { _ = try await loader.load(server.url(path)) } catch {
            failures.withLock { $0.append(path) }
          }
        }
      }
    }
    #expect(failures.withLock { $0.count } == 10)
    #expect(failures.withLock { $0.allSatisfy { $0.hasPrefix("/\(bad)") } })
  }

  /// What a server chooses for a key exchange would cost up to a second.
  @Test func noneOfTheSlowKeyExchangesIsOffered() async throws {
    let server = try FaultServer(tls: .old, script: "tls_server")
    let loader = HTTPLoader(configuration: configuration(server))
    #expect(try await loader.load(server.url("/ok")).body.count == 1000)
    #expect(try server.stats().requests == ["/ok": 1])
  }

  /// The second try of one of them is the last one.
  @Test func aServerThatGivesNoAnswerOverHTTP2IsNotAskedForEachURLInTurn() async throws {
    let server = try Self.server()
    let loader = HTTPLoader(
      configuration: configuration(server).with { $0.longestSilence = .seconds(1) })
    await withTaskGroup(of: HTTPFailure?.self) { group in
      for number in 0..<20 {
        group.addTask { await loader.failure(server.url("/,\(Self.name(number + 32))")) }
      }
      for await failure in group { #expect(failure != nil) }
    }
    let silent = try server.stats().requests.filter { $0.key.hasPrefix("/,") }
    #expect(silent.reduce(0) { $0 + $1.value } < 30)
  }

  /// A stream alone that is reset leaves the connection to the others.
  @Test func aStreamThatIsResetAloneKeepsTheConnection() async throws {
    let server = try Self.server()
    let loader = HTTPLoader(configuration: configuration(server).with { $0.retries = 0 })
    for number in 0..<10 {
      #expect(await loader.failure(server.url("/;\(Self.name(number))"))?.code == .network)
    }
    _ = try await loader.load(server.url("/XXXXXXXXXXXX"))
    #expect(try server.stats().requests["/XXXXXXXXXXXX"] == 1)
  }

  /// libcurl 7.88 takes a stream that was reset without an error for one that ended. The body alone can tell.
  @Test func aStreamWithoutALengthIsWholeByItsBodyOrTriedAgain() async throws {
    let server = try Self.server()
    let loader = HTTPLoader(
      configuration: configuration(server).with { $0.mayBeCut = { $0.count < 1000 } })
    #expect(try await loader.load(server.url("/!X")).body.count == 1000)
    let failure = await loader.failure(server.url("/!Z"))
    #expect(failure?.code == .truncated && failure?.message.contains("after 2 retries") == true)
    let requests = try server.stats().requests
    #expect(requests["/!X"] == 1 && requests["/!Z"] == 3)
  }

  @Test func aMisdirectedRequestGoesOverAConnectionOfItsOwn() async throws {
    let server = try Self.server(0)
    let loader = HTTPLoader(configuration: configuration(server).with { $0.retries = 1 })
    _ = try await loader.load(server.url("/X"))
    #expect(try await loader.load(server.url("/(")).retries == 1)
  }

  @Test func bodiesWithoutEndStayWithinTheirRoom() async throws {
    let servers = try (0..<3).map { try Self.server($0) }
    let room = CountedRoom(32 << 20)
    var configuration = configuration(servers[0], servers[1], servers[2])
    configuration.bodyRoom = room
    configuration.maxBodyBytes = 8 << 20
    let loader = HTTPLoader(configuration: configuration)
    for server in servers { _ = try await loader.load(server.url("/XX")) }
    await withTaskGroup(of: HTTPFailure.Code?.self) { group in
      for number in 0..<60 {
        group.addTask { await loader.failure(servers[number % 3].url("/&\(Self.name(number))"))?.code }
      }
      for await code in group { #expect(code == .tooLarge) }
    }
    // The oldest goes on beyond where each waits for the others.
    #expect(room.most <= 40 << 20)
  }
}
