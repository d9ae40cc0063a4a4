/// The configuration's rules for hosts, parsed once.
struct HostRules: Sendable {
  private let addressGuard: AddressGuard
  private let rates: RateLimits
  private let proxies: HTTPProxies
  private let insecure: [HostPattern]
  private let signings: [(pattern: HostPattern, signing: HTTPSigning)]
  private let maxBodyBytes: Int
  private let netrc: NetrcHosts

  init(_ configuration: HTTPConfiguration) {
    addressGuard = AddressGuard(allowPrivate: configuration.allowPrivate)
    rates = RateLimits(configuration.rateLimits)
    proxies = configuration.proxies
    maxBodyBytes = configuration.maxBodyBytes
    netrc = NetrcHosts(configuration.netrc)
    // No patterns: an insecure host has to be named.
    insecure = configuration.insecureHosts.filter { !$0.contains("*") }.compactMap { HostPattern($0) }
    signings = configuration.signings.compactMap { signing in
      HostPattern(signing.host).map { ($0, signing) }
    }
  }

  func rate(of url: HTTPURL) -> HTTPRateLimit? { rates.limit(host: url.host, port: url.port) }

  /// - Throws: `fetch.private-address` where a proxy would be asked for an address that is refused here.
  func exchange(for load: Load) throws(HTTPFailure) -> Exchange {
    let url = load.hop
    let isGuarded = !addressGuard.allowsPrivate(host: url.host, port: url.port)
    let proxy = proxies.proxy(for: url)
    if proxy != nil, isGuarded { try Self.check(url) }
    var exchange = Exchange(
      url: url.text, isHTTPS: url.isHTTPS, headers: load.headers, credentials: load.credentials,
      proxy: proxy,
      // The socket goes to the proxy then, and that one was named by the user.
      isGuarded: isGuarded && proxy == nil,
      isVerified: !insecure.contains { $0.matches(host: url.host, port: url.port) },
      maxBodyBytes: load.submission.request.maxBodyBytes ?? maxBodyBytes)
    exchange.mayUseNetrc = load.isAtItsOrigin || netrc.names(url.host)
    // A redirect from elsewhere must not use our credentials to fetch something that its author may not see.
    if load.isAtItsOrigin,
      let signing = signings.first(where: { $0.pattern.matches(host: url.host, port: url.port) })?.signing
    {
      exchange.url = CanonicalURL(url.text).text
      exchange.headers += signing.headers
      exchange.credentials = (signing.credentials.accessKey, signing.credentials.secretKey)
      exchange.signature = signing.scope
    }
    return exchange
  }

  /// Behind a proxy only the URL's own spelling of the server can be checked.
  private static func check(_ url: HTTPURL) throws(HTTPFailure) {
    let name = url.host.hasSuffix(".") ? String(url.host.dropLast()) : url.host
    let isLocal = name == "localhost" || name.hasSuffix(".localhost")
    let address = isLocal ? IPAddress(bytes: [127, 0, 0, 1]) : IPAddress(name)
    if let address, AddressGuard.refuses(address) { throw HTTPFailure(refused: address, url: url) }
  }
}
