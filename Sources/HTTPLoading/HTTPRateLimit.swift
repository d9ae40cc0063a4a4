/// How often a host may be asked.
public struct HTTPRateLimit: Sendable, Hashable {
  /// `host`, `host:port` or `*.suffix`; nil for each host that no other limit names.
  public var host: String?
  public var requestsPerSecond: Double
  /// Requests that may go out at once after a pause.
  public var burst: Int

  public init(host: String? = nil, requestsPerSecond: Double, burst: Int = 1) {
    self.host = host
    self.requestsPerSecond = requestsPerSecond
    self.burst = burst
  }
}
