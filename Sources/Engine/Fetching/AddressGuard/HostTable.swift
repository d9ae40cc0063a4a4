import CCurl
import Text

/// What a configuration says of hosts: the first entry that names a host holds for it.
struct HostTable<Value: Sendable>: Sendable {
  private let rows: [(pattern: HostPattern, value: Value)]

  /// - Parameter host: the host that an entry names. An entry that names none is left out.
  init(_ values: [Value], host: (Value) -> String?) {
    rows = values.compactMap { value in host(value).flatMap { HostPattern($0) }.map { ($0, value) } }
  }

  subscript(host: String, port: Int) -> Value? {
    rows.first { $0.pattern.matches(host: host, port: port) }?.value
  }

  subscript(url: HTTPURL) -> Value? { self[url.host, url.port] }
}

/// A host as a configuration names it.
struct HostPattern: Sendable, Hashable {
  private let host: String
  private let port: Int?
  private let isSuffix: Bool

  /// `host`, `host:port`, `*.suffix`, `*.suffix:port`, an IPv4 address, an IPv6 address with brackets or,
  /// where no port follows, without. `nil` for a text that names no host.
  init?(_ text: String) {
    let text = text.lowercased()
    isSuffix = text.hasPrefix("*.")
    guard let host = HostText(isSuffix ? text.dropFirst(2) : text[...]) else { return nil }
    // The dot parts a suffix from the names before it.
    self.host = Self.canonical((isSuffix ? "." : "") + host.name)
    port = host.port.map { Int($0) }
    guard !self.host.isEmpty, !self.host.contains("*") else { return nil }
  }

  func matches(host: String, port: Int) -> Bool {
    guard self.port == nil || self.port == port else { return false }
    if !isSuffix, host == self.host { return true }
    let host = Self.canonical(host[...])
    return isSuffix ? host.hasSuffix(self.host) && host != self.host : host == self.host
  }

  /// One spelling for a host: lower case, without the dot of a rooted name, an address as it is printed.
  private static func canonical(_ host: Substring) -> String {
    let name = host.hasSuffix(".") ? host.dropLast() : host
    return IPAddress(String(name))?.description ?? name.lowercased()
  }
}

/// An IPv4 or IPv6 address: 4 or 16 bytes in network order.
struct IPAddress: Sendable, Hashable, CustomStringConvertible {
  let bytes: [UInt8]

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// The usual spellings only: four decimal numbers, or the IPv6 forms of RFC 4291.
  init?(_ text: String) {
    guard !text.utf8.contains(0) else { return nil }
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = pcurl_address_parse(text, &bytes)
    guard count > 0 else { return nil }
    self.bytes = Array(bytes.prefix(Int(count)))
  }

  var description: String {
    var text = [CChar](repeating: 0, count: 46)
    // fits: 4 or 16 bytes.
    pcurl_address_print(bytes, Int32(bytes.count), &text)
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  func hasPrefix(_ prefix: [UInt8], length: Int) -> Bool {
    let whole = length / 8
    guard bytes.prefix(whole) == prefix.prefix(whole) else { return false }
    let rest = length % 8
    guard rest > 0 else { return true }
    let mask = UInt8(truncatingIfNeeded: 0xff00 >> rest)
    return bytes[whole] & mask == prefix[whole] & mask
  }
}
