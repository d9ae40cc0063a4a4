/// Finds the limit of a host: the first that names it, or else the one for all.
struct RateLimits: Sendable {
  private let named: [(pattern: HostPattern, limit: HTTPRateLimit)]
  private let general: HTTPRateLimit?

  init(_ limits: [HTTPRateLimit]) {
    named = limits.compactMap { limit in
      limit.host.flatMap { HostPattern($0) }.map { ($0, limit) }
    }
    general = limits.first { $0.host == nil }
  }

  func limit(host: String, port: Int) -> HTTPRateLimit? {
    named.first { $0.pattern.matches(host: host, port: port) }?.limit ?? general
  }
}
