import Digests

extension FormatFacts {
  static let png = FormatFacts(
    name: "PNG", isTrusted: true, drawingVersion: 7, uniformType: "public.png", loader: "pngload_buffer",
    // A plain and small file is inflated at once.
    decoderMemory: { header, plane, strip in header.isInterlaced || plane <= 32 << 20 ? plane : strip },
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
    var header = ImageHeader(
      format: .png, width: width, height: height, isInterlaced: interlace == 1, bitsPerSample: bits,
      channels: channels, hasAlpha: colorType == 4 || colorType == 6, isComplete: false)
    walkChunks(source, into: &header)
    return header
  }

  private static func walkChunks(_ source: HeaderBytes, into header: inout ImageHeader) {
    var (colors, areColorsPast) = (PNGColors(), false)
    var hasFrames = false
    var offset = 8
    while let length = try? source.u32(offset), let type = try? source.tag(offset + 4) {
      // Complete only with its checksum.
      guard length < 1 << 31, offset + 12 + length <= source.count else { break }
      let data = offset + 8..<offset + 8 + length
      switch type {
      case fourCharacters("IEND"):
        header.isComplete = true
        offset = source.count
      case fourCharacters("tRNS") where header.hasAlpha != true:
        (header.hasAlpha, header.channels) = (true, header.channels + 1)
      case fourCharacters("acTL"): header.frames = max(1, (try? source.u32(offset + 8)) ?? 1)
      case fourCharacters("fcTL"): hasFrames = true
      case fourCharacters("PLTE"), fourCharacters("IDAT"): areColorsPast = true
      // Uncompressed, without a language and a keyword in it.
      case fourCharacters("iTXt")
      where header.xmp == nil && source.bytes.has("XML:com.adobe.xmp\0\0\0\0\0", at: data.lowerBound):
        header.xmp = data.dropFirst(22)
      // Some writers put it behind the pixels, where libpng is not asked for it.
      case fourCharacters("eXIf") where header.exif == nil && PNGColors.isSound(source, data):
        header.exif = data
      default: if !areColorsPast { colors.read(source, type, data) }
      }
      offset += 12 + length
    }
    // Frames that are announced and never come; optimisers leave such files.
    if header.isComplete, !hasFrames { header.frames = 1 }
    colors.put(into: &header)
  }
}

/// The meaning of the numbers, by the chunks before the palette and the pixels (PNG specification, third edition, section 11.3.2):
/// cICP over iCCP, which the decoder reads, over sRGB over gAMA and cHRM.
private struct PNGColors {
  private var (codePoints, dynamicRange): (PictureSpace?, String?)
  private var (hasProfile, isSRGB) = (false, false)
  private var (areCodePointsOdd, isGammaOdd) = (false, false)
  private var gamma: Double?
  private var places: [Double]?

  private static let known = [
    fourCharacters("cICP"): 4, fourCharacters("sRGB"): 1, fourCharacters("gAMA"): 4,
    fourCharacters("cHRM"): 32,
  ]
  /// A gamma as far from 1 is one of no picture.
  private static let mostGamma = 10.0

  /// Whether a chunk has its checksum: decoders skip such ones that are damaged.
  static func isSound(_ source: HeaderBytes, _ data: Range<Int>) -> Bool {
    let sum = try? source.u32(data.upperBound)
    return sum == Int(CRC32.sum(source.bytes, data.lowerBound - 4..<data.upperBound))
  }

  mutating func read(_ source: HeaderBytes, _ type: Int, _ data: Range<Int>) {
    if type == fourCharacters("iCCP") { hasProfile = true }
    guard Self.known[type] == data.count, Self.isSound(source, data) else { return }
    let bytes = Array(source.bytes[data])
    let numbers = stride(from: data.lowerBound, to: data.upperBound - 3, by: 4).map {
      Double((try? source.u32($0)) ?? 0) / 100_000
    }
    switch type {
    case fourCharacters("sRGB"): isSRGB = true
    case fourCharacters("cICP"):
      // Without a matrix, and with all levels from 0 to the most.
      if bytes[2] == 0, bytes[3] == 1 {
        codePoints = PictureSpace(primaries: Int(bytes[0]), transfer: Int(bytes[1]))
        dynamicRange = PictureSpace.dynamicRange(transfer: Int(bytes[1]))
      }
      areCodePointsOdd = codePoints == nil
    case fourCharacters("gAMA"):
      isGammaOdd = !(1 / Self.mostGamma...Self.mostGamma).contains(numbers[0])
      if !isGammaOdd { gamma = 1 / numbers[0] }
    default: places = Array(numbers[2...] + numbers[..<2])
    }
  }

  func put(into header: inout ImageHeader) {
    header.hasOddColors = areCodePointsOdd || isGammaOdd && !isSRGB && !hasProfile
    if let codePoints {
      (header.space, header.isSpaceOverProfile) = (codePoints, true)
      return
    }
    let hasOther = hasProfile || isSRGB || gamma != nil || places != nil
    // The other chunks are for decoders that do not know it.
    if !hasOther { header.video.unknown = dynamicRange }
    guard hasOther, !isSRGB else { return }
    let srgb = PictureSpace.sRGB
    let isSRGBGamut = places.map { zip($0, srgb.places).allSatisfy { abs($0 - $1) < 0.002 } } ?? true
    // Writers mean sRGB by 1/2.2 and 0.45.
    let isSRGBCurve = gamma.map { abs(2.2 / $0 - 1) <= 0.0101 } ?? true
    if isSRGBGamut, isSRGBCurve { return }
    header.space = PictureSpace(
      places: isSRGBGamut ? srgb.places : places ?? [], curve: gamma.map(PictureSpace.power) ?? srgb.curve)
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
