import Foundation
import TestSupport
import Testing

/// Whole runs beside a server that uses what transfers have in common. The paths are `h2_server.py`'s.
@Suite(.ownThreads, .serialized, .timeLimit(.minutes(10)))
struct HostileServerTests {
  private static func server(_ script: String = "h2_server") throws -> FaultServer {
    try FaultServer(tls: .good, script: script)
  }

  private func lines(_ server: FaultServer, _ path: String, _ count: Int) -> [String] {
    (0..<count).map { number in
      let name = String(String(number, radix: 2).map { $0 == "1" ? "X" : "Z" })
      return "\"\(server.url("\(path)\(name)"))\" card"
    }
  }

  private func scene(_ lines: [String]) throws -> Scene { try Scene(lines.joined(separator: "\n")) }

  private func insecure(_ servers: [FaultServer]) -> [String] {
    servers.flatMap { ["--insecure-host", "127.0.0.1:\($0.port)"] }
  }

  @Test(arguments: [("/ZX", 1), ("/ZX", 12), ("/tickets?", 1), ("/tickets?", 12)])
  func floodsCostTheOthersNoTime(path: String, count: Int) throws {
    let hostile = try Self.server(path == "/ZX" ? "h2_server" : "tls_server")
    let healthy = try FaultServer(files: Scene.images)
    let good = (0..<80).map { "\(healthy.url("/file/logo.png?\($0)")) card" }
    let clock = ContinuousClock()
    let alone = try clock.measure { _ = try scene(good).run() }
    let beside = try scene(lines(hostile, path, count) + good)
    let together = try clock.measure { _ = try beside.run(["--retries", "2"] + insecure([hostile])) }
    #expect(try beside.names().count == 80)
    // Three seconds are the promise; the bound is lax for the sake of loaded machines.
    #expect(together - alone < .seconds(8), "\(alone), \(together)")
  }

  @Test func aSignalEndsARunInTheMiddleOfAFlood() throws {
    let hostile = try Self.server()
    // Frames that libcurl gives up and others, so that something always comes.
    let all = ["/ZX", "/ZZ", "/Z*", "/&", "/,"].flatMap { lines(hostile, $0, 10) }
    let scene = try scene(all)
    let running = try scene.start(["--retries", "9"] + insecure([hostile]))
    #expect(try eventually { try hostile.stats().requests.count > 10 })
    let began = ContinuousClock.now
    kill(running.process.processIdentifier, SIGTERM)
    #expect(try running.wait().status == 143)
    #expect(ContinuousClock.now - began < .seconds(8))
    #expect(scene.leftovers().isEmpty)
  }

  @Test func bodiesWithoutEndOfManyStreamsStayWithinTheMemoryOfARun() throws {
    let servers = try (0..<FaultCount.of(3, full: 10)).map { _ in try Self.server() }
    let good = servers.map { "\($0.url("/XX")) card" }
    let endless = servers.flatMap { lines($0, "/&", 50) }
    let scene = try scene(good + endless)
    try scene.run(["--max-bytes", "32M"] + insecure(servers), wrapper: Scene.measured).expect(4)
    // They run until here, also where a compiler sees that nobody asks them any more.
    withExtendedLifetime(servers) {}
    #expect(try scene.folder.peak() < 400 << 10)
  }
}
