import CCurl

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
    pcurl_address_print(bytes, Int32(bytes.count), &text)
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Whether the first `length` bits are those of `prefix`.
  func hasPrefix(_ prefix: [UInt8], length: Int) -> Bool {
    let whole = length / 8
    guard bytes.prefix(whole) == prefix.prefix(whole) else { return false }
    let rest = length % 8
    guard rest > 0 else { return true }
    let mask = UInt8(truncatingIfNeeded: 0xff00 >> rest)
    return bytes[whole] & mask == prefix[whole] & mask
  }
}
