import Foundation

/// nginx on a free loopback port, serving a folder; it ends when the value is released.
public final class NginxServer: @unchecked Sendable {  // the process is only touched in init and deinit
  public let port: Int
  public let baseURL: String
  private let process: Process
  private let work: TemporaryFolder

  public struct StartFailure: Error {}

  public init(serving folder: URL) throws {
    work = try TemporaryFolder()
    port = try Self.freePort()
    baseURL = "http://127.0.0.1:\(port)"
    let configuration = """
      daemon off; worker_processes 1; pid \(work.path)/pid; error_log \(work.path)/error.log;
      events { worker_connections 256; }
      http {
        access_log \(work.path)/access.log combined;
        client_body_temp_path \(work.path)/t; proxy_temp_path \(work.path)/t; fastcgi_temp_path \(work.path)/t;
        uwsgi_temp_path \(work.path)/t; scgi_temp_path \(work.path)/t;
        server { listen 127.0.0.1:\(port); root \(folder.path); }
      }
      """
    try Data(configuration.utf8).write(to: work.file("nginx.conf"))
    process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/sbin/nginx")
    process.arguments = ["-p", work.path, "-c", work.file("nginx.conf").path, "-e", work.path + "/error.log"]
    process.standardError = FileHandle.nullDevice
    try process.run()
    try waitUntilListening()
  }

  deinit {
    process.terminate()
    process.waitUntilExit()
  }

  /// Paths that were asked for, in the order in which they were answered.
  public func requests() throws -> [String] {
    try String(contentsOf: work.file("access.log"), encoding: .utf8).split(separator: "\n").compactMap {
      line in
      line.split(separator: "\"").dropFirst().first?.split(separator: " ").dropFirst().first.map(String.init)
    }
  }

  /// Status and bytes of the bodies, in the order in which requests were answered.
  public func answers() throws -> [(status: Int, bytes: Int)] {
    try String(contentsOf: work.file("access.log"), encoding: .utf8).split(separator: "\n").compactMap {
      line in
      let words = line.split(separator: "\"").dropFirst(2).first?.split(separator: " ").compactMap { Int($0) }
      return words?.count == 2 ? words.map { ($0[0], $0[1]) } : nil
    }
  }

  private func waitUntilListening() throws {
    for _ in 0..<200 {
      if Self.connects(to: port) { return }
      usleep(20_000)
    }
    throw StartFailure()
  }

  private static func freePort() throws -> Int {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = loopback(port: 0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(descriptor, pointer, length) == 0 && getsockname(descriptor, pointer, &length) == 0
      }
    }
    guard bound else { throw StartFailure() }
    return Int(UInt16(bigEndian: address.sin_port))
  }

  private static func connects(to port: Int) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = loopback(port: port)
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }

  private static func loopback(port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr = in_addr(s_addr: UInt32(0x7f00_0001).bigEndian)
    return address
  }
}
