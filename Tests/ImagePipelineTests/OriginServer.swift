import Foundation
import Glibc

@testable import Concurrency

/// A tiny HTTP/1.1 server on loopback whose answers a test writes: one thread a connection, one answer a
/// connection.
final class OriginServer: Sendable {
  struct Request: Sendable {
    var path: String
    /// By lower-case name.
    var headers: [String: String]
  }

  struct Answer: Sendable {
    var status = 200
    var headers: [String: String] = [:]
    var body: [UInt8] = []
    /// Only so many bytes of the body are sent before the connection is closed.
    var cut: Int?
    /// Waited for before the connection is closed.
    var hold: Gate?
  }

  typealias Handler = @Sendable (Request) -> Answer

  let port: Int
  private let listener: Int32
  private let log = Log()

  private final class Log: Sendable {
    let requests = Locked<[Request]>([])
  }

  /// - Parameter handler: called on a thread of the connection; it may wait.
  init(_ handler: @escaping Handler) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, size) == 0 && listen(listener, 64) == 0 && getsockname(listener, $0, &size) == 0
      }
    }
    port = Int(UInt16(bigEndian: address.sin_port))
    guard isBound else { throw POSIXError(.EADDRINUSE) }
    self.listener = listener
    let log = log
    Thread.detachNewThread {
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else {
          // Closed here and nowhere else: another thread would give the number to the next server.
          close(listener)
          return
        }
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        Thread.detachNewThread { Self.serve(connection, handler, log) }
      }
    }
  }

  deinit {
    // Wakes the thread that waits for connections.
    shutdown(listener, Int32(SHUT_RDWR))
  }

  func url(_ path: String) -> URL { URL(string: "http://127.0.0.1:\(port)\(path)")! }

  var requests: [Request] { log.requests.withLock { $0 } }

  func count(_ path: String) -> Int { requests.filter { $0.path == path }.count }

  private static func serve(_ connection: Int32, _ handler: Handler, _ log: Log) {
    defer { close(connection) }
    guard let request = read(connection) else { return }
    log.requests.withLock { $0.append(request) }
    let answer = handler(request)
    var headers = answer.headers
    headers["Content-Length"] = headers["Content-Length"] ?? String(answer.body.count)
    headers["Connection"] = "close"
    var head = "HTTP/1.1 \(answer.status) X\r\n"
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) { head += "\(name): \(value)\r\n" }
    send(Array((head + "\r\n").utf8), to: connection)
    send(Array(answer.body.prefix(answer.cut ?? .max)), to: connection)
    answer.hold?.wait()
  }

  private static func read(_ connection: Int32) -> Request? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while !String(decoding: bytes, as: UTF8.self).contains("\r\n\r\n") {
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      bytes += buffer.prefix(count)
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
    }
    return Request(
      path: lines[0].split(separator: " ").dropFirst().first.map(String.init) ?? "", headers: headers)
  }

  private static func send(_ bytes: [UInt8], to connection: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
