/// The checksum of PNG (third edition, section 5.5, and ISO 3309), eight bytes at a time.
package enum CRC32 {
  /// `tables[k][b]`: what byte `b` does to the sum with `k` more bytes behind it.
  private static let tables: [UInt32] = {
    var tables = [UInt32](repeating: 0, count: 8 * 256)
    for byte in 0..<256 {
      var sum = UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
      tables[byte] = sum
    }
    for index in 256..<(8 * 256) {
      let before = tables[index - 256]
      tables[index] = before >> 8 ^ tables[Int(before & 0xFF)]
    }
    return tables
  }()

  /// - Parameter range: inside `bytes`.
  package static func sum(_ bytes: [UInt8], _ range: Range<Int>) -> UInt32 {
    bytes.withUnsafeBytes { sum(UnsafeRawBufferPointer(rebasing: $0[range])) }
  }

  package static func sum(_ buffer: UnsafeRawBufferPointer) -> UInt32 {
    tables.withUnsafeBufferPointer { tables in
      var sum = ~UInt32(0)
      var offset = 0
      while buffer.count &- offset >= 8 {
        let word = UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        let mixed = word ^ UInt64(sum)
        var next: UInt32 = 0
        for index in 0..<8 {
          let byte = Int(truncatingIfNeeded: mixed &>> UInt64(8 &* index)) & 0xFF
          next ^= tables[(7 &- index) &* 256 &+ byte]
        }
        sum = next
        offset &+= 8
      }
      while offset < buffer.count {
        sum = sum >> 8 ^ tables[Int((sum ^ UInt32(buffer[offset])) & 0xFF)]
        offset &+= 1
      }
      return ~sum
    }
  }
}
