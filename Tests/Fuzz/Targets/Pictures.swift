import Digests

@testable import ImageProcessing
@testable import Pictures

extension FuzzTarget {
  static let pictures = [header, structure, exif, jpeg, jpegEncoding, still]

  private static let noLimits = RenderLimits(
    maxPixels: .max, maxSide: .max, maxAnimationPixels: .max, maxBytes: .max, maxDecodeBytes: .max)

  /// What a picture of any format says about itself.
  private static let header = FuzzTarget(name: "header") { bytes in
    guard let header = try? ImageHeader.read(bytes) else { return }
    try hold(header.width > 0 && header.height > 0 && header.frames > 0, "a picture has a size: \(header)")
    // A TIFF counts in 32 bits, and no other format in more.
    let most = 1 << 32
    try hold(header.width < most && header.height < most, "a side is what a file can say: \(header)")
    try hold((1...64).contains(header.channels) && header.storedSamples > 0, "it has samples: \(header)")
    try hold(header.shownChannels ?? 1 <= header.channels, "shown channels are channels: \(header)")
    try hold(header.format == ImageFormat.sniff(bytes), "it is of the format that it begins as")
    try noLimits.check(header, byteCount: bytes.count)
    try hold(
      noLimits.decodeMemoryEstimate(header, byteCount: bytes.count) >= bytes.count, "decoding takes memory")
  }

  /// A picture from its first to its last mark.
  private static let structure = FuzzTarget(name: "structure") { bytes in
    let formats = Set(ImageFormat.allCases)
    guard let header = try? PictureStructure.check(bytes, formats: formats, limits: noLimits) else { return }
    try hold(header.isComplete, "what is whole is complete")
    // Boxes have no end but that of the file, and behind a drawing's last tag there is only white space.
    guard ![.heif, .avif, .svg].contains(header.format) else { return }
    // A GIF may come without its end mark.
    let end: [UInt8] = header.format == .gif ? [0x3B] : []
    do {
      _ = try PictureStructure.check(
        bytes + end + [0x0A, 0x00, 0xFF, 0xD9], formats: formats, limits: noLimits)
    } catch {
      throw Broken(promise: "what comes behind the end does not matter: \(error)")
    }
  }

  /// The thumbnail in a JPEG's head, and in a block of EXIF.
  private static let exif = FuzzTarget(name: "exif") { bytes in
    let block =
      (try? ImageHeader.read(bytes))?.exif.map { bytes[$0.clamped(to: bytes.indices)] } ?? bytes[...]
    if let thumbnail = EXIFBlock.thumbnail(in: block) {
      try hold((1...65_535).contains(thumbnail.count), "a thumbnail fits into its segment")
      try hold(bytes.contains(thumbnail), "a thumbnail is a part of the file")
    }
  }

  /// A JPEG that libvips does not see, against libvips.
  private static let jpeg = FuzzTarget(name: "jpeg") { bytes in
    guard let header = try? ImageHeader.read(bytes), header.format == .jpeg,
      header.width <= 4096, header.height <= 4096, let plain = PlainJPEG(bytes)
    else { return }
    try hold((plain.width, plain.height) == (header.width, header.height), "the header is read alike")
    try hold((1...8).contains(plain.orientation), "a picture is turned in one of eight ways")
    let source = VipsSource(bytes)
    for shrink in [1, 2, 4, 8] where min(plain.width, plain.height) >= shrink {
      guard let ours = plain.image(of: bytes, shrink: shrink) else { continue }
      let theirs = try source.image(.jpeg, shrink: shrink, isStrict: true)
      try hold(theirs.orientation == plain.orientation, "both turn it alike")
      let size = try theirs.inMemory()
      try hold(
        (size.width, size.height, size.bands) == (ours.width, ours.height, ours.bands), "both are of one size"
      )
      let anywhere = plain.image(of: bytes, shrink: shrink, how: PlainJPEG.anywhere)
      let samples = [anywhere, ours].map { $0?.stored.map { [UInt8]($0) } }
      try hold(samples[0] == samples[1], "loops of all kinds make the same pixels")
      try hold(theirs.isPlain == ours.isPlain, "both see the same profile")
    }
  }

  /// A picture of one of the other formats that libvips does not see, against libvips; of a PNG with the checksums that it
  /// should have, too.
  private static let still = FuzzTarget(name: "still") { bytes in
    try compare(bytes)
    if ImageFormat.sniff(bytes) == .png { try compare(withSums(bytes)) }
  }

  private static func compare(_ bytes: [UInt8]) throws {
    guard let header = try? ImageHeader.read(bytes), header.width <= 1024, header.height <= 1024,
      let still = PlainStill(bytes, header)
    else { return }
    let theirs = try? VipsSource(bytes).image(header.format, shrink: 1, isStrict: false)
    let pixels = try? theirs?.inMemory()
    guard let ours = still.image(of: bytes) else {
      // The container is libwebp's in both.
      return try hold(
        pixels == nil || header.format != .webp, "what is refused is damaged for libvips too")
    }
    guard let theirs, let pixels else { throw Broken(promise: "what is taken libvips takes too") }
    try hold(
      (ours.width, ours.height, ours.bands) == (pixels.width, pixels.height, pixels.bands),
      "both are of one size")
    try hold(
      ours.stored.map { [UInt8]($0) } == pixels.stored.map { [UInt8]($0) }, "all pixels are libvips'")
    guard still.isBare else { return }
    try hold(max(still.orientation, 1) == theirs.orientation, "both turn it alike")
    try hold(still.exif == theirs.exif, "both find the same EXIF")
    try hold(still.rows.profile == theirs.rowFormat.profile, "both see the same profile")
  }

  private static func withSums(_ png: [UInt8]) -> [UInt8] {
    var (png, at) = (png, 8)
    while at + 12 <= png.count {
      let size = png[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
      guard at + 12 + size <= png.count else { break }
      let sum = CRC32.sum(png, at + 4..<at + 8 + size)
      for index in 0..<4 {
        png[at + 8 + size + index] = UInt8(truncatingIfNeeded: sum >> (24 - 8 * UInt32(index)))
      }
      at += 12 + size
    }
    return png
  }

  /// A picture that is written with our own codes and by libjpeg-turbo alone. The first bytes say how, the others are samples.
  private static let jpegEncoding = FuzzTarget(name: "jpeg-encoding") { bytes in
    guard bytes.count > 4 else { return }
    let (width, height, bands) = (1 + Int(bytes[0]) % 70, 1 + Int(bytes[1]) % 70, bytes[2] & 1 == 0 ? 3 : 1)
    let quality = 1 + Int(bytes[3]) % 100
    let samples = bytes[4...]
    let canvas = try Canvas(RowFormat(width: width, height: height, bands: bands, profile: []))
    for at in canvas.pixels.indices { canvas.pixels[at] = samples[4 + at % samples.count] }
    let image = Raster(canvas)
    let (optimizes, halves) = (bytes[2] & 2 == 0, bytes[2] & 4 == 0)
    let options = EncodingRecipe.JPEG(
      quality: quality, isProgressive: false, optimizesCoding: optimizes, chroma: halves ? .halved : .full)
    let ours = try image.jpeg(options, [])
    let theirs = try image.save(
      "jpegsave_buffer", "Q=\(quality)", "optimize-coding=\(optimizes)", "interlace=false",
      "subsample-mode=\(halves ? "on" : "off")")
    try hold(ours == theirs, "the bytes are those of libjpeg-turbo")
  }
}
