extension FormatFacts {
  static let gif = FormatFacts(
    name: "GIF", isTrusted: true, uniformType: "com.compuserve.gif", loader: "gifload_buffer",
    mustBeWhole: true,
    // RGBA: the canvas and the frame before.
    decoderMemory: { header, _, _ in product(header.width, header.height, 8) },
    begins: { $0.has("GIF87a") || $0.has("GIF89a") }, isLittleEndian: { _ in true },
    readHeader: ImageHeader.readGIF)
}

extension ImageHeader {
  /// Walks the blocks to the trailer (GIF89a specification, sections 18 to 27).
  ///
  /// The canvas is the larger of the logical screen and every frame's rectangle: decoders differ in
  /// which of them they use, and a limit must hold for both.
  static func readGIF(_ source: HeaderBytes) throws(RenderFailure) -> ImageHeader {
    var header = ImageHeader(
      format: .gif, width: try source.u16(6), height: try source.u16(8), frames: 0, channels: 4,
      hasAlpha: false, isComplete: false)
    do throws(RenderFailure) {
      try walkBlocks(source, from: 13 + colorTableSize(try source.u8(10)), into: &header)
    } catch {
      // A cut inside a later frame leaves a header that is known and a picture that is not whole.
      guard error.code == .truncated, header.frames > 0 else { throw error }
    }
    guard header.frames > 0 else { throw source.damaged("holds no frame") }
    return header
  }

  private static func walkBlocks(
    _ source: HeaderBytes, from start: Int, into header: inout ImageHeader
  ) throws(RenderFailure) {
    var offset = start
    while true {
      switch try source.u8(offset) {
      case 0x21:
        // A graphic control extension with the transparency flag.
        if try source.u8(offset + 1) == 0xF9, try source.u8(offset + 3) & 1 == 1 { header.hasAlpha = true }
        offset = try endOfSubBlocks(source, from: offset + 2)
      case 0x2C:
        let (left, top) = (try source.u16(offset + 1), try source.u16(offset + 3))
        header.width = max(header.width, left + (try source.u16(offset + 5)))
        header.height = max(header.height, top + (try source.u16(offset + 7)))
        let flags = try source.u8(offset + 9)
        if flags & 0x40 != 0 { header.isInterlaced = true }
        header.frames += 1
        // The minimum code size lies between the colour table and the data.
        offset = try endOfSubBlocks(source, from: offset + 10 + colorTableSize(flags) + 1)
      case 0x3B:
        header.isComplete = true
        return
      default: return  // not a block: the decoder stops here too
      }
    }
  }

  private static func colorTableSize(_ flags: Int) -> Int {
    flags & 0x80 == 0 ? 0 : 3 << ((flags & 7) + 1)
  }

  private static func endOfSubBlocks(_ source: HeaderBytes, from start: Int) throws(RenderFailure) -> Int {
    var offset = start
    while true {
      let size = try source.u8(offset)
      offset += 1 + size
      if size == 0 { return offset }
    }
  }
}
