extension FormatFacts {
  static let tiff = FormatFacts(
    name: "TIFF", isTrusted: false, drawingVersion: 10, endingsDrawnOtherwise: ["tif", "tiff", "dng"],
    uniformType: "public.tiff", isShownByBrowsers: false,
    loader: "tiffload_buffer",
    // A single strip or one row of huge tiles may be all of it.
    decoderMemory: { _, plane, _ in plane },
    begins: { $0.starts(with: [0x49, 0x49, 0x2A, 0]) || $0.starts(with: [0x4D, 0x4D, 0, 0x2A]) },
    isLittleEndian: { $0.first == 0x49 },
    readHeader: ImageHeader.readTIFF, checkStructure: PictureStructure.checkTIFF)
}

extension ImageHeader {
  /// More pages than this are a chain made to cost time.
  private static let mostPages = 10_000

  /// Reads the first directory and follows the chain of the others (TIFF 6.0, section 2).
  static func readTIFF(_ source: HeaderBytes) throws(RenderFailure) -> ImageHeader {
    let first = try source.u32(4)
    var header = try readDirectory(source, at: first)
    var visited: Set<Int> = [first]
    var directory = first
    while let count = try? source.u16(directory),
      let next = try? source.u32(directory + 2 + 12 * count), next != 0
    {
      guard visited.insert(next).inserted else { throw source.damaged("has a chain of pages that loops") }
      guard visited.count <= mostPages else { throw source.damaged("has more than \(mostPages) pages") }
      directory = next
    }
    header.frames = visited.count
    return header
  }

  private static func readDirectory(
    _ source: HeaderBytes, at offset: Int
  ) throws(RenderFailure) -> ImageHeader {
    guard offset >= 8 else { throw source.damaged("has its directory inside its header") }
    let count = try source.u16(offset)
    var samples = Samples()
    for index in 0..<count { try samples.read(source, offset + 2 + 12 * index) }
    guard (1...64).contains(samples.bits), (1...64).contains(samples.channels) else {
      throw source.damaged("has \(samples.channels) samples of \(samples.bits) bits a pixel")
    }
    if let kind = samples.refusedKind {
      throw RenderFailure(
        .format, "this is \(kind), which is not decoded", advice: "convert it to a JPEG, PNG or WebP")
    }
    var header = ImageHeader(
      format: .tiff, width: samples.width, height: samples.height, bitsPerSample: samples.bits,
      // A palette or YCbCr becomes RGB; never count fewer than that.
      channels: max(samples.channels, 3), hasAlpha: samples.hasAlpha)
    header.shownChannels = samples.shown
    header.rareKind = samples.rareKind
    header.xmp = samples.xmp
    // LZW and PackBits take zeros for black pixels.
    if [5, 32_773].contains(samples.compression) {
      try source.requireRest(before: PictureStructure.endOfTIFFData(source, at: offset))
    }
    return header
  }

  /// What the first directory says of the picture.
  private struct Samples {
    var (width, height, bits, channels) = (0, 0, 1, 1)
    var photometric: Int?
    var compression = 1
    /// SampleFormat: 1 unsigned, 2 signed, 3 floating point.
    var format = 1
    var hasAlpha = false
    var (isInPlanes, isTiled, isRaw) = (false, false, false)
    var xmp: Range<Int>?

    /// An entry may come twice, and decoders differ in which one they use: the larger counts.
    mutating func read(_ source: HeaderBytes, _ entry: Int) throws(RenderFailure) {
      switch try source.u16(entry) {
      case 256: width = max(width, try ImageHeader.value(source, entry))
      case 257: height = max(height, try ImageHeader.value(source, entry))
      case 258: bits = max(bits, try ImageHeader.value(source, entry))
      case 259: compression = try ImageHeader.value(source, entry)
      case 262: photometric = try ImageHeader.value(source, entry)
      case 284: isInPlanes = try ImageHeader.value(source, entry) == 2
      case 322: isTiled = true
      case 277: channels = max(channels, try ImageHeader.value(source, entry))
      // A decoder that finds no end of these guesses colours.
      case 320, 347, 34_675: try ImageHeader.requireWhole(source, entry)
      // ExtraSamples: 1 is premultiplied alpha, 2 is not, 0 is nothing that is known.
      case 338: hasAlpha = try [1, 2].contains(ImageHeader.value(source, entry))
      case 339: format = try ImageHeader.value(source, entry)
      case 700: xmp = try source.u32(entry + 8)..<source.u32(entry + 8) + source.u32(entry + 4)
      // DNGVersion: what stands first in the file is a preview.
      case 50_706: isRaw = true
      default: break
      }
    }

