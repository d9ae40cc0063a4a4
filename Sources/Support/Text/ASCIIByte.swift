/// Kinds of ASCII characters; a byte of another character is of none.
extension UInt8 {
  /// `0` to `9`.
  @inlinable package var isDigit: Bool { self &- 0x30 < 10 }

  /// `a` to `z`.
  @inlinable package var isLowercaseLetter: Bool { self &- 0x61 < 26 }

  /// A letter of either case.
  @inlinable package var isLetter: Bool { (self | 0x20).isLowercaseLetter }

  @inlinable package var isLetterOrDigit: Bool { isLetter || isDigit }

  @inlinable package var isHexadecimalDigit: Bool { isDigit || (self | 0x20) &- 0x61 < 6 }

  /// What a hexadecimal digit of either case stands for; nil for other bytes.
  @inlinable package var hexadecimalValue: UInt8? {
    isDigit ? self - 0x30 : isHexadecimalDigit ? (self | 0x20) - 0x57 : nil
  }

  /// What may stand in the name of an HTTP header field (RFC 9110, section 5.6.2).
  package var isToken: Bool { isLetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains(self) }
}
