/// A cryptographic digest that takes its message in pieces.
///
/// A value type: a copy goes on by itself, so the digest of a prefix costs one copy.
package protocol MessageDigest: Sendable {
  init()

  /// Appends `bytes` to the message.
  mutating func update(_ bytes: UnsafeRawBufferPointer)

  /// The digest of the message so far. More may follow.
  func finalize() -> [UInt8]
}

extension MessageDigest {
  /// Appends `bytes` to the message. Contiguous collections are read in place, others are copied.
  package mutating func update(_ bytes: some Sequence<UInt8>) {
    let inPlace: Void? = bytes.withContiguousStorageIfAvailable { update(UnsafeRawBufferPointer($0)) }
    if inPlace == nil {
      Array(bytes).withUnsafeBytes { update($0) }
    }
  }

  /// The digest of a message that is at hand as a whole.
  package static func hash(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var digest = Self()
    digest.update(bytes)
    return digest.finalize()
  }

  /// The digest of the text's UTF-8 bytes as lower-case hexadecimal text. Text is taken as it is: two
  /// Unicode normal forms of one word give two digests.
  package static func hexadecimal(of text: String) -> String {
    Digests.hexadecimal(hash(text.utf8))
  }
}

/// Cuts a message into the 64-byte blocks that MD5, SHA-1 and SHA-256 share, and pads its end.
struct DigestBlocks: Sendable {
  static let size = 64

  /// The bytes after the last whole block, fewer than ``size``.
  private var tail: [UInt8] = []
  private var byteCount: UInt64 = 0

  /// How the message's length in bits is written at its very end.
  enum LengthOrder {
    case bigEndian, littleEndian
  }

  /// Appends `bytes`; `compress` gets one or more whole blocks at a time.
  mutating func append(_ bytes: UnsafeRawBufferPointer, compress: (UnsafeRawBufferPointer) -> Void) {
    byteCount &+= UInt64(bytes.count)
    var rest = bytes[...]
    if !tail.isEmpty {
      let missing = rest.prefix(Self.size - tail.count)
      tail.append(contentsOf: missing)
      rest = rest.dropFirst(missing.count)
      guard tail.count == Self.size else { return }
      tail.withUnsafeBytes(compress)
      tail.removeAll(keepingCapacity: true)
    }
    let whole = rest.prefix(rest.count / Self.size * Self.size)
    if !whole.isEmpty {
      compress(UnsafeRawBufferPointer(rebasing: whole))
    }
    tail.append(contentsOf: rest.dropFirst(whole.count))
  }

  /// The last one or two blocks: the tail, a one bit, zeros and the length.
  func padded(length order: LengthOrder) -> [UInt8] {
    var end = tail
    end.reserveCapacity(2 * Self.size)
    end.append(0x80)
    let lengthFits = end.count <= Self.size - 8
    end.append(contentsOf: repeatElement(0, count: (lengthFits ? 1 : 2) * Self.size - 8 - end.count))
    let bits = byteCount &* 8
    withUnsafeBytes(of: order == .bigEndian ? bits.bigEndian : bits.littleEndian) {
      end.append(contentsOf: $0)
    }
    return end
  }
}

/// The digest's words as bytes, most significant byte first.
func bigEndianBytes(_ words: some Sequence<UInt32>) -> [UInt8] {
  var bytes: [UInt8] = []
  bytes.reserveCapacity(4 * words.underestimatedCount)
  for word in words {
    for shift: UInt32 in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: word &>> shift)) }
  }
  return bytes
}

extension UInt32 {
  func rotatedLeft(_ count: UInt32) -> UInt32 { self &<< count | self &>> (32 &- count) }

  func rotatedRight(_ count: UInt32) -> UInt32 { self &>> count | self &<< (32 &- count) }
}

/// Lower-case hexadecimal text of bytes, two digits a byte.
package func hexadecimal(_ bytes: [UInt8]) -> String {
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
