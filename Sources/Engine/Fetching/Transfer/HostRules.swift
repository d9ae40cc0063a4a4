/// The configuration's rules for hosts, parsed once.
struct HostRules: Sendable {
  private let configuration: HTTPConfiguration
  private let allowed: HostTable<String>
  private let rates: HostTable<HTTPRateLimit>
  private let insecure: HostTable<String>
  private let signings: HostTable<HTTPSigning>
  private let netrc: NetrcHosts

  init(_ configuration: HTTPConfiguration) {
    self.configuration = configuration
    allowed = HostTable(configuration.allowPrivate) { $0 }
    rates = HostTable(configuration.rateLimits, host: \.host)
    // No patterns: an insecure host has to be named.
    insecure = HostTable(configuration.insecureHosts) { $0.contains("*") ? nil : $0 }
    signings = HostTable(configuration.signings, host: \.host)
    netrc = NetrcHosts(configuration.netrc)
  }

  /// The limit that names the host, or else the one for all.
  func rate(of url: HTTPURL) -> HTTPRateLimit? {
    rates[url] ?? configuration.rateLimits.first { $0.host == nil }
  }

  /// - Throws: `fetch.private-address` where a proxy would be asked for an address that is refused here.
  func exchange(for load: Load) throws(HTTPFailure) -> Exchange {
    let url = load.hop
    let isGuarded = allowed[url] == nil
    let proxy = configuration.proxies.proxy(for: url)
    if proxy != nil, isGuarded { try Self.check(url) }
    var exchange = Exchange(
      url: url.text, isHTTPS: url.isHTTPS, headers: load.headers, credentials: load.credentials,
      proxy: proxy,
      // The socket goes to the proxy then, and that one was named by the user.
      isGuarded: isGuarded && proxy == nil,
      isVerified: insecure[url] == nil,
      maxBodyBytes: load.submission.request.maxBodyBytes ?? configuration.maxBodyBytes)
    exchange.mayUseNetrc = load.isAtItsOrigin || netrc.names(url.host)
    // A redirect from elsewhere must not use our credentials to fetch something that its author may not see.
    if load.isAtItsOrigin, let signing = signings[url] {
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
    if let address, AddressClass(address) != .public { throw HTTPFailure(refused: address, url: url) }
  }
}
