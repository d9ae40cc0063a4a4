/// SHA-1 (RFC 3174): Nuke's file names. Twenty bytes.
package struct SHA1: MessageDigest {
  private var blocks = DigestBlocks()
  private var state = State()

  package init() {}

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    var next = state
    blocks.append(bytes) { next.compress($0) }
    state = next
  }

  package func finalize() -> [UInt8] {
    var last = state
    blocks.padded(length: .bigEndian).withUnsafeBytes { last.compress($0) }
    return bigEndianBytes([last.a, last.b, last.c, last.d, last.e])
  }

  /// The five chaining words (section 6.1).
  fileprivate struct State {
    var a: UInt32 = 0x6745_2301
    var b: UInt32 = 0xefcd_ab89
    var c: UInt32 = 0x98ba_dcfe
    var d: UInt32 = 0x1032_5476
    var e: UInt32 = 0xc3d2_e1f0
  }
}

extension SHA1.State {
  fileprivate mutating func compress(_ blocks: UnsafeRawBufferPointer) {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 80) { w in
      w.initialize(repeating: 0)
      for start in stride(from: 0, to: blocks.count, by: DigestBlocks.size) {
        for i in 0..<16 {
          w[i] = UInt32(bigEndian: blocks.loadUnaligned(fromByteOffset: start &+ 4 &* i, as: UInt32.self))
        }
        for i in 16..<80 {
          w[i] = (w[i &- 3] ^ w[i &- 8] ^ w[i &- 14] ^ w[i &- 16]).rotatedLeft(1)
        }
        var next = self
        for i in 0..<20 { next.step((next.b & next.c) | (~next.b & next.d), 0x5a82_7999, w[i]) }
        for i in 20..<40 { next.step(next.b ^ next.c ^ next.d, 0x6ed9_eba1, w[i]) }
        for i in 40..<60 {
          next.step((next.b & next.c) | (next.b & next.d) | (next.c & next.d), 0x8f1b_bcdc, w[i])
        }
        for i in 60..<80 { next.step(next.b ^ next.c ^ next.d, 0xca62_c1d6, w[i]) }
        a &+= next.a
        b &+= next.b
        c &+= next.c
        d &+= next.d
        e &+= next.e
      }
    }
  }

  @inline(__always)
  private mutating func step(_ mixed: UInt32, _ constant: UInt32, _ word: UInt32) {
    let first = a.rotatedLeft(5) &+ mixed &+ e &+ constant &+ word
    (e, d, c, b, a) = (d, c, b.rotatedLeft(30), a, first)
  }
}
