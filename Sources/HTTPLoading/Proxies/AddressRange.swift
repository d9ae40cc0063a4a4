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
