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
    spelled(hash(text.utf8))
  }
}

/// Cuts a message into the 64-byte blocks that MD5, SHA-1 and SHA-256 share, and pads its end. Nothing of it lies on
/// the heap: names of files are digests of short keys, millions of them.
struct DigestBlocks: Sendable {
  static let size = 64

  /// The bytes after the last whole block, ``tailCount`` of them.
  private var tail = SIMD64<UInt8>()
  private var tailCount = 0
  private var byteCount: UInt64 = 0

  /// Appends `bytes`; `compress` gets one or more whole blocks at a time.
  @inline(__always)
  mutating func append(_ bytes: UnsafeRawBufferPointer, compress: (UnsafeRawBufferPointer) -> Void) {
    byteCount &+= UInt64(bytes.count)
    var rest = bytes
    if tailCount > 0 {
      let missing = min(rest.count, Self.size - tailCount)
      keep(UnsafeRawBufferPointer(rebasing: rest[..<missing]))
      rest = UnsafeRawBufferPointer(rebasing: rest[missing...])
      guard tailCount == Self.size else { return }
      withUnsafeBytes(of: tail, compress)
      tailCount = 0
    }
    let whole = rest.count / Self.size * Self.size
    if whole > 0 { compress(UnsafeRawBufferPointer(rebasing: rest[..<whole])) }
    keep(UnsafeRawBufferPointer(rebasing: rest[whole...]))
  }

  private mutating func keep(_ bytes: UnsafeRawBufferPointer) {
    guard !bytes.isEmpty else { return }
    let start = tailCount
    withUnsafeMutableBytes(of: &tail) {
      UnsafeMutableRawBufferPointer(rebasing: $0[start...]).copyMemory(from: bytes)
    }
    tailCount += bytes.count
  }

  /// Hands out the last one or two blocks: the tail, a one bit, zeros and the length in bits.
  @inline(__always)
  func pad(isBigEndian: Bool, compress: (UnsafeRawBufferPointer) -> Void) {
    let count = (tailCount < Self.size - 8 ? 1 : 2) * Self.size
    // Only what has a size that the compiler knows lies on the stack.
    withUnsafeTemporaryAllocation(byteCount: 2 * Self.size, alignment: 8) { room in
      let end = UnsafeMutableRawBufferPointer(rebasing: room[..<count])
      end.initializeMemory(as: UInt8.self, repeating: 0)
      withUnsafeBytes(of: tail) {
        end.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<tailCount]))
      }
      end[tailCount] = 0x80
      let bits = byteCount &* 8
      end.storeBytes(
        of: isBigEndian ? bits.bigEndian : bits.littleEndian, toByteOffset: count - 8, as: UInt64.self
      )
      compress(UnsafeRawBufferPointer(end))
    }
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
