/// A cryptographic digest of a message that is at hand as a whole, by the 64-byte blocks that MD5, SHA-1 and SHA-256 share.
/// Nothing of it lies on the heap: names of files are digests of short keys, millions of them.
package protocol MessageDigest: Sendable {
  /// The order of the bytes of the message's length.
  static var isBigEndian: Bool { get }

  init()

  /// Takes one or more whole blocks.
  mutating func compress(_ blocks: UnsafeRawBufferPointer)

  /// The digest of all that was taken.
  var bytes: [UInt8] { get }
}

/// Bytes of a block.
let blockSize = 64

extension MessageDigest {
  /// The digest of a message.
  package static func hash(_ message: UnsafeRawBufferPointer) -> [UInt8] {
    var digest = Self()
    let whole = message.count / blockSize * blockSize
    if whole > 0 { digest.compress(UnsafeRawBufferPointer(rebasing: message[..<whole])) }
    // The last one or two blocks: the rest, a one bit, zeros and the length in bits.
    let rest = UnsafeRawBufferPointer(rebasing: message[whole...])
    let count = (rest.count < blockSize - 8 ? 1 : 2) * blockSize
    // Only what has a size that the compiler knows lies on the stack.
    withUnsafeTemporaryAllocation(byteCount: 2 * blockSize, alignment: 8) { room in
      let end = UnsafeMutableRawBufferPointer(rebasing: room[..<count])
      end.initializeMemory(as: UInt8.self, repeating: 0)
      end.copyMemory(from: rest)
      end[rest.count] = 0x80
      let bits = UInt64(message.count) &* 8
      end.storeBytes(
        of: isBigEndian ? bits.bigEndian : bits.littleEndian, toByteOffset: count - 8, as: UInt64.self)
      digest.compress(UnsafeRawBufferPointer(end))
    }
    return digest.bytes
  }

  /// The same of other bytes. Contiguous collections are read in place, others are copied.
  package static func hash(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    bytes.withContiguousStorageIfAvailable { hash(UnsafeRawBufferPointer($0)) }
      ?? Array(bytes).withUnsafeBytes { hash($0) }
  }

  /// The digest of the text's UTF-8 bytes as lower-case hexadecimal text. Text is taken as it is: two
  /// Unicode normal forms of one word give two digests.
  package static func hexadecimal(of text: String) -> String {
    spelled(hash(text.utf8))
  }
}

/// The digest's words as bytes, most significant byte first.
func bigEndianBytes(_ words: some Collection<UInt32>) -> [UInt8] {
  [UInt8](unsafeUninitializedCapacity: 4 * words.count) { bytes, count in
    let raw = UnsafeMutableRawBufferPointer(bytes)
    for word in words {
      raw.storeBytes(of: word.bigEndian, toByteOffset: count, as: UInt32.self)
      count += 4
    }
  }
}

extension UInt32 {
  func rotatedLeft(_ count: UInt32) -> UInt32 { self &<< count | self &>> (32 &- count) }

  func rotatedRight(_ count: UInt32) -> UInt32 { self &>> count | self &<< (32 &- count) }
}

/// Lower-case hexadecimal text of bytes, two digits a byte.
package func hexadecimal(_ bytes: [UInt8]) -> String {
  withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 2 * bytes.count) { text in
    for (index, byte) in bytes.enumerated() {
      text[2 * index] = hexadecimalDigit(byte >> 4)
      text[2 * index + 1] = hexadecimalDigit(byte & 15)
    }
    return String(decoding: text, as: UTF8.self)
  }
}

/// For methods of the same name, which hide the function above.
private func spelled(_ bytes: [UInt8]) -> String { hexadecimal(bytes) }

private func hexadecimalDigit(_ value: UInt8) -> UInt8 {
  value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
}
