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
