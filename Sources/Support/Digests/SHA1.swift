/// SHA-1 (RFC 3174): Nuke's file names. Twenty bytes.
package struct SHA1: MessageDigest {
  package static let isBigEndian = true
  // The five chaining words (section 6.1).
  private var a: UInt32 = 0x6745_2301
  private var b: UInt32 = 0xefcd_ab89
  private var c: UInt32 = 0x98ba_dcfe
  private var d: UInt32 = 0x1032_5476
  private var e: UInt32 = 0xc3d2_e1f0

  package init() {}

  package var bytes: [UInt8] { bigEndianBytes([a, b, c, d, e]) }

  package mutating func compress(_ blocks: UnsafeRawBufferPointer) {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 80) { words in
      for start in stride(from: 0, to: blocks.count, by: blockSize) {
        for i in 0..<16 {
          words[i] = UInt32(
            bigEndian: blocks.loadUnaligned(fromByteOffset: start &+ 4 &* i, as: UInt32.self))
        }
        for i in 16..<80 {
          words[i] = (words[i &- 3] ^ words[i &- 8] ^ words[i &- 14] ^ words[i &- 16]).rotatedLeft(1)
        }
        let first = self
        for i in stride(from: 0, to: 20, by: 5) {
          fiveSteps(words, i, 0x5a82_7999) { x, y, z in z ^ (x & (y ^ z)) }
        }
        for i in stride(from: 20, to: 40, by: 5) {
          fiveSteps(words, i, 0x6ed9_eba1) { x, y, z in x ^ y ^ z }
        }
        for i in stride(from: 40, to: 60, by: 5) {
          fiveSteps(words, i, 0x8f1b_bcdc) { x, y, z in (x & y) | (z & (x | y)) }
        }
        for i in stride(from: 60, to: 80, by: 5) {
          fiveSteps(words, i, 0xca62_c1d6) { x, y, z in x ^ y ^ z }
        }
        a &+= first.a
        b &+= first.b
        c &+= first.c
        d &+= first.d
        e &+= first.e
      }
    }
  }

  /// Five at a time, so that the words change places by name and not by four moves a step.
  @inline(__always)
  private mutating func fiveSteps(
    _ words: UnsafeMutableBufferPointer<UInt32>, _ i: Int, _ constant: UInt32,
    _ mixed: (UInt32, UInt32, UInt32) -> UInt32
  ) {
    Self.step(a, &b, &e, mixed(b, c, d), constant &+ words[i])
    Self.step(e, &a, &d, mixed(a, b, c), constant &+ words[i &+ 1])
    Self.step(d, &e, &c, mixed(e, a, b), constant &+ words[i &+ 2])
    Self.step(c, &d, &b, mixed(d, e, a), constant &+ words[i &+ 3])
    Self.step(b, &c, &a, mixed(c, d, e), constant &+ words[i &+ 4])
  }

  /// Section 6.1, step d: the word that would become the first stands where the last one stood.
  @inline(__always)
  private static func step(
    _ first: UInt32, _ second: inout UInt32, _ last: inout UInt32, _ mixed: UInt32, _ word: UInt32
  ) {
    last &+= first.rotatedLeft(5) &+ mixed &+ word
    second = second.rotatedLeft(30)
  }
}
