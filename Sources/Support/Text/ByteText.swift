import Foundation

/// Text that counts by its bytes: two Unicode normal forms of a word are two cache keys, and `String` takes them for one.
package struct ByteText: Hashable, Comparable, Sendable {
  package var text: String

  package init(_ text: String) { self.text = text }

  package static func == (a: ByteText, b: ByteText) -> Bool { a.text.hasBytes(of: b.text) }

  package static func < (a: ByteText, b: ByteText) -> Bool {
    a.text.utf8.lexicographicallyPrecedes(b.text.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension String {
  package func hasBytes(of other: String) -> Bool {
    var (one, two) = (self, other)
    return one.withUTF8 { one in two.withUTF8 { two in one.elementsEqual(two) } }
  }

  /// Bytes as text to read; where they are not UTF-8, those that are not ASCII as `\xE9`.
  package init(showing bytes: some Collection<UInt8>) {
    self =
      String(bytes: bytes, encoding: .utf8)
      ?? bytes.map { $0 < 0x80 ? "\(UnicodeScalar($0))" : "\\x" + String($0, radix: 16, uppercase: true) }
      .joined()
  }
}

extension StringProtocol {
  /// Whether all bytes are of a kind.
  @inlinable package func hasBytes(_ isFine: (UInt8) -> Bool) -> Bool {
    utf8.withContiguousStorageIfAvailable { $0.allSatisfy(isFine) } ?? utf8.allSatisfy(isFine)
  }

  /// Whether it is a number of hexadecimal digits in lower case, as names and lists spell digests.
  package func isHexadecimal(length: Int) -> Bool {
    utf8.count == length && hasBytes { $0.isHexadecimalDigit && ($0.isDigit || $0.isLowercaseLetter) }
  }
}

extension String {
  /// No language has more (Unicode Standard Annex 15, section 13).
  package static let mostMarks = 30

  /// The first mark beyond ``mostMarks`` of one character. Texts are compared in a canonical form, for which the marks of a
  /// character are sorted: that takes the square of their number.
  package var excessiveMark: Index? {
    // The first marks begin with this byte.
    if hasBytes({ $0 < 0xCC }) { return nil }
    var count = 0
    return unicodeScalars.indices.first { index in
      let kind = unicodeScalars[index].properties.canonicalCombiningClass
      count = kind == .notReordered ? 0 : count + 1
      return count > Self.mostMarks
    }
  }
}

/// Percent-encoded text (RFC 3986, section 2.1).
package enum PercentText {
  /// The bytes that a text stands for; nil where a `%` has no two digits behind it.
  package static func bytes(_ text: ArraySlice<UInt8>) -> [UInt8]? { decoded(text, keepsDamage: false) }

  /// The same with a damaged `%` left as it is.
  package static func lenientBytes(_ text: ArraySlice<UInt8>) -> [UInt8] {
    decoded(text, keepsDamage: true) ?? []
  }

  /// Bytes as text, those that are not plain encoded, with digits in upper case.
  package static func encoded(_ bytes: ArraySlice<UInt8>, isPlain: (UInt8) -> Bool) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    for byte in bytes {
      text += isPlain(byte) ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func decoded(_ text: ArraySlice<UInt8>, keepsDamage: Bool) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var rest = text
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      if let high = rest.first.flatMap(\.hexadecimalValue),
        let low = rest.dropFirst().first.flatMap(\.hexadecimalValue)
      {
        bytes.append(high << 4 | low)
        rest = rest.dropFirst(2)
      } else if keepsDamage {
        bytes.append(byte)
      } else {
        return nil
      }
    }
    return bytes
  }
}

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
