import TestSupport
import Testing

@testable import Fetching

/// Hosts of which an answer could reach another request than its own. Each body is made of the path that was asked for.
@Suite("Answers of other requests", .serialized, .timeLimit(.minutes(10)))
struct MixedHostTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func name(_ number: Int) -> String {
    String(String(number + 1024, radix: 2).map { $0 == "1" ? "X" : "Z" })
  }

  /// The body that the server has for a path.
  private static func body(_ path: String) -> [UInt8] {
    let unit = Array(path.utf8) + [UInt8](repeating: 0, count: 50 - path.utf8.count)
    let size = path.hasPrefix("/!") ? 200_000 : 1000
    return Array(
      ([0xFF, 0xD8, 0xFF, 0xFE, 0, 52] + repeatElement(unit, count: size / 50).joined()).prefix(size))
  }

  private func load(
    _ request: HTTPRequest, _ kind: Character, _ loader: HTTPLoader, _ partials: PartialDownloads
  ) async throws(HTTPFailure) -> [UInt8] {
    switch kind {
    case "!": return try await partials.load(request, through: loader).body
    case "(":
      let head = try await SourceBody.head(request, bytes: 300) { (part) async throws(HTTPFailure) in
        try await loader.load(part)
      }
      guard let head else { return try await loader.load(request).body }
      return head.bytes
    default: return try await loader.load(request).body
    }
  }

  /// - Returns: the failures.
  private func load(
    _ paths: [String], from base: String, _ loader: HTTPLoader, _ partials: PartialDownloads
  ) async -> [HTTPFailure] {
    await withTaskGroup(of: HTTPFailure?.self) { group in
      for path in paths {
        group.addTask {
          do throws(HTTPFailure) {
            let kind = path.dropFirst().first ?? "X"
            let body = try await load(HTTPRequest(url: base + path), kind, loader, partials)
            let own = Self.body("&,;".contains(kind) ? "/X" + path.dropFirst(2) : path)
            // Where a part was refused the whole was asked for.
            let isOwn = body == own || kind == "(" && body == Array(own.prefix(300))
            #expect(isOwn, "\(path): \(body.count) bytes")
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
    let partials = try PartialDownloads(folder: folder.url)
    let failures = await withTaskGroup(of: [HTTPFailure].self) { group in
      // Two names of one server, whose connections could be taken for each other's.
      for (index, host) in ["127.0.0.1", "img.example"].enumerated() {
        let names = (0..<250).map { Self.name(500 * index + $0) }
        var paths = ["/X", "/&", "/,", "/;"].flatMap { kind in
          names.map { kind + $0 + (kind == "/X" ? "" : "Z") }
        }
        paths += names.map { "/(\($0)" } + names.prefix(40).map { "/!\($0)" }
        group.addTask { await load(paths, from: "https://\(host):\(server.port)", loader, partials) }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    // Each once at most: nothing says that another connection would do. Over HTTP/2 the server cannot tell whether a part
    // is asked for, and sends it all the same.
    let other = failures.first { ![206, 421].contains($0.status) }
    #expect(other == nil)
    #expect(failures.count { $0.status == 421 } < 100 && failures.count < 120)
    if perHost < 50 { #expect(try server.stats().requests["rest", default: 0] > 0) }
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
    let failures = await load(paths, from: server.baseURL, loader, try PartialDownloads(folder: folder.url))
    #expect(failures.allSatisfy { $0.status == 421 }, "\(failures.first.map(\.message) ?? "")")
  }
}
