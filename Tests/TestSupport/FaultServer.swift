import Concurrency
import Foundation

/// `Tests/Servers/fault_server.py` on a free loopback port; it ends when the value is released.
public final class FaultServer: Sendable {
  public enum TLS: String, Sendable {
    case good, expired
    /// A certificate of the client's is wanted, or asked for.
    case mutual, optional
    /// Of `tls_server`: TLS 1.2, and a long chain.
    case old, long
    case wrongHost = "wrong-host"
  }

  /// The server's counters. A target is a path with its query, as requested.
  public struct Stats: Decodable, Sendable {
    public var connections: Int
    /// Connections that are open now.
    public var open: Int
    /// Most requests that were answered at the same moment.
    public var peak: Int
    public var requests: [String: Int]
    /// When the requests came, in seconds on the server's own monotonic clock.
    public var times: [String: [Double]]
    /// The `Range` fields of the requests, empty where there was none; of `/resume` and `/versioned` only.
    public var ranges: [String: [String]]
    /// Body bytes sent, of the same.
    public var sent: [String: Int]
  }

  public struct StartFailure: Error {}

  public let port: Int
  /// `http://127.0.0.1:PORT`, or https, without a slash at its end.
  public let baseURL: String
  /// The certificate of the authority that a client must trust, with TLS only.
  public let caFile: String?

  private struct Greeting: Decodable {
    var port: Int
    var ca: String?
  }

  private struct Pipes: @unchecked Sendable {  // used under the mutex only
    let process: Process
    let input: FileHandle
    let output: FileHandle
  }

  private let pipes: Locked<Pipes>

  private static let shared = Locked<[String: FaultServer]>([:])

  /// A server for all tests of this process that do not look at its counters, or only at those of a target
  /// of their own; it ends with the process.
  public static func shared(
    _ name: String = "", tls: TLS? = nil, script: String = "fault_server"
  ) throws -> FaultServer {
    try shared.withLock { servers in
      let key = "\(name) \(tls?.rawValue ?? "")"
      if let server = servers[key] { return server }
      let server = try FaultServer(tls: tls, script: script)
      servers[key] = server
      return server
    }
  }

  /// - Parameters:
  ///   - files: the folder that `/file/NAME` serves from.
  ///   - host: the address to listen at.
  ///   - handshakeDelay: seconds that each TLS handshake takes at least.
  ///   - script: `h2_server` for one that misbehaves over HTTP/2, `mixed_server` for one that speaks HTTP/1.1, too.
  ///   - mostConnections: further ones are reset.
  ///   - alpn: what `h2_server` speaks, where that is not both.
  public init(
    files: URL? = nil, tls: TLS? = nil, host: String = "127.0.0.1", handshakeDelay: Double = 0,
    script: String = "fault_server", alpn: String? = nil, mostConnections: Int? = nil
  ) throws {
    let process = Process()
    let input = Pipe()
    let output = Pipe()
    let script = Fixtures.checkout.appendingPathComponent("Tests/Servers/\(script).py").path
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", script]
    if let files { process.arguments? += ["--files", files.path] }
    if let tls { process.arguments? += ["--tls", tls.rawValue] }
    if let mostConnections { process.arguments? += ["--most-connections", "\(mostConnections)"] }
    if let alpn { process.arguments? += ["--alpn", alpn] }
    process.arguments? += ["--host", host, "--handshake-delay", "\(handshakeDelay)"]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let pipes = Pipes(
      process: process, input: input.fileHandleForWriting, output: output.fileHandleForReading)
    guard let greeting = try? JSONDecoder().decode(Greeting.self, from: Self.line(pipes.output)) else {
      throw StartFailure()
    }
    port = greeting.port
    caFile = greeting.ca
    let authority = host.contains(":") ? "[\(host)]" : host
    baseURL = "\(tls == nil ? "http" : "https")://\(authority):\(greeting.port)"
    self.pipes = Locked(pipes)
  }

  deinit {
    pipes.withLock {
      try? $0.input.close()
      $0.process.waitUntilExit()
    }
  }

  /// An address on this server; `target` begins with a slash.
  public func url(_ target: String) -> String { baseURL + target }

  public func stats() throws -> Stats {
    let line = try pipes.withLock {
      try $0.input.write(contentsOf: Data("stats\n".utf8))
      return Self.line($0.output)
    }
    return try JSONDecoder().decode(Stats.self, from: line)
  }

  /// How often a path was asked for, whatever the query.
  public func count(_ path: String) throws -> Int {
    try stats().requests.reduce(0) { $1.key.prefix { $0 != "?" } == path ? $0 + $1.value : $0 }
  }

  private static func line(_ handle: FileHandle) -> Data {
    var line = Data()
    while let byte = try? handle.read(upToCount: 1), !byte.isEmpty, byte.first != 0x0a { line += byte }
    return line
  }
}
