import Foundation
import Signposts

/// The limits of an HTTP loader, all set before the first transfer.
public struct HTTPConfiguration: Sendable {
  // MARK: Places and rates

  /// Transfers under way at once, over all hosts. A transfer that is nearly silent for half a second lends its
  /// place to another, so that hosts that hang cannot hold up healthy ones.
  public var maxConcurrent = 64
  /// Transfers under way at once to one origin. Nuke and Kingfisher load six at a time.
  public var maxConcurrentPerHost = 6
  /// The same for an origin that answers over HTTP/2, where they share one connection. curl has as many. One that breaks
  /// such connections, or whose bodies find no room, is asked over HTTP/1.1 from then on.
  public var maxStreamsPerHost = 50
  /// Connections to which an origin that answers over HTTP/1.1 may come from ``maxConcurrentPerHost`` on, as long as more
  /// of them bring more answers; nil for none.
  package var mostPerHost: Int?
  /// How often hosts may be asked; the first that names a host holds for it.
  public var rateLimits: [HTTPRateLimit] = []
  /// Shared room for bodies, beyond which downloads pause. `nil`: only ``maxBodyBytes`` bounds them.
  package var bodyRoom: (any HTTPBodyRoom)?
  /// Bytes that each body may have without asking for room.
  package var bodyAllowance = 256 << 10

  /// Whether a body lacks its end or may lack it, seen from its own form. Asked where the server ended it without having
  /// said how long it is: by closing the connection, or as an HTTP/2 stream, whose reset looks like its end.
  package var mayBeCut: @Sendable ([UInt8]) -> Bool = { _ in false }
  /// Whether a body is what was asked for: a server that says 202 may send words that it comes later.
  package var isAwaited: @Sendable ([UInt8]) -> Bool = { _ in true }

  // MARK: Limits of one exchange

  /// Largest body in bytes, held against the announced length, the bytes on the wire and the decoded ones. A
  /// request may have a limit of its own.
  public var maxBodyBytes = 100 << 20
  /// Largest header of an answer in bytes, all its lines together.
  public var maxHeaderBytes = 256 << 10
  /// Name look-up, connection and TLS handshake together.
  public var connectTimeout: Duration = .seconds(10)
  /// The longest wait for the first bytes of an answer, in whole seconds; URLSession waits as long.
  package var answerTimeout: Duration = .seconds(60)
  /// How long a body may stay below ``stallSpeed``. Counted in whole seconds.
  public var stallTimeout: Duration = .seconds(30)
  /// Bytes a second below which a transfer counts as stalled.
  public var stallSpeed = 100
  /// One exchange from its start to its last byte. The wait for a free place does not count.
  public var totalTimeout: Duration = .seconds(300)
  /// Redirects followed for one request. URLSession follows 20.
  public var maxRedirects = 20

  // MARK: Retries

  /// How often a retryable failure is tried again before it is final.
  public var retries = 2
  /// Wait before the first retry; it doubles for each further one.
  public var retryDelay: Duration = .milliseconds(500)
  /// Longest wait before a retry, whatever `Retry-After` asks for.
  public var maxRetryWait: Duration = .seconds(30)
  /// From a request's first try on; no retry is begun that could only begin later.
  public var maxRetryTime: Duration = .seconds(600)
  /// The random part of each wait, 0 to 1, so that shards of one job do not come back in step.
  var jitter: @Sendable () -> Double = { .random(in: 0...1) }

  // MARK: Who may be asked, and how

  /// Hosts that may be at private addresses: `host`, `host:port`, an IP literal, `*.suffix`.
  public var allowPrivate: [String] = []
  /// No proxy by default.
  public var proxies = HTTPProxies()
  /// Hosts whose requests are signed.
  public var signings: [HTTPSigning] = []
  /// Sent as `User-Agent` unless the request brings its own.
  public var userAgent = "preheat"
  /// A file of PEM certificates to trust in place of the system's.
  public var caFile: String?
  /// Hosts whose certificates are not looked at: `host`, `host:port`. Patterns are not allowed.
  public var insecureHosts: [String] = []
  /// `host:port:address` entries that stand in for a name look-up. For tests.
  public var resolve: [String] = []

  /// Gets the intervals of every exchange and its phases.
  public var signposts = Signposter.disabled

  /// What the advice in a failure names: these properties, or the settings of a job that stand for them.
  package enum Wording: Sendable { case properties, settings }
  package var wording = Wording.properties

  /// The defaults that each property states.
  public init() {}

  /// The wait that the server asked for, within the limit; `nil` when it asked for none.
  func hold(retryAfter: Int64?) -> Duration? {
    guard let retryAfter, retryAfter > 0 else { return nil }
    return retryAfter < maxRetryWait.components.seconds ? .seconds(retryAfter) : maxRetryWait
  }

  /// How long to wait before a failed exchange is tried again.
  ///
  /// - Parameters:
  ///   - attempt: retries already made.
  ///   - elapsed: since the first try began.
  ///   - retryAfter: what the server asked for, in seconds.
  /// - Returns: `nil` when no retry is left.
  func wait(attempt: Int, elapsed: Duration = .zero, retryAfter: Int64?) -> Duration? {
    guard attempt < retries else { return nil }
    let doubled = retryDelay * (1 << min(attempt, 16))
    let wait = hold(retryAfter: retryAfter) ?? min(doubled * (0.75 + 0.5 * jitter()), maxRetryWait)
    return elapsed + wait <= maxRetryTime ? wait : nil
  }
}

/// How often a host may be asked.
public struct HTTPRateLimit: Sendable, Hashable {
  /// `host`, `host:port` or `*.suffix`; nil for each host that no other limit names.
  public var host: String?
  /// A rate, which may have a fraction: 0.5 is a request in two seconds.
  public var requestsPerSecond: Double
  /// Requests that may go out at once after a pause.
  public var burst: Int

  /// A rate for one host, or for each that no other limit names.
  public init(host: String? = nil, requestsPerSecond: Double, burst: Int = 1) {
    self.host = host
    self.requestsPerSecond = requestsPerSecond
    self.burst = burst
  }
}

/// Room for bodies that are still coming in, shared with whatever holds the finished ones.
///
/// A loader asks it before a body outgrows ``HTTPConfiguration/bodyAllowance``, and pauses the transfer
/// where there is no room, so that slow consumers slow the downloads. When an exchange ends the loader gives
/// back all it took for it: the owner of the finished body counts it from then on. Called on the loader's
/// own thread, so it has to return at once.
package protocol HTTPBodyRoom: Sendable {
  func takeIfFree(_ bytes: Int) -> Bool
  /// Takes them in any case, so that at least one transfer can go on.
  func takeAnyway(_ bytes: Int)
  func give(_ bytes: Int)
}

/// The file of CA certificates that https requests go by. Systems keep theirs in different places, and libcurl knows
/// only that of the system it was built on.
package enum CertificateFile {
  private static let variables = ["SSL_CERT_FILE", "CURL_CA_BUNDLE"]
  private static let places = [
    // Debian, Ubuntu, Alpine, Arch; Fedora; openSUSE; Alpine without its package.
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
  ]

  /// Looked for once.
  static let ofProcess = find(in: ProcessInfo.processInfo.environment)

  /// What a variable names, be it there or not, else the first of the places that can be read; nil where none can.
  package static func find(
    in environment: [String: String], canRead: (String) -> Bool = { access($0, R_OK) == 0 }
  ) -> String? {
    variables.compactMap { environment[$0] }.first { !$0.isEmpty }
      ?? ([HTTPLibrary.certificates].compactMap { $0 } + places).first(where: canRead)
  }
}
