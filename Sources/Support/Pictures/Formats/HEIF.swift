extension FormatFacts {
  static let heif = {
    var facts = container("HEIF", "public.heic", drawingVersion: 11, ["heif", "heic"]) { $0 == .other }
    (facts.writtenName, facts.isShownByBrowsers) = ("HEIC", false)
    return facts
  }()
  static let avif = {
    var facts = container("AVIF", "public.avif", drawingVersion: 12, ["avif"]) { $0 == .av1 }
    facts.deviceNeeds = "iOS 16, macOS 13"
    return facts
  }()

  private static func container(
    _ name: String, _ uniformType: String, drawingVersion: Int, _ endings: [String],
    holds: @escaping @Sendable (Coding) -> Bool
  ) -> FormatFacts {
    FormatFacts(
      name: name, isTrusted: false, drawingVersion: drawingVersion, endingsDrawnOtherwise: endings,
      uniformType: uniformType,
      // What the encoders of libheif take.
      longestWrittenSide: 16_384,
      loader: "heifload_buffer",
      decoderMemory: { header, _, _ in heldByLibheif(header) },
      begins: { head in coding(head).map(holds) ?? false },
      readHeader: ImageHeader.readHEIF)
  }

  /// The video frame on its way through decoder and conversion, and the RGB made of it: measured with libheif 1.15, 10
  /// and 20 megapixels of 8 and 10 bits in 4:2:0 and 4:4:4, within a tenth. Alpha adds nothing, since it comes later.
  private static func heldByLibheif(_ header: ImageHeader) -> Int {
    let pixels = product(header.width, header.height)
    let frame = header.planeSamples ?? product(pixels, 3)
    let samples = product(frame, 4).addingReportingOverflow(product(pixels, 3))
    guard !samples.overflow, samples.partialValue < 1 << 60 else { return .max }
    return product(samples.partialValue, (header.bitsPerSample ?? 8) > 8 ? 2 : 1) + 24 << 20
  }

  private enum Coding { case av1, other }

  /// By the brands of ISO/IEC 23008-12 annex B and of the AVIF specification.
  private static func coding(_ head: [UInt8]) -> Coding? {
    func brand(_ offset: Int) -> String { String(decoding: head[offset..<offset + 4], as: UTF8.self) }
    guard head.has("ftyp", at: 4), head.count >= 12 else { return nil }
    switch brand(8) {
    case "avif", "avis": return .av1
    case "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs": return .other
    case "mif1", "msf1":
      let boxSize = head[0..<4].reduce(0) { $0 << 8 | Int($1) }
      let end = min(boxSize, head.count) - 3
      let compatible = stride(from: 16, to: max(end, 16), by: 4).map(brand)
      return compatible.contains { $0 == "avif" || $0 == "avis" } ? .av1 : .other
    default: return nil
    }
  }
}

extension ImageHeader {
  /// Finds the largest `ispe` property in `meta`, `iprp`, `ipco` (ISO/IEC 23008-12, section
  /// 6.5.3). Tiles and thumbnails have one too, and are smaller than what they belong to.
  static func readHEIF(_ source: HeaderBytes) throws(RenderFailure) -> ImageHeader {
    var header = ImageHeader(
      format: source.format, width: 0, height: 0, bitsPerSample: nil, channels: 3, hasAlpha: false)
    var items = HEIFItems()
    var (last, hasData, hasOpenBox) = (0, false, false)
    var dataEnd = source.count
    header.isComplete = try walkBoxes(source, 0..<source.count) { (type, body) throws(RenderFailure) in
      last = type
      if type == fourCharacters("mdat") { (hasData, dataEnd) = (true, body.upperBound) }
      // No length, nor the mark of one that follows.
      hasOpenBox =
        try source.u32(body.lowerBound - 8) == 0 && (try? source.u32(body.lowerBound - 16)) != 1
      guard type == fourCharacters("meta") else { return }
      // `meta` has a version and flags before its children.
      try walkBoxes(source, body.dropFirst(4)) { (type, body) throws(RenderFailure) in
        try items.read(source, type, body)
      }
    }
    header.hasOwnEnd = hasData && !hasOpenBox
    for (type, body) in items.properties { try readProperty(source, type, body, into: &header) }
    (header.space, header.video) = try items.colors(source)
    header.planeSamples = header.planeSamples.map { product(header.width, header.height, $0) / 2 }
    guard header.width > 0, header.height > 0 else {
      throw header.isComplete ? source.damaged("does not say how large it is") : source.end()
    }
    // Boxes that keep room free are zeros, and so is what fills a block of a disk behind the last box.
    if last == 0 || last == fourCharacters("mdat") { try source.requireRest(before: dataEnd) }
    return header
  }

  private static func readProperty(
    _ source: HeaderBytes, _ type: Int, _ body: Range<Int>, into header: inout ImageHeader
  ) throws(RenderFailure) {
    switch type {
    case fourCharacters("ispe") where body.count >= 12:
      let size = (try source.u32(body.lowerBound + 4), try source.u32(body.lowerBound + 8))
      if product(size.0, size.1) > product(header.width, header.height) {
        (header.width, header.height) = size
      }
    case fourCharacters("pixi") where body.count >= 6:
      header.bitsPerSample = max(header.bitsPerSample ?? 0, try source.u8(body.lowerBound + 5))
    // The decoder's settings; alpha has some of its own, which are grey.
    case fourCharacters("av1C") where body.count >= 4:
      let flags = try source.u8(body.lowerBound + 2)
      header.takeCoding(
        bits: flags & 0x40 == 0 ? 8 : flags & 0x20 == 0 ? 10 : 12,
        halfSamples: flags & 0x10 != 0 ? 2 : flags & 8 == 0 ? 6 : flags & 4 == 0 ? 4 : 3)
    case fourCharacters("hvcC") where body.count >= 18:
      header.takeCoding(
        bits: 8 + (try source.u8(body.lowerBound + 17)) & 7,
        halfSamples: [2, 3, 4, 6][try source.u8(body.lowerBound + 16) & 3])
    case _ where HEIFItems.isAlpha(source, type, body): (header.hasAlpha, header.channels) = (true, 4)
    default: break
    }
  }

  /// - Parameter halfSamples: of two pixels, in all planes; until the size is known they stand for those of the picture.
  private mutating func takeCoding(bits: Int, halfSamples: Int) {
    bitsPerSample = max(bitsPerSample ?? 0, bits)
    planeSamples = max(planeSamples ?? 0, halfSamples)
  }

  /// Calls `visit` with type and body of each box in a range. False where the last one is cut off.
  @discardableResult
  static func walkBoxes(
    _ source: HeaderBytes, _ range: Range<Int>,
    visit: (Int, Range<Int>) throws(RenderFailure) -> Void
  ) throws(RenderFailure) -> Bool {
    var offset = range.lowerBound
    while range.upperBound - offset >= 8 {
      var (size, head) = (try source.u32(offset), 8)
      if size == 1 {  // a 64-bit length follows; none of that size can be whole here
        guard try source.u32(offset + 8) == 0 else { return false }
        (size, head) = (try source.u32(offset + 12), 16)
      } else if size == 0 {  // to the end of the file
        size = range.upperBound - offset
      }
      guard size >= head else { throw source.damaged("has a box of \(size) bytes") }
      let end = min(offset + size, range.upperBound)
      guard offset + head <= end else { return false }
      try visit(try source.tag(offset + 4), offset + head..<end)
      guard offset + size <= range.upperBound else { return false }
      offset += size
    }
    return offset == range.upperBound
  }
}
