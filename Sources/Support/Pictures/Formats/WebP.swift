extension FormatFacts {
  static let webp = FormatFacts(
    name: "WebP", isTrusted: true, drawingVersion: 8, uniformType: "public.webp",
    // Apple's systems read it from these on.
    deviceNeeds: "iOS 14, macOS 11",
    // The 14 bits of its header (RFC 9649, section 2.6).
    longestWrittenSide: 16_383,
    loader: "webpload_buffer", mustBeWhole: true,
    // RGBA: the decoder's picture and its copy.
    decoderMemory: { header, _, _ in product(header.width, header.height, 8) },
    begins: { $0.has("RIFF") && $0.has("WEBP", at: 8) }, isLittleEndian: { _ in true },
    readHeader: ImageHeader.readWebP, checkStructure: PictureStructure.checkWebP)
}

extension ImageHeader {
  /// Reads the first chunk and counts the frames of an animation (RFC 9649, section 2).
  static func readWebP(_ source: HeaderBytes) throws(RenderFailure) -> ImageHeader {
    var header: ImageHeader
    switch try source.tag(12) {
    case fourCharacters("VP8 "): header = try readLossy(source, at: 20)
    case fourCharacters("VP8L"): header = try readLossless(source, at: 20)
    case fourCharacters("VP8X"): header = try readExtended(source, at: 20)
    default: throw source.damaged("does not begin with VP8, VP8L or VP8X")
    }
    let end = 8 + (try source.u32(4))
    header.isComplete = end <= source.count
    let zeros = source.zeros(before: end)
    // A flat picture ends in zeros too, but takes less than a byte for each block of 16 x 16 pixels.
    let flat = product((header.width + 15) / 16, (header.height + 15) / 16, header.frames)
    if header.isComplete, end - zeros > 64, end - zeros - 64 > flat, isPixels(source, zeros) {
      throw source.onlyZeros(from: zeros)
    }
    return header
  }

  /// The chunks from the first one on, as far as they begin in the file.
  fileprivate static func chunks(_ source: HeaderBytes) -> some Sequence<(type: Int, data: Range<Int>)> {
    sequence(state: 12) { offset in
      guard let type = try? source.tag(offset), let size = try? source.u32(offset + 4) else { return nil }
      defer { offset += 8 + size + (size & 1) }
      return (type: type, data: offset + 8..<offset + 8 + size)
    }
  }

  /// Whether a byte lies in lossy data; the lossless ones tell their decoder.
  private static func isPixels(_ source: HeaderBytes, _ place: Int) -> Bool {
    let chunk = chunks(source).first { place < $0.data.upperBound + ($0.data.count & 1) }
    return chunk?.type == fourCharacters("VP8 ") || chunk?.type == fourCharacters("ANMF")
  }

  /// A key frame of VP8 (RFC 6386, section 9.1).
  private static func readLossy(_ source: HeaderBytes, at offset: Int) throws(RenderFailure) -> ImageHeader {
    guard try source.u24(offset + 3) == 0x2A_019D, try source.u8(offset) & 1 == 0 else {
      throw source.damaged("does not begin with a key frame")
    }
    // The two upper bits ask for scaling, which no decoder does.
    return ImageHeader(
      format: .webp, width: try source.u16(offset + 6) & 0x3FFF, height: try source.u16(offset + 8) & 0x3FFF,
      channels: 3, hasAlpha: false)
  }

  /// RFC 9649, section 3.
  private static func readLossless(
    _ source: HeaderBytes, at offset: Int
  ) throws(RenderFailure) -> ImageHeader {
    guard try source.u8(offset) == 0x2F else { throw source.damaged("lacks the mark of lossless data") }
    let packed = try source.u32(offset + 1)
    return ImageHeader(
      format: .webp, width: (packed & 0x3FFF) + 1, height: (packed >> 14 & 0x3FFF) + 1, channels: 4,
      hasAlpha: packed >> 28 & 1 == 1)
  }

  /// RFC 9649, section 2.7.
  private static func readExtended(
    _ source: HeaderBytes, at offset: Int
  ) throws(RenderFailure) -> ImageHeader {
    let flags = try source.u8(offset)
    var header = ImageHeader(
      format: .webp, width: try source.u24(offset + 4) + 1, height: try source.u24(offset + 7) + 1,
      channels: 4, hasAlpha: flags & 0x10 != 0)
    header.xmp = chunks(source).first { $0.type == fourCharacters("XMP ") }?.data
    if flags & 0x02 != 0 {
      header.frames = max(1, chunks(source).reduce(0) { $0 + ($1.type == fourCharacters("ANMF") ? 1 : 0) })
    }
    return header
  }
}

extension PictureStructure {
  /// All chunks inside the length that the file begins with (RFC 9649, sections 2.3 and 2.4).
  static func checkWebP(_ source: HeaderBytes) throws(RenderFailure) {
    let end = 8 + (try source.u32(4))
    var hasData = false
    let types = [fourCharacters("VP8 "), fourCharacters("VP8L"), fourCharacters("ANMF")]
    for (type, data) in ImageHeader.chunks(source) where data.lowerBound <= end {
      guard data.upperBound <= end else {
        throw source.damaged(
          "is damaged: its part at byte \(data.lowerBound - 8) is longer than the file")
      }
      if !data.isEmpty, types.contains(type) { hasData = true }
    }
    guard hasData else { throw source.damaged("holds no image data") }
  }
}
