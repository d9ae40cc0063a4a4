/// The configuration's rules for hosts, parsed once.
final class HostRules: Sendable {
  let configuration: HTTPConfiguration
  let allowed: HostTable<String>
  let rates: HostTable<HTTPRateLimit>
  let insecure: HostTable<String>
  let signings: HostTable<HTTPSigning>

  init(_ configuration: HTTPConfiguration) {
    self.configuration = configuration
    allowed = HostTable(configuration.allowPrivate) { $0 }
    rates = HostTable(configuration.rateLimits, host: \.host)
    // No patterns: an insecure host has to be named.
    insecure = HostTable(configuration.insecureHosts) { $0.contains("*") ? nil : $0 }
    signings = HostTable(configuration.signings, host: \.host)
  }

  /// The limit that names the host, or else the one for all.
  func rate(of url: HTTPURL) -> HTTPRateLimit? {
    rates[url] ?? configuration.rateLimits.first { $0.host == nil }
  }

  /// Behind a proxy only the URL's own spelling of the server can be checked.
  func check(_ url: HTTPURL) throws(HTTPFailure) {
    let name = url.host.hasSuffix(".") ? String(url.host.dropLast()) : url.host
    let isLocal = name == "localhost" || name.hasSuffix(".localhost")
    let address = isLocal ? IPAddress(bytes: [127, 0, 0, 1]) : IPAddress(name)
    if let address, AddressPurpose.of(address) != nil {
      throw HTTPFailure(refused: address, url: url, wording: configuration.wording)
    }
  }
}
