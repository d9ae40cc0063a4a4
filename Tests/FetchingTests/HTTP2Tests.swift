import Foundation
import TestSupport
import Testing

@testable import Fetching

/// nginx with HTTP/2, where it is installed; it ends when the value is released or this process ends.
private final class NginxServer: Sendable {
  static let isInstalled = ["/usr/sbin/nginx", "/usr/bin/openssl"]
    .allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }

  let baseURL: String
  let caFile: String
  private let certificates: FaultServer
  private let folder: TemporaryFolder
  private let input: FileHandle

  /// - Parameter files: names and contents.
  init(_ files: [String: [UInt8]]) throws {
    certificates = try FaultServer(tls: .good)
    caFile = try #require(certificates.caFile)
    // A port that was free a moment ago.
    let port = try FaultServer().port
    baseURL = "https://127.0.0.1:\(port)"
    folder = try TemporaryFolder()
    for (name, bytes) in files { try Data(bytes).write(to: folder.file(name)) }
    let keys = URL(fileURLWithPath: caFile).deletingLastPathComponent().path
    let text = """
      daemon off; master_process off; pid nginx.pid; error_log stderr emerg; events {}
      http {
        access_log off; client_body_temp_path t; proxy_temp_path t; fastcgi_temp_path t;
        uwsgi_temp_path t; scgi_temp_path t;
        server {
          listen 127.0.0.1:\(port) ssl http2; root \(folder.path);
          ssl_certificate \(keys)/cert.pem; ssl_certificate_key \(keys)/key.pem;
          location /slow/ { limit_rate 20k; rewrite ^/slow/(.*) /$1 break; }
        }
      }
      """
    try Data(text.utf8).write(to: folder.file("nginx.conf"))
    let process = Process()
    let pipe = Pipe()
    input = pipe.fileHandleForWriting
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.currentDirectoryURL = folder.url
    process.arguments = [
      // SIGTERM may be blocked by inheritance from the thread that starts this.
      "-c", "nginx -p . -c nginx.conf >/dev/null 2>&1 & read line; kill -9 $!",
    ]
    process.standardInput = pipe
    try process.run()
  }

  deinit { try? input.close() }
}

@Suite("HTTP/2", .timeLimit(.minutes(10)), .enabled(if: NginxServer.isInstalled))
struct HTTP2Tests {
  @Test func aHundredFilesComeOverOneConnection() async throws {
    let server = try NginxServer(["a.jpg": plainBody(60_000), "empty.jpg": []])
    let base = server.baseURL
    var configuration = HTTPConfiguration.test
    configuration.caFile = server.caFile
    // The first tries may come before nginx listens.
    configuration.retries = 20
    configuration.retryDelay = .milliseconds(50)
    let tally = TransferTally()
    configuration.signposts = tally.signposts
    let loader = HTTPLoader(configuration: configuration)
    _ = try await loader.load(base + "/a.jpg")
    // More than one where tries came too early.
    let opened = tally.counts.connectionsOpened
    try await withThrowingTaskGroup(of: HTTPResponse.self) { group in
      for index in 0..<100 { group.addTask { try await loader.load(base + "/a.jpg?\(index)") } }
      for try await response in group {
        #expect(response.body == plainBody(60_000))
        #expect(!response.isLengthUnverified)
      }
    }
    // One more where the kept connection was not at rest yet when they came.
    #expect(tally.counts.connectionsOpened <= opened + 1)
    #expect(await loader.failure(base + "/none.jpg")?.status == 404)
    #expect(await loader.failure(base + "/empty.jpg")?.code == .empty)
    withExtendedLifetime(server) {}
  }

  /// The first shows that they share a connection; then eight files that the server sends slowly run beside each other.
  @Test func transfersOfAHostThatSharesItsConnectionRunBesideEachOther() async throws {
    let server = try NginxServer(["a.jpg": plainBody(1_000), "b.jpg": plainBody(40_000)])
    var configuration = HTTPConfiguration.test
    configuration.caFile = server.caFile
    (configuration.retries, configuration.retryDelay) = (20, .milliseconds(50))
    (configuration.maxConcurrentPerHost, configuration.maxStreamsPerHost) = (1, 8)
    let tally = TransferTally()
    configuration.signposts = tally.signposts
    let loader = HTTPLoader(configuration: configuration)
    _ = try await loader.load(server.baseURL + "/a.jpg")
    #expect(tally.counts.mostAtOnce == 1)
    try await withThrowingTaskGroup(of: HTTPResponse.self) { group in
      for index in 0..<8 { group.addTask { try await loader.load(server.baseURL + "/slow/b.jpg?\(index)") } }
      for try await response in group { #expect(response.body.count == 40_000) }
    }
    #expect(tally.counts.mostAtOnce == 8)
    withExtendedLifetime(server) {}
  }
}
