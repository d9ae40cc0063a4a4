import Digests

extension FormatFacts {
  static let png = FormatFacts(
    name: "PNG", isTrusted: true, uniformType: "public.png", loader: "pngload_buffer",
    decoderMemory: { header, plane, strip in header.isInterlaced ? plane : strip },
    begins: { $0.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) },
    readHeader: ImageHeader.readPNG, checkStructure: PictureStructure.checkPNG)
}

extension ImageHeader {
  /// Reads `IHDR` and walks the chunks to `IEND` (PNG specification, third edition, section 5).
  static func readPNG(_ source: HeaderBytes) throws(RenderFailure) -> ImageHeader {
    switch try source.tag(12) {
    case fourCharacters("IHDR"): break
    case fourCharacters("CgBI"):
      throw RenderFailure(
        .format, "this is a PNG rewritten by Xcode for iOS (CgBI), which only Apple's decoder reads")
    default: throw source.damaged("does not begin with IHDR")
    }
    let (width, height) = (try source.u32(16), try source.u32(20))
    let (bits, colorType) = (try source.u8(24), try source.u8(25))
    let interlace = try source.u8(28)
    guard width < 1 << 31, height < 1 << 31, interlace < 2 else { throw source.damaged("has a bad IHDR") }
    guard [1, 2, 4, 8, 16].contains(bits), let channels = [0: 1, 2: 3, 3: 3, 4: 2, 6: 4][colorType] else {
      throw source.damaged("has colour type \(colorType) with \(bits) bits")
    }
    let rest = walkChunks(source)
    let hasAlpha = colorType == 4 || colorType == 6 || rest.hasTransparency
    let alphaOfPalette = rest.hasTransparency && colorType != 4 && colorType != 6 ? 1 : 0
    return ImageHeader(
      format: .png, width: width, height: height, frames: max(1, rest.frames), isInterlaced: interlace == 1,
      bitsPerSample: bits, channels: channels + alphaOfPalette, hasAlpha: hasAlpha,
      isComplete: rest.isComplete)
  }

  private static func walkChunks(
    _ source: HeaderBytes
  ) -> (frames: Int, hasTransparency: Bool, isComplete: Bool) {
    var (frames, hasTransparency) = (1, false)
    var offset = 8
    while let length = try? source.u32(offset), let type = try? source.tag(offset + 4) {
      // Complete only with its checksum.
      guard length < 1 << 31, offset + 12 + length <= source.count else { break }
      switch type {
      case fourCharacters("IEND"): return (frames, hasTransparency, true)
      case fourCharacters("tRNS"): hasTransparency = true
      case fourCharacters("acTL"): frames = (try? source.u32(offset + 8)) ?? 1
      default: break
      }
      offset += 12 + length
    }
    return (frames, hasTransparency, false)
  }
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
