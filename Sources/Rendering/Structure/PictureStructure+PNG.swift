extension PictureStructure {
  /// All chunks to `IEND` (PNG specification, third edition, sections 5.3 and 5.4). A wrong checksum counts in
  /// critical chunks only: decoders skip ancillary ones that are damaged.
  static func checkPNG(_ source: HeaderBytes) throws(RenderFailure) {
    var offset = 8
    var hasData = false
    while true {
      let (length, type) = (try source.u32(offset), try source.tag(offset + 4))
      guard length < 1 << 31, offset + 12 + length <= source.count else { throw source.end() }
      // Bit 5 of the first letter: lower case is ancillary.
      if type >> 24 & 0x20 == 0 {
        let sum = CRC32.sum(source.bytes, offset + 4..<offset + 8 + length)
        guard Int(sum) == (try source.u32(offset + 8 + length)) else {
          throw source.damaged("is damaged: the checksum of its part at byte \(offset) is wrong")
        }
      }
      if type == fourCharacters("IDAT"), length > 0 { hasData = true }
      if type == fourCharacters("IEND") { break }
      offset += 12 + length
    }
    guard hasData else { throw source.damaged("holds no image data") }
  }
}
