import Text

/// Which proxy a request goes through, by the rules of curl.
///
/// Behind a proxy the address of a server cannot be seen, so it cannot be checked either; only private
/// addresses and local names that stand in the URL itself are still refused.
public struct HTTPProxies: Sendable, Hashable {
  /// The proxy for `http` URLs, such as `http://proxy.example:3128`; it may hold user info.
  public var http: String?
  /// The proxy for `https` URLs.
  public var https: String?
  /// Hosts that are reached directly: names with their subdomains, addresses, blocks such as `10.0.0.0/8`, each with a
  /// port or without, or `*` for all.
  public var bypass: [String]

  /// No proxy unless one is given.
  public init(http: String? = nil, https: String? = nil, bypass: [String] = []) {
    self.http = http
    self.https = https
    self.bypass = bypass
  }

  /// The proxies of curl's variables: `http_proxy` in lower case only, `https_proxy`, `all_proxy` and
  /// `no_proxy` in either case.
  public init(environment: [String: String]) {
    func value(_ names: String...) -> String? {
      names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    }
    let all = value("all_proxy", "ALL_PROXY")
    // A server would find a request's `Proxy` field in HTTP_PROXY, so that is not read.
    http = value("http_proxy") ?? all
    https = value("https_proxy", "HTTPS_PROXY") ?? all
    bypass = Self.list(value("no_proxy", "NO_PROXY") ?? "")
  }

  /// Names divided by commas or white space.
  package static func list(_ text: String) -> [String] {
    text.split { $0 == "," || $0.isWhitespace }.map(String.init)
  }

  private static let schemes = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]

  /// Whether a text is the whole URL of a proxy that is known here: its scheme, a host, and a port where one is written.
  package static func isProxy(_ text: String) -> Bool {
    guard let schemeEnd = text.firstRange(of: "://"),
      schemes.contains(text[..<schemeEnd.lowerBound].lowercased()),
      !text.unicodeScalars.contains(where: { $0.value <= 0x20 || $0.value == 0x7f })
    else { return false }
    // A host is written alike in the URLs of all schemes.
    return (try? HTTPURL("http" + text[schemeEnd.lowerBound...])) != nil
  }

  /// Whether every request goes out directly.
  public var isEmpty: Bool { http == nil && https == nil }

  /// The proxies without user info, query and fragment, for messages.
  package var names: [String] {
    let names = [http, https].compactMap { $0.map(Self.name) }
    return names.first == names.last ? Array(names.prefix(1)) : names
  }

  /// Without user info, query and fragment.
  static func name(of proxy: String) -> String {
    let bare = proxy.lastIndex(of: "@").map { String(proxy[proxy.index(after: $0)...]) } ?? proxy
    return RedactedURL.escaped(bare.prefix { $0 != "?" && $0 != "#" })
  }

  func proxy(for url: HTTPURL) -> String? {
    guard let proxy = url.isHTTPS ? https : http, !bypasses(url) else { return nil }
    return proxy
  }

  private func bypasses(_ url: HTTPURL) -> Bool {
    if bypass.contains("*") { return true }
    let name = url.host.hasSuffix(".") ? String(url.host.dropLast()) : url.host
    let address = IPAddress(name)
    return bypass.contains { text in
      var entry = text.lowercased()[...]
      // `name:port`; an IPv6 address has its port behind brackets.
      if let colon = entry.lastIndex(of: ":"), let port = Int(entry[entry.index(after: colon)...]),
        entry[..<colon].last == "]" || !entry[..<colon].contains(":")
      {
        guard port == url.port else { return false }
        entry = entry[..<colon]
      }
      if let address { return AddressRange(String(entry))?.contains(address) ?? false }
      if entry.hasPrefix("*.") { entry = entry.dropFirst() }
      if entry.hasPrefix(".") { entry = entry.dropFirst() }
      if entry.hasSuffix(".") { entry = entry.dropLast() }
      return !entry.isEmpty && (name == entry || name.hasSuffix("." + entry))
    }
  }
}

/// An address, or a block of them in the notation of RFC 4632: `10.0.0.0/8`.
struct AddressRange: Sendable, Hashable {
  private let address: IPAddress
  private let length: Int

  /// `nil` for a text that is neither. An IPv6 address may stand in brackets.
  init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    var name = parts[0]
    if name.hasPrefix("["), name.hasSuffix("]") { name = name.dropFirst().dropLast() }
    guard let address = IPAddress(String(name)) else { return nil }
    let bits = address.bytes.count * 8
    guard let length = parts.count == 1 ? bits : Int(parts[1]), (0...bits).contains(length) else {
      return nil
    }
    self.address = address
    self.length = length
  }

  func contains(_ other: IPAddress) -> Bool {
    other.bytes.count == address.bytes.count && other.hasPrefix(address.bytes, length: length)
  }
}
