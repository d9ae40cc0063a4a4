import JobFile

/// What a job says about the network; jobs that say the same share a loader and their downloads.
package struct NetworkRules: Sendable, Hashable {
  /// Hosts at private addresses that the job allows.
  package var allowPrivate: [String]
  package var rateLimits: [RateLimit]
  package var connectionsPerHost: Int?
  package var signatures: [HostSignature]

  package init(_ settings: JobSettings) {
    allowPrivate = settings.allowPrivate
    rateLimits = settings.rateLimits
    connectionsPerHost = settings.connectionsPerHost
    signatures = settings.signatures
  }
}

/// Finds the headers that a job gives for a URL's host.
struct HostHeaders {
  private let rules: [HostHeader]

  init(_ rules: [HostHeader]) {
    self.rules = rules
  }

  package func headers(for url: String) -> [HostHeader] {
    guard !rules.isEmpty, let host = Self.host(of: url)?.lowercased() else { return [] }
    return rules.filter { $0.host.lowercased() == host || $0.host.lowercased() == Self.withoutPort(host) }
  }

  /// Host with port, without user info: the authority of an http(s) URL (RFC 3986, section 3.2).
  package static func host(of url: String) -> String? {
    guard let scheme = url.range(of: "://") else { return nil }
    let authority = url[scheme.upperBound...].prefix { !"/?#".contains($0) }
    return authority.split(separator: "@", omittingEmptySubsequences: false).last.map(String.init)
  }

  private static func withoutPort(_ host: String) -> String {
    guard let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") else { return host }
    return String(host[..<colon])
  }
}
