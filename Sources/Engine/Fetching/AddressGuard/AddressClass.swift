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
    if let block = Self.blocks.first(where: { $0.range.contains(address) }) {
      self = block.purpose ?? AddressClass(IPAddress(bytes: address.bytes.suffix(4)))
    } else {
      // Of IPv6 only 2000::/3 has been given out (RFC 4291, section 2.4).
      let isGiven = address.bytes.count == 4 || address.hasPrefix([0x20], length: 3)
      self = isGiven ? .public : .reserved
    }
  }

  private static let blocks = registry.compactMap { text, purpose in
    AddressRange(text).map { (range: $0, purpose: purpose) }
  }

  /// Blocks of addresses with a purpose of their own; none where packets go to the IPv4 address at the end. More
  /// particular blocks stand before the wider ones that hold them.
  private static let registry: [(block: String, purpose: AddressClass?)] = [
    ("0.0.0.0/8", .unspecified),
    ("10.0.0.0/8", .privateNetwork),
    ("100.64.0.0/10", .carrierGrade),
    ("127.0.0.0/8", .loopback),
    ("169.254.0.0/16", .linkLocal),
    ("172.16.0.0/12", .privateNetwork),
    ("192.0.0.0/24", .reserved),
    ("192.0.2.0/24", .documentation),
    ("192.88.99.0/24", .transition),  // 6to4 relays, withdrawn by RFC 7526
    ("192.168.0.0/16", .privateNetwork),
    ("198.18.0.0/15", .benchmarking),
    ("198.51.100.0/24", .documentation),
    ("203.0.113.0/24", .documentation),
    ("224.0.0.0/4", .multicast),
    ("255.255.255.255/32", .broadcast),
    ("240.0.0.0/4", .reserved),

    ("::/128", .unspecified),
    ("::1/128", .loopback),
    ("::ffff:0:0/96", nil),  // mapped
    ("::ffff:0:0:0/96", .transition),  // translated, RFC 2765
    ("::/96", .transition),  // compatible, RFC 4291 section 2.5.5.1
    // DNS64 answers with these on networks without IPv4 (RFC 6052), so a public one has to work.
    ("64:ff9b::/96", nil),
    ("64:ff9b:1::/48", .transition),  // NAT64 for local use, RFC 8215
    ("100::/64", .reserved),  // discard only, RFC 6666
    ("2001::/32", .transition),  // Teredo
    ("2001:2::/48", .benchmarking),
    ("2001:db8::/32", .documentation),
    ("2001::/23", .reserved),  // protocol assignments
    ("2002::/16", .transition),  // 6to4
    ("3fff::/20", .documentation),
    ("fc00::/7", .uniqueLocal),
    ("fe80::/10", .linkLocal),
    ("fec0::/10", .privateNetwork),  // site-local, withdrawn by RFC 3879
    ("ff00::/8", .multicast),
  ]
}
