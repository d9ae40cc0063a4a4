extension PictureStructure {
  /// The strips or tiles of the first picture (TIFF 6.0, sections 3 and 15): it has no end mark, so they are
  /// all that can be missing.
  static func checkTIFF(_ source: HeaderBytes) throws(RenderFailure) {
    var source = source
    source.order = try source.u8(0) == 0x49 ? .littleEndian : .bigEndian
    let directory = try source.u32(4)
    var entries: [Int: Int] = [:]
    for index in 0..<(try source.u16(directory)) {
      let entry = directory + 2 + 12 * index
      entries[try source.u16(entry)] = entry
    }
    // Offsets and byte counts, of strips or of tiles.
    for (offsets, counts) in [(273, 279), (324, 325)] {
      guard let first = entries[offsets], let second = entries[counts] else { continue }
      let number = try source.u32(first + 4)
      guard number > 0, number == (try source.u32(second + 4)) else {
        throw source.damaged("does not say where its image data are")
      }
      for index in 0..<number {
        let end = try element(index, of: first, source) + (try element(index, of: second, source))
        guard end <= source.count else {
          throw RenderFailure(
            .truncated, "the TIFF picture ends inside its image data, after \(source.count) bytes")
        }
      }
      return
    }
    throw source.damaged("holds no image data")
  }

  /// A number of an entry. Reading runs off the end of the file before a made-up count costs any time.
  private static func element(
    _ index: Int, of entry: Int, _ source: HeaderBytes
  ) throws(RenderFailure) -> Int {
    let (type, count) = (try source.u16(entry + 2), try source.u32(entry + 4))
    guard type == 3 || type == 4 else {
      throw source.damaged("has an entry of type \(type) where a whole number belongs")
    }
    let size = type == 3 ? 2 : 4
    let start = count * size <= 4 ? entry + 8 : try source.u32(entry + 8)
    return type == 3 ? try source.u16(start + index * size) : try source.u32(start + index * size)
  }
}
