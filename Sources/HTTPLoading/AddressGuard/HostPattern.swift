/// One entry of the hosts that may be at private addresses.
struct HostPattern: Sendable, Hashable {
  private let host: String
  private let port: Int?
  private let isSuffix: Bool

  /// `host`, `host:port`, `*.suffix`, `*.suffix:port`, an IPv4 address, an IPv6 address with brackets or,
  /// where no port follows, without. `nil` for a text that names no host.
  init?(_ text: String) {
    var host = Substring(text.lowercased())
    var port: Int?
    if IPAddress(String(host)) == nil, let colon = host.lastIndex(of: ":"), host.last != "]" {
      guard let number = UInt16(host[host.index(after: colon)...]) else { return nil }
      port = Int(number)
      host = host[..<colon]
    }
    if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
    isSuffix = host.hasPrefix("*.")
    if isSuffix { host = host.dropFirst() }
    self.host = Self.canonical(host)
    self.port = port
    guard !self.host.isEmpty, !self.host.contains("*") else { return nil }
  }

  func matches(host: String, port: Int) -> Bool {
    guard self.port == nil || self.port == port else { return false }
    let host = Self.canonical(host[...])
    return isSuffix ? host.hasSuffix(self.host) && host != self.host : host == self.host
  }

  /// One spelling for a host: lower case, without the dot of a rooted name, an address as it is printed.
  private static func canonical(_ host: Substring) -> String {
    let name = host.hasSuffix(".") ? host.dropLast() : host
    return IPAddress(String(name))?.description ?? name.lowercased()
  }
}
