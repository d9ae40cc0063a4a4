import Digests

/// Whether a picture is whole, seen from its structure alone: nothing is decoded, so it costs next to nothing.
///
/// It finds what networks and disks do to a file: a missing end, a hole, a page of HTML in its place, flipped
/// bits in a PNG. Damage inside the compressed data of the other formats only a decoder sees.
package enum PictureStructure {
  /// Reads a picture from its first to its last mark.
  ///
  /// JPEG needs its end mark, PNG sound checksums and `IEND`, GIF its trailer, WebP the length that RIFF
  /// promises and image data in it, TIFF all strips or tiles, HEIF and AVIF whole boxes. What comes behind
  /// the end does not matter.
  ///
  /// - Parameters:
  ///   - formats: what may be in it.
  ///   - limits: bounds on its size.
  /// - Throws: ``RenderFailure`` with the code `format`, `truncated`, `damaged` or `limit`.
  @discardableResult
  package static func check(
    _ bytes: [UInt8], formats: Set<ImageFormat> = ImageFormat.trusted, limits: RenderLimits = RenderLimits()
  ) throws(RenderFailure) -> ImageHeader {
    let header = try ImageHeader.read(bytes)
    guard formats.contains(header.format) else {
      throw RenderFailure(
        .format, "this is \(header.format.article) \(header.format.name) picture, which is not allowed")
    }
    try limits.check(header, byteCount: bytes.count)
    let source = HeaderBytes(bytes: bytes, format: header.format)
    guard header.isComplete else {
      throw RenderFailure(
        .truncated, "the \(header.format.name) picture has no end: only \(bytes.count) bytes of it came")
    }
    switch header.format {
    case .png: try checkPNG(source)
    case .webp: try checkWebP(source)
    case .tiff: try checkTIFF(source)
    case .jpeg, .gif, .heif, .avif: break
    }
    return header
  }
}

extension ImageFormat {
  fileprivate var article: String { self == .avif ? "an" : "a" }
}

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

extension PictureStructure {
  /// All chunks inside the length that the file begins with (RFC 9649, sections 2.3 and 2.4).
  static func checkWebP(_ source: HeaderBytes) throws(RenderFailure) {
    var source = source
    source.order = .littleEndian
    let end = 8 + (try source.u32(4))
    var offset = 12
    var hasData = false
    while offset + 8 <= end {
      let (type, size) = (try source.tag(offset), try source.u32(offset + 4))
      guard offset + 8 + size <= end else {
        throw source.damaged("is damaged: its part at byte \(offset) is longer than the file")
      }
      switch type {
      case fourCharacters("VP8 "), fourCharacters("VP8L"), fourCharacters("ANMF"):
        if size > 0 { hasData = true }
      default: break
      }
      offset += 8 + size + (size & 1)
    }
    guard hasData else { throw source.damaged("holds no image data") }
  }
}
