/// Lower-case hexadecimal text of bytes, two digits a byte.
public func hexadecimal(_ bytes: [UInt8]) -> String {
  String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
    for (index, byte) in bytes.enumerated() {
      text[2 * index] = hexadecimalDigit(byte >> 4)
      text[2 * index + 1] = hexadecimalDigit(byte & 15)
    }
    return 2 * bytes.count
  }
}

private func hexadecimalDigit(_ value: UInt8) -> UInt8 {
  value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
}
