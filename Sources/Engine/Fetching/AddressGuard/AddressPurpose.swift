/// The purposes of addresses, after the IANA special-purpose address registries (RFC 6890).
///
/// Only an address without one may be connected to by a URL from a stranger: everything else is this machine, its
/// neighbours, or a wrapping in which an address of these kinds can hide.
enum AddressPurpose {
  /// The purpose in words; nil for a public address.
  static func of(_ address: IPAddress) -> String? {
    if let block = blocks.first(where: { $0.range.contains(address) }) {
      return block.purpose ?? of(IPAddress(bytes: address.bytes.suffix(4)))
    }
    // Of IPv6 only 2000::/3 has been given out (RFC 4291, section 2.4).
    return address.bytes.count == 4 || address.hasPrefix([0x20], length: 3) ? nil : "reserved"
  }

  private static let blocks = registry.compactMap { text, purpose in
    AddressRange(text).map { (range: $0, purpose: purpose) }
  }

  /// Blocks of addresses with a purpose of their own; none where packets go to the IPv4 address at the end. More
  /// particular blocks stand before the wider ones that hold them.
  private static let registry: [(block: String, purpose: String?)] = [
    ("0.0.0.0/8", "this network"),
    ("10.0.0.0/8", "a private network"),
    ("100.64.0.0/10", "a provider's shared network"),
    ("127.0.0.0/8", "this machine"),
    ("169.254.0.0/16", "link-local"),
    ("172.16.0.0/12", "a private network"),
    ("192.0.0.0/24", "reserved"),
    ("192.0.2.0/24", "documentation only"),
    ("192.88.99.0/24", "an IPv4 address in an IPv6 wrapping"),  // 6to4 relays, withdrawn by RFC 7526
    ("192.168.0.0/16", "a private network"),
    ("198.18.0.0/15", "benchmarking only"),
    ("198.51.100.0/24", "documentation only"),
    ("203.0.113.0/24", "documentation only"),
    ("224.0.0.0/4", "multicast"),
    ("255.255.255.255/32", "broadcast"),
    ("240.0.0.0/4", "reserved"),

    ("::/128", "this network"),
    ("::1/128", "this machine"),
    ("::ffff:0:0/96", nil),  // mapped
    ("::ffff:0:0:0/96", "an IPv4 address in an IPv6 wrapping"),  // translated, RFC 2765
    ("::/96", "an IPv4 address in an IPv6 wrapping"),  // compatible, RFC 4291 section 2.5.5.1
    // DNS64 answers with these on networks without IPv4 (RFC 6052), so a public one has to work.
    ("64:ff9b::/96", nil),
    ("64:ff9b:1::/48", "an IPv4 address in an IPv6 wrapping"),  // NAT64 for local use, RFC 8215
    ("100::/64", "reserved"),  // discard only, RFC 6666
    ("2001::/32", "an IPv4 address in an IPv6 wrapping"),  // Teredo
    ("2001:2::/48", "benchmarking only"),
    ("2001:db8::/32", "documentation only"),
    ("2001::/23", "reserved"),  // protocol assignments
    ("2002::/16", "an IPv4 address in an IPv6 wrapping"),  // 6to4
    ("3fff::/20", "documentation only"),
    ("fc00::/7", "a unique local network"),
    ("fe80::/10", "link-local"),
    ("fec0::/10", "a private network"),  // site-local, withdrawn by RFC 3879
    ("ff00::/8", "multicast"),
  ]
}
