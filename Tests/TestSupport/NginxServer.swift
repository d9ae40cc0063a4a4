import Foundation

/// nginx on a free loopback port, serving a folder; it ends when the value is released or this process ends.
public final class NginxServer: Sendable {
  public let baseURL: String
  private let work: TemporaryFolder
  private let input: FileHandle

  public struct StartFailure: Error {}

  public static let isInstalled = FileManager.default.isExecutableFile(atPath: "/usr/sbin/nginx")

  /// - Parameter authority: whose certificate it has, to speak HTTP/2.
  public init(serving folder: URL, authority: FaultServer? = nil) throws {
    work = try TemporaryFolder()
    // A port that was free a moment ago.
    let port = try ClosedPort().number
    var (scheme, lines) = ("http", "listen 127.0.0.1:\(port);")
    if let file = authority?.caFile {
      let keys = URL(fileURLWithPath: file).deletingLastPathComponent().path
      scheme = "https"
      lines = """
        listen 127.0.0.1:\(port) ssl http2;
        ssl_certificate \(keys)/cert.pem; ssl_certificate_key \(keys)/key.pem;
        """
    }
    baseURL = "\(scheme)://127.0.0.1:\(port)"
    let configuration = """
      daemon off; master_process off; pid nginx.pid; error_log error.log;
      events { worker_connections 256; }
      http {
        access_log access.log combined; client_body_temp_path t; proxy_temp_path t; fastcgi_temp_path t;
        uwsgi_temp_path t; scgi_temp_path t;
        server {
          \(lines) root \(folder.path);
          location /slow/ { limit_rate 20k; rewrite ^/slow/(.*) /$1 break; }
        }
      }
      """
    try Data(configuration.utf8).write(to: work.file("nginx.conf"))
    let (process, pipe) = (Process(), Pipe())
    input = pipe.fileHandleForWriting
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.currentDirectoryURL = work.url
    process.arguments = [
      // SIGTERM may be blocked by inheritance from the thread that starts this.
      "-c",
      "/usr/sbin/nginx -p . -c nginx.conf -e error.log >/dev/null 2>&1 & read line; kill -9 $!",
    ]
    process.standardInput = pipe
    try process.run()
    // It is written once nginx listens.
    for _ in 0..<500 where !FileManager.default.fileExists(atPath: work.file("nginx.pid").path) {
      usleep(20_000)
    }
    guard FileManager.default.fileExists(atPath: work.file("nginx.pid").path) else { throw StartFailure() }
  }

  deinit { try? input.close() }

  /// What stands behind the first quotation marks of each line of the log, in words.
  private func log(_ part: Int) throws -> [[Substring]] {
    try String(contentsOf: work.file("access.log"), encoding: .utf8).split(separator: "\n").compactMap {
      $0.split(separator: "\"").dropFirst(part).first?.split(separator: " ")
    }
  }

  /// Paths that were asked for, in the order in which they were answered.
  public func requests() throws -> [String] {
    try log(1).compactMap { $0.dropFirst().first.map(String.init) }
  }

  /// Status and bytes of the bodies, in the order in which requests were answered.
  public func answers() throws -> [(status: Int, bytes: Int)] {
    try log(2).map { $0.compactMap { Int($0) } }.filter { $0.count == 2 }.map { ($0[0], $0[1]) }
  }
}
