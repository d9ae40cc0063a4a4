/// MD5 (RFC 1321): file names of older image caches; never a proof of integrity. Sixteen bytes.
package struct MD5: MessageDigest {
  private var blocks = DigestBlocks()
  /// The four chaining words (section 3.3).
  private var state = SIMD4<UInt32>(0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476)

  package init() {}

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    var next = state
    blocks.append(bytes) { Self.compress($0, into: &next) }
    state = next
  }

  package func finalize() -> [UInt8] {
    var last = state
    blocks.padded(length: .littleEndian).withUnsafeBytes { Self.compress($0, into: &last) }
    return bigEndianBytes(last.indices.map { last[$0].byteSwapped })
  }

  private static func compress(_ blocks: UnsafeRawBufferPointer, into state: inout SIMD4<UInt32>) {
    constants.withUnsafeBufferPointer { k in
      shifts.withUnsafeBufferPointer { s in
        for start in stride(from: 0, to: blocks.count, by: DigestBlocks.size) {
          var (a, b, c, d) = (state[0], state[1], state[2], state[3])
          for i in 0..<64 {
            let (mixed, index) = round(i, b, c, d)
            let word = UInt32(
              littleEndian: blocks.loadUnaligned(
                fromByteOffset: start &+ 4 &* (index & 15), as: UInt32.self))
            let turned = (a &+ mixed &+ k[i] &+ word).rotatedLeft(s[i / 16 * 4 + i % 4])
            (a, d, c, b) = (d, c, b, b &+ turned)
          }
          state &+= SIMD4(a, b, c, d)
        }
      }
    }
  }

  /// The round's function of three words, and which word of the block it takes (modulo 16).
  @inline(__always)
  private static func round(_ i: Int, _ b: UInt32, _ c: UInt32, _ d: UInt32) -> (UInt32, Int) {
    switch i / 16 {
    case 0: ((b & c) | (~b & d), i)
    case 1: ((b & d) | (c & ~d), 5 &* i &+ 1)
    case 2: (b ^ c ^ d, 3 &* i &+ 5)
    default: (c ^ (b | ~d), 7 &* i)
    }
  }

  /// Section 3.4: four rotations a round, repeated.
  private static let shifts: [UInt32] = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]

  /// Section 3.4: the whole part of 2^32 times |sin(i)|, i = 1...64 in radians.
  private static let constants: [UInt32] = [
    0xd76a_a478, 0xe8c7_b756, 0x2420_70db, 0xc1bd_ceee, 0xf57c_0faf, 0x4787_c62a, 0xa830_4613, 0xfd46_9501,
    0x6980_98d8, 0x8b44_f7af, 0xffff_5bb1, 0x895c_d7be, 0x6b90_1122, 0xfd98_7193, 0xa679_438e, 0x49b4_0821,
    0xf61e_2562, 0xc040_b340, 0x265e_5a51, 0xe9b6_c7aa, 0xd62f_105d, 0x0244_1453, 0xd8a1_e681, 0xe7d3_fbc8,
    0x21e1_cde6, 0xc337_07d6, 0xf4d5_0d87, 0x455a_14ed, 0xa9e3_e905, 0xfcef_a3f8, 0x676f_02d9, 0x8d2a_4c8a,
    0xfffa_3942, 0x8771_f681, 0x6d9d_6122, 0xfde5_380c, 0xa4be_ea44, 0x4bde_cfa9, 0xf6bb_4b60, 0xbebf_bc70,
    0x289b_7ec6, 0xeaa1_27fa, 0xd4ef_3085, 0x0488_1d05, 0xd9d4_d039, 0xe6db_99e5, 0x1fa2_7cf8, 0xc4ac_5665,
    0xf429_2244, 0x432a_ff97, 0xab94_23a7, 0xfc93_a039, 0x655b_59c3, 0x8f0c_cc92, 0xffef_f47d, 0x8584_5dd1,
    0x6fa8_7e4f, 0xfe2c_e6e0, 0xa301_4314, 0x4e08_11a1, 0xf753_7e82, 0xbd3a_f235, 0x2ad7_d2bb, 0xeb86_d391,
  ]
}
