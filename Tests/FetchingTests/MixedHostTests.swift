import Concurrency
import TestSupport
import Testing

@testable import Fetching

/// Hosts of which an answer could reach another request than its own. Each body begins with the path that was asked for.
@Suite("Answers of other requests", .serialized, .timeLimit(.minutes(10)))
struct MixedHostTests {
  private static func name(_ number: Int) -> String {
    String(String(number + 1024, radix: 2).map { $0 == "1" ? "X" : "Z" })
  }

  /// - Returns: the failures.
  private func load(_ paths: [String], from base: String, _ loader: HTTPLoader) async -> [HTTPFailure] {
    await withTaskGroup(of: HTTPFailure?.self) { group in
      for path in paths {
        group.addTask {
          do throws(HTTPFailure) {
            let body = try await loader.load(base + path).body
            let own = path.hasPrefix("/&") ? "/X" + path.dropFirst(2) : path
            let stored = String(decoding: body.prefix { $0 != 0 }, as: UTF8.self)
            #expect(body.count == 1000 && stored == own)
            return nil
          } catch {
            return error
          }
        }
      }
      return await group.reduce(into: []) { if let failure = $1 { $0.append(failure) } }
    }
  }

  @Test(arguments: [1, 6, 50], [false, true])
  func connectionsOfTwoKindsMixNoAnswers(perHost: Int, isProxied: Bool) async throws {
    let (server, proxy) = (try FaultServer(tls: .good, script: "mixed_server"), try FaultServer.shared())
    let loader = HTTPLoader.test {
      $0.insecureHosts = ["127.0.0.1:\(server.port)", "img.example:\(server.port)"]
      $0.allowPrivate = ["127.0.0.1", "img.example"]
      $0.resolve = ["img.example:\(server.port):127.0.0.1"]
      ($0.maxConcurrentPerHost, $0.maxStreamsPerHost) = (perHost, perHost)
      if isProxied { $0.proxies = HTTPProxies(https: proxy.baseURL) }
      $0.retries = 5
    }
    let failures = await withTaskGroup(of: [HTTPFailure].self) { group in
      // Two names of one server, whose connections could be taken for each other's.
      for (index, host) in ["127.0.0.1", "img.example"].enumerated() {
        let names = (0..<250).map { Self.name(500 * index + $0) }
        let paths = names.map { "/X\($0)" } + names.map { "/&\($0)Z" }
        group.addTask { await load(paths, from: "https://\(host):\(server.port)", loader) }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    // Each once at most: nothing says that another connection would do.
    #expect(
      failures.allSatisfy { $0.status == 421 }, "\(failures.first { $0.status != 421 }.map(\.message) ?? "")")
    #expect(failures.count < 100)
  }

  /// A second answer to each tenth of a hundred requests, a moment after the first one.
  @Test(arguments: [FaultServer.TLS.good, nil], [1, 6])
  func anAnswerTooManyReachesNoRequest(tls: FaultServer.TLS?, perHost: Int) async throws {
    let server = try FaultServer(tls: tls, script: "mixed_server")
    let loader = HTTPLoader.test {
      $0.insecureHosts = ["127.0.0.1:\(server.port)"]
      $0.maxConcurrentPerHost = perHost
      $0.retries = 5
    }
    let paths = (0..<310).map { ($0 % 31 == 7 ? "/*" : "/&") + Self.name($0) }
    let failures = await load(paths, from: server.baseURL, loader)
    #expect(failures.allSatisfy { $0.status == 421 }, "\(failures.first.map(\.message) ?? "")")
  }
}
