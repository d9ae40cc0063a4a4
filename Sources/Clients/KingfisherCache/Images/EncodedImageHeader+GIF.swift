extension EncodedImageHeader {
  /// Counts the frames by walking over the blocks. A file that ends too early has the frames that it has.
  package static func gif(_ bytes: FileBytes) -> Self? {
    guard let width = bytes.littleEndian(2, at: 6), let height = bytes.littleEndian(2, at: 8),
      let flags = bytes[10]
    else { return nil }
    var offset = 13 + colorTableSize(flags)
    var frames = 0
    while let kind = bytes[offset] {
      switch kind {
      case 0x21:
        offset = endOfBlocks(bytes, from: offset + 2)
      case 0x2C:
        frames += 1
        offset = endOfBlocks(bytes, from: offset + 11 + colorTableSize(bytes[offset + 9] ?? 0))
      default:
        return Self(width: width, height: height, frameCount: max(1, frames))
      }
    }
    return Self(width: width, height: height, frameCount: max(1, frames))
  }

  private static func colorTableSize(_ flags: UInt8) -> Int {
    flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1)
  }

  private static func endOfBlocks(_ bytes: FileBytes, from start: Int) -> Int {
    var offset = start
    while let length = bytes[offset], length > 0 { offset += Int(length) + 1 }
    return offset + 1
  }
}
