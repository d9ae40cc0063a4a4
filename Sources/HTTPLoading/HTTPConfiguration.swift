import Signposts

/// The limits of an ``HTTPLoader``, all set before the first transfer.
public struct HTTPConfiguration: Sendable {
  /// Transfers under way at once, over all hosts.
  public var maxConcurrent = 16
  /// Transfers under way at once to one origin. Nuke and Kingfisher load six at a time.
  public var maxConcurrentPerHost = 6
  /// Largest body in bytes, held against the bytes on the wire and against the decoded ones.
  public var maxBodyBytes = 100 << 20
  /// Name look-up, connection and TLS handshake together.
  public var connectTimeout: Duration = .seconds(10)
  /// How long a connected transfer may stay below ``stallSpeed``; also the longest wait for a first byte.
  /// Counted in whole seconds.
  public var stallTimeout: Duration = .seconds(30)
  /// Bytes a second below which a transfer counts as stalled.
  public var stallSpeed = 100
  /// One exchange from its start to its last byte. The wait for a free place does not count.
  public var totalTimeout: Duration = .seconds(300)
  /// Redirects followed for one request.
  public var maxRedirects = 5
  /// How often a retryable failure is tried again before it is final.
  public var retries = 2
  /// Wait before the first retry; it doubles for each further one.
  public var retryDelay: Duration = .milliseconds(500)
  /// Longest wait before a retry, whatever `Retry-After` asks for.
  public var maxRetryWait: Duration = .seconds(30)
  /// Hosts that may be at private addresses: `host`, `host:port`, an IP literal, `*.suffix`.
  public var allowPrivate: [String] = []
  /// Sent as `User-Agent` unless the request brings its own.
  public var userAgent = "preheat"
  /// A file of PEM certificates to trust in place of the system's.
  public var caFile: String?
  /// `host:port:address` entries that stand in for a name look-up. For tests.
  public var resolve: [String] = []

  /// Told of every exchange and its phases.
  public var signposts = Signposter.disabled

  public init() {}
}
