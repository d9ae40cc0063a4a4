/// SHA-256 (FIPS 180-4): bundle indexes, `sha256=` options, the ledger. Thirty-two bytes.
package struct SHA256: MessageDigest {
  package static let isBigEndian = true
  /// The eight chaining words (section 5.3.3).
  private var state = SIMD8<UInt32>(
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19)

  package init() {}

  package var bytes: [UInt8] { bigEndianBytes(state.indices.map { state[$0] }) }

  package mutating func compress(_ blocks: UnsafeRawBufferPointer) {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { w in
      w.initialize(repeating: 0)
      Self.constants.withUnsafeBufferPointer { k in
        for start in stride(from: 0, to: blocks.count, by: blockSize) {
          for i in 0..<16 {
            w[i] = UInt32(
              bigEndian: blocks.loadUnaligned(fromByteOffset: start &+ 4 &* i, as: UInt32.self))
          }
          for i in 16..<64 {
            let (x, y) = (w[i &- 15], w[i &- 2])
            w[i] =
              w[i &- 16] &+ (x.rotatedRight(7) ^ x.rotatedRight(18) ^ x &>> 3)
              &+ w[i &- 7] &+ (y.rotatedRight(17) ^ y.rotatedRight(19) ^ y &>> 10)
          }
          state &+= Self.rounds(of: state, k, w)
        }
      }
    }
  }

  private static func rounds(
    of state: SIMD8<UInt32>, _ k: UnsafeBufferPointer<UInt32>, _ w: UnsafeMutableBufferPointer<UInt32>
  ) -> SIMD8<UInt32> {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    // Eight at a time, so that the words change places by name and not by eight moves a round.
    for i in stride(from: 0, to: 64, by: 8) {
      round((a, b, c), &d, (e, f, g), &h, k[i] &+ w[i])
      round((h, a, b), &c, (d, e, f), &g, k[i &+ 1] &+ w[i &+ 1])
      round((g, h, a), &b, (c, d, e), &f, k[i &+ 2] &+ w[i &+ 2])
      round((f, g, h), &a, (b, c, d), &e, k[i &+ 3] &+ w[i &+ 3])
      round((e, f, g), &h, (a, b, c), &d, k[i &+ 4] &+ w[i &+ 4])
      round((d, e, f), &g, (h, a, b), &c, k[i &+ 5] &+ w[i &+ 5])
      round((c, d, e), &f, (g, h, a), &b, k[i &+ 6] &+ w[i &+ 6])
      round((b, c, d), &e, (f, g, h), &a, k[i &+ 7] &+ w[i &+ 7])
    }
    return SIMD8(a, b, c, d, e, f, g, h)
  }

  /// Section 6.2.2, step 3.
  @inline(__always)
  private static func round(
    _ left: (a: UInt32, b: UInt32, c: UInt32), _ d: inout UInt32,
    _ right: (e: UInt32, f: UInt32, g: UInt32), _ h: inout UInt32, _ word: UInt32
  ) {
    let ((a, b, c), (e, f, g)) = (left, right)
    let choice = g ^ (e & (f ^ g))
    let majority = (a & b) | (c & (a | b))
    h &+= (e.rotatedRight(6) ^ e.rotatedRight(11) ^ e.rotatedRight(25)) &+ choice &+ word
    d &+= h
    h &+= (a.rotatedRight(2) ^ a.rotatedRight(13) ^ a.rotatedRight(22)) &+ majority
  }

  /// Section 4.2.2.
  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]
}
