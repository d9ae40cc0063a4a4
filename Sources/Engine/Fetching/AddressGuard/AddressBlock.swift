/// A block of addresses with a purpose of its own.
struct AddressBlock: Sendable {
  enum Meaning: Sendable {
    case kind(AddressClass)
    /// Packets go to the IPv4 address that begins at this byte.
    case wrapsIPv4(offset: Int)
  }

  let prefix: [UInt8]
  let length: Int
  let meaning: Meaning
  private let isIPv4: Bool

  func contains(_ address: IPAddress) -> Bool {
    (address.bytes.count == 4) == isIPv4 && address.hasPrefix(prefix, length: length)
  }

  private static func v4(_ prefix: [UInt8], _ length: Int, _ kind: AddressClass) -> Self {
    Self(prefix: prefix, length: length, meaning: .kind(kind), isIPv4: true)
  }

  private static func v6(_ groups: [UInt16], _ length: Int, _ meaning: Meaning) -> Self {
    // fits: halves of 16 bits.
    var prefix = groups.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
    prefix += [UInt8](repeating: 0, count: 16 - prefix.count)
    return Self(prefix: prefix, length: length, meaning: meaning, isIPv4: false)
  }

  /// More particular blocks stand before the wider ones that hold them.
  static let all: [AddressBlock] = [
    v4([0], 8, .unspecified),
    v4([10], 8, .privateNetwork),
    v4([100, 64], 10, .carrierGrade),
    v4([127], 8, .loopback),
    v4([169, 254], 16, .linkLocal),
    v4([172, 16], 12, .privateNetwork),
    v4([192, 0, 0], 24, .reserved),
    v4([192, 0, 2], 24, .documentation),
    v4([192, 88, 99], 24, .transition),  // 6to4 relays, withdrawn by RFC 7526
    v4([192, 168], 16, .privateNetwork),
    v4([198, 18], 15, .benchmarking),
    v4([198, 51, 100], 24, .documentation),
    v4([203, 0, 113], 24, .documentation),
    v4([224], 4, .multicast),
    v4([255, 255, 255, 255], 32, .broadcast),
    v4([240], 4, .reserved),

    v6([], 128, .kind(.unspecified)),
    v6([0, 0, 0, 0, 0, 0, 0, 1], 128, .kind(.loopback)),
    v6([0, 0, 0, 0, 0, 0xffff], 96, .wrapsIPv4(offset: 12)),  // mapped
    v6([0, 0, 0, 0, 0xffff, 0], 96, .kind(.transition)),  // translated, RFC 2765
    v6([], 96, .kind(.transition)),  // compatible, RFC 4291 section 2.5.5.1
    // DNS64 answers with these on networks without IPv4 (RFC 6052), so a public one has to work.
    v6([0x64, 0xff9b, 0, 0, 0, 0], 96, .wrapsIPv4(offset: 12)),
    v6([0x64, 0xff9b, 1], 48, .kind(.transition)),  // NAT64 for local use, RFC 8215
    v6([0x100], 64, .kind(.reserved)),  // discard only, RFC 6666
    v6([0x2001, 0], 32, .kind(.transition)),  // Teredo
    v6([0x2001, 2, 0], 48, .kind(.benchmarking)),
    v6([0x2001, 0xdb8], 32, .kind(.documentation)),
    v6([0x2001, 0], 23, .kind(.reserved)),  // protocol assignments
    v6([0x2002], 16, .kind(.transition)),  // 6to4
    v6([0x3fff], 20, .kind(.documentation)),
    v6([0xfc00], 7, .kind(.uniqueLocal)),
    v6([0xfe80], 10, .kind(.linkLocal)),
    v6([0xfec0], 10, .kind(.privateNetwork)),  // site-local, withdrawn by RFC 3879
    v6([0xff00], 8, .kind(.multicast)),
  ]
}

/// What an address is for, after the IANA special-purpose address registries (RFC 6890).
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
    guard let block = AddressBlock.all.first(where: { $0.contains(address) }) else {
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
