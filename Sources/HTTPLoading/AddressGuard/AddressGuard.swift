/// Decides which addresses a transfer may connect to.
///
/// The decision falls on the address of the socket that is about to be opened, for every hop: neither
/// the spelling of the host, nor what a name resolves to on a second look, can get around it.
struct AddressGuard: Sendable {
  private let allowed: [HostPattern]

  init(allowPrivate: [String]) {
    allowed = allowPrivate.compactMap { HostPattern($0) }
  }

  /// Whether this host was named as one that may be at any address.
  func allowsPrivate(host: String, port: Int) -> Bool {
    allowed.contains { $0.matches(host: host, port: port) }
  }

  /// Whether an address is refused to hosts that were not named.
  static func refuses(_ address: IPAddress) -> Bool { AddressClass(address) != .public }
}
