/// A block of addresses with a purpose of its own.
struct AddressBlock: Sendable {
  enum Meaning: Sendable {
    case kind(AddressClass)
    /// Packets go to the IPv4 address that begins at this byte.
    case wrapsIPv4(offset: Int)
  }

  let range: AddressRange
  let meaning: Meaning

  /// More particular blocks stand before the wider ones that hold them.
  static let all: [AddressBlock] = [
    block("0.0.0.0/8", .unspecified),
    block("10.0.0.0/8", .privateNetwork),
    block("100.64.0.0/10", .carrierGrade),
    block("127.0.0.0/8", .loopback),
    block("169.254.0.0/16", .linkLocal),
    block("172.16.0.0/12", .privateNetwork),
    block("192.0.0.0/24", .reserved),
    block("192.0.2.0/24", .documentation),
    block("192.88.99.0/24", .transition),  // 6to4 relays, withdrawn by RFC 7526
    block("192.168.0.0/16", .privateNetwork),
    block("198.18.0.0/15", .benchmarking),
    block("198.51.100.0/24", .documentation),
    block("203.0.113.0/24", .documentation),
    block("224.0.0.0/4", .multicast),
    block("255.255.255.255/32", .broadcast),
    block("240.0.0.0/4", .reserved),

    block("::/128", .unspecified),
    block("::1/128", .loopback),
    wrapping("::ffff:0:0/96"),  // mapped
    block("::ffff:0:0:0/96", .transition),  // translated, RFC 2765
    block("::/96", .transition),  // compatible, RFC 4291 section 2.5.5.1
    // DNS64 answers with these on networks without IPv4 (RFC 6052), so a public one has to work.
    wrapping("64:ff9b::/96"),
    block("64:ff9b:1::/48", .transition),  // NAT64 for local use, RFC 8215
    block("100::/64", .reserved),  // discard only, RFC 6666
    block("2001::/32", .transition),  // Teredo
    block("2001:2::/48", .benchmarking),
    block("2001:db8::/32", .documentation),
    block("2001::/23", .reserved),  // protocol assignments
    block("2002::/16", .transition),  // 6to4
    block("3fff::/20", .documentation),
    block("fc00::/7", .uniqueLocal),
    block("fe80::/10", .linkLocal),
    block("fec0::/10", .privateNetwork),  // site-local, withdrawn by RFC 3879
    block("ff00::/8", .multicast),
  ].compactMap { $0 }

  private static func block(_ range: String, _ kind: AddressClass) -> Self? {
    AddressRange(range).map { Self(range: $0, meaning: .kind(kind)) }
  }

  private static func wrapping(_ range: String) -> Self? {
    AddressRange(range).map { Self(range: $0, meaning: .wrapsIPv4(offset: 12)) }
  }
}

/// The purpose of an address, after the IANA special-purpose address registries (RFC 6890).
///
/// Only `public` may be connected to by a URL from a stranger: everything else is this machine, its
/// neighbours, or a wrapping in which an address of these kinds can hide.
enum AddressClass: String, Sendable, Hashable, CaseIterable {
  case `public`
  case unspecified = "this network"
  case loopback = "this machine"
  case privateNetwork = "a private network"
  case carrierGrade = "a provider's shared network"
  case linkLocal = "link-local"
  case uniqueLocal = "a unique local network"
  case multicast = "multicast"
  case broadcast = "broadcast"
  case documentation = "documentation only"
  case benchmarking = "benchmarking only"
  case transition = "an IPv4 address in an IPv6 wrapping"
  case reserved = "reserved"

  init(_ address: IPAddress) {
    guard let block = AddressBlock.all.first(where: { $0.range.contains(address) }) else {
      // Of IPv6 only 2000::/3 has been given out (RFC 4291, section 2.4).
      let isGiven = address.bytes.count == 4 || address.hasPrefix([0x20], length: 3)
      self = isGiven ? .public : .reserved
      return
    }
    switch block.meaning {
    case .kind(let kind): self = kind
    case .wrapsIPv4(let offset):
      self = AddressClass(IPAddress(bytes: Array(address.bytes[offset..<offset + 4])))
    }
  }
}