    /// What libvips draws otherwise than it is, without a word.
    var refusedKind: String? {
      switch (photometric, format) {
      // A colour filter array, linear raw data (DNG specification).
      case _ where isRaw, (32_803, _), (34_892, _): "a camera raw picture (DNG)"
      case (_, 2): "a TIFF picture of signed numbers"
      case (_, 3), (_, 6): "a TIFF picture of floating-point numbers"
      case _ where bits > 16: "a TIFF picture of numbers of \(bits) bits"
      case _ where compression == 6: "a TIFF picture with JPEG data of the old style"
      case (6, _) where compression != 7: "a TIFF picture of YCbCr without JPEG"
      default: nil
      }
    }

    var rareKind: String? {
      if photometric == nil { return "without a word on what its numbers mean (tag 262)" }
      if isInPlanes && isTiled { return "of planes in tiles" }
      return bits.nonzeroBitCount == 1 ? nil : "of samples of \(bits) bits"
    }

    /// A band more than they need and that is not said to be alpha; libvips takes it for alpha (TIFF 6.0, sections 5, 6,
    /// 16, 18 and 21). Of a palette three are shown.
    var shown: Int? {
      let colors: [Int: Int] = [0: 1, 1: 1, 2: 3, 3: 1, 5: 4, 6: 3]
      guard let needed = photometric.flatMap({ colors[$0] }) else { return nil }
      let alpha = hasAlpha ? 1 : 0
      return channels > needed + alpha ? (photometric == 3 ? 3 : needed) + alpha : nil
    }
  }

  /// A colour map, a profile and the tables of a JPEG stream lie elsewhere in the file.
  private static func requireWhole(_ source: HeaderBytes, _ entry: Int) throws(RenderFailure) {
    let size = [3: 2, 4: 4][try source.u16(entry + 2)] ?? 1
    let length = product(try source.u32(entry + 4), size)
    guard length > 4 else { return }
    let start = try source.u32(entry + 8)
    guard start <= source.count, length <= source.count - start else {
      throw RenderFailure(
        .truncated, "the TIFF picture ends inside its colours, after \(source.count) bytes")
    }
  }

  /// A number of an entry, by default the first. More than four bytes of them lie elsewhere in the file. Reading runs off
  /// its end before a made-up count costs any time.
  fileprivate static func value(
    _ source: HeaderBytes, _ entry: Int, at index: Int = 0, sizes: [Int: Int] = [1: 1, 3: 2, 4: 4]
  ) throws(RenderFailure) -> Int {
    let (type, count) = (try source.u16(entry + 2), try source.u32(entry + 4))
    guard count > 0 else { throw source.damaged("has an empty entry in its directory") }
    guard let size = sizes[type] else {
      throw source.damaged("has an entry of type \(type) where a whole number belongs")
    }
    let start = count * size <= 4 ? entry + 8 : try source.u32(entry + 8)
    return try source.number(start + index * size, size: size)
  }
}

extension PictureStructure {
  /// The strips or tiles of the first picture (TIFF 6.0, sections 3 and 15): it has no end mark, so they are
  /// all that can be missing.
  static func checkTIFF(_ source: HeaderBytes) throws(RenderFailure) {
    _ = try checkPage(source, at: try source.u32(4))
  }

  /// The same for all pages, as long as they do not share their lists.
  static func checkPages(_ source: HeaderBytes) throws(RenderFailure) {
    var (directory, strips) = (try source.u32(4), 0)
    while directory != 0, strips <= source.count {
      strips += try checkPage(source, at: directory)
      directory = try source.u32(directory + 2 + 12 * (try source.u16(directory)))
    }
    guard strips <= source.count else { throw source.damaged("has pages that share their image data") }
  }

  /// The end of the last strip or tile.
  static func endOfTIFFData(_ source: HeaderBytes, at directory: Int) throws(RenderFailure) -> Int {
    var end = 0
    _ = try checkPage(source, at: directory) { end = max(end, $0) }
    return end
  }

  /// - Returns: the number of its strips or tiles.
  private static func checkPage(
    _ source: HeaderBytes, at directory: Int, note: (Int) -> Void = { _ in }
  ) throws(RenderFailure) -> Int {
    var entries: [Int: Int] = [:]
    for index in 0..<(try source.u16(directory)) {
      let entry = directory + 2 + 12 * index
      entries[try source.u16(entry)] = entry
    }
    let sizes = [3: 2, 4: 4]
    // Offsets and byte counts, of strips or of tiles.
    for (offsets, counts) in [(273, 279), (324, 325)] {
      guard let first = entries[offsets], let second = entries[counts] else { continue }
      let number = try source.u32(first + 4)
      guard number > 0, number == (try source.u32(second + 4)) else {
        throw source.damaged("does not say where its image data are")
      }
      for index in 0..<number {
        let end =
          try ImageHeader.value(source, first, at: index, sizes: sizes)
          + (try ImageHeader.value(source, second, at: index, sizes: sizes))
        guard end <= source.count else {
          throw RenderFailure(
            .truncated, "the TIFF picture ends inside its image data, after \(source.count) bytes")
        }
        note(end)
      }
      return number
    }
    throw source.damaged("holds no image data")
  }
}
