import CDraw
import CJPEG
import CPNG
import CVips
import Pictures

/// All without metadata; qualities are the encoders' own, 1 to 100.
extension Raster {
  /// - Parameters:
  ///   - recipe: one that names a format; PNG is written of others.
  ///   - profile: of the picture's colours, empty for sRGB. HEIC and AVIF are always sRGB, since libvips writes their
  ///     profile only together with an EXIF block.
  func encoded(as recipe: EncodingRecipe.Format, _ profile: [UInt8] = []) throws(RasterFailure) -> [UInt8] {
    switch recipe {
    case .jpeg(let options): return try inMemory().jpeg(options, profile)
    case .png(let options): return try png(options, profile)
    case .webp(let options):
      let bytes = try save(
        "webpsave_buffer", keepsFields: false, profile: profile, "Q=\(quality(options.quality))",
        "lossless=\(options.isLossless)", "effort=\(min(max(options.effort, 0), 6))")
      return withoutEXIF(bytes)
    case .heic(let quality): return try inSRGB(profile).heif("hevc", quality)
    case .avif(let quality): return try inSRGB(profile).heif("av1", quality)
    case .source: return try png(.init(), profile)
    }
  }

  /// The bytes that libvips' saver has libjpeg-turbo write, of pixels in memory that are plain and without alpha.
  func jpeg(_ options: EncodingRecipe.JPEG, _ profile: [UInt8]) throws(RasterFailure) -> [UInt8] {
    guard isPlain, !hasAlpha, let pixels = stored?.baseAddress else {
      throw RasterFailure(isMemory: false, detail: "the pixels are not plain")
    }
    let quality = quality(options.quality)
    let halvesChroma =
      switch options.chroma {
      case .auto: quality < 90
      case .halved: true
      case .full: false
      }
    var file: UnsafeMutablePointer<UInt8>?
    var count = 0
    let status = profile.withUnsafeBufferPointer { profile in
      var recipe = pj_recipe(
        quality: Int32(quality), is_progressive: options.isProgressive ? 1 : 0,
        optimizes_coding: options.optimizesCoding ? 1 : 0, halves_chroma: halvesChroma ? 1 : 0,
        profile: profile.baseAddress, profile_count: profile.count)
      // fits: sides and bands come from libvips, as 32 bits.
      return pj_encode(
        pixels.assumingMemoryBound(to: UInt8.self), Int32(width), Int32(height), Int32(bands), &recipe, &file,
        &count)
    }
    guard status == 0, let file else { throw RasterFailure(isMemory: true, detail: "no memory to write it") }
    defer { pj_free(file) }
    return [UInt8](UnsafeBufferPointer(start: file, count: count))
  }

  /// What is larger is written row by row, for the whole file is made in memory.
  private static let mostPlainPNG = 32 << 20

  /// By libdeflate. Nil for pixels that are not plain or too many.
  private func plainPNG(_ options: EncodingRecipe.PNG, _ profile: [UInt8]) -> [UInt8]? {
    guard isPlain, byteCount <= Self.mostPlainPNG, let pixels = stored?.baseAddress else { return nil }
    var file: UnsafeMutablePointer<UInt8>?
    var count = 0
    let status = profile.withUnsafeBufferPointer { profile in
      // fits: of ten values.
      let compression = Int32(min(max(options.compression, 0), 9))
      var recipe = pn_recipe(
        compression: compression, profile: profile.baseAddress, profile_count: profile.count)
      // fits: sides and bands come from libvips, as 32 bits.
      return pn_encode(pixels, Int32(width), Int32(height), Int32(bands), &recipe, &file, &count)
    }
    guard status == 0, let file else { return nil }
    defer { pn_free(file) }
    return [UInt8](UnsafeBufferPointer(start: file, count: count))
  }

  private func png(_ options: EncodingRecipe.PNG, _ profile: [UInt8]) throws(RasterFailure) -> [UInt8] {
    if !options.hasPalette, let bytes = try inMemory().plainPNG(options, profile) { return bytes }
    return try save(
      "pngsave_buffer", keepsFields: profile.isEmpty, profile: profile,
      "compression=\(min(max(options.compression, 0), 9))",
      "filter=\(options.hasPalette ? "none" : "all")", "palette=\(options.hasPalette)")
  }

  /// Eight bits, because devices decode more only in part. Where the encoder is missing libheif may write another
  /// one's data: look at what came.
  private func heif(_ codec: String, _ quality: Int) throws(RasterFailure) -> [UInt8] {
    try save(
      "heifsave_buffer", keepsFields: false, "Q=\(self.quality(quality))", "bitdepth=8",
      "compression=\(codec)")
  }

  private func quality(_ quality: Int) -> Int { min(max(quality, 1), 100) }

  /// - Parameters:
  ///   - saver: libvips' operation.
  ///   - keepsFields: "strip" is enough to leave out metadata. It is not for WebP and HEIF: libvips 8.14 makes
  ///     their EXIF again from its separate fields.
  ///   - profile: of the colours; goes into the file where it is not empty, and with it what the saver makes of itself.
  ///   - options: the saver's, by libvips' names and nicknames, as `name=value`.
  func save(
    _ saver: String, keepsFields: Bool = true, profile: [UInt8] = [], _ options: String...
  ) throws(RasterFailure) -> [UInt8] {
    let text = (options + ["strip=\(profile.isEmpty)"]).joined(separator: ",")
    var bytes: UnsafeMutableRawPointer?
    var count = 0
    try Raster.check(
      vips.save(handle, saver, text, keepsFields ? 1 : 0, profile, profile.count, &bytes, &count))
    defer { vips.free(bytes) }
    return [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
  }
}

extension Raster {
  /// In memory, with colours that survive being weighted by alpha in 8 bits. So a picture continued from
  /// its pixels has the same bytes as one that never left the worker.
  func settled() throws(RasterFailure) -> Raster {
    let held = try inMemory()
    guard hasAlpha, let stored = held.stored else { return held }
    let canvas = try Canvas(
      RowFormat(width: width, height: height, bands: bands, profile: rowsOfCanvas?.profile ?? []))
    if bands == 4 {
      // fits: canvases have no more pixels.
      pd_settle_row(
        canvas.pixels.baseAddress, stored.assumingMemoryBound(to: UInt8.self).baseAddress,
        Int32(width * height))
    } else {
      for at in Swift.stride(from: 0, to: stored.count, by: 2) {
        let alpha = Int32(stored[at + 1])
        canvas.pixels[at] = pd_unweigh(Int32(pd_weigh(Int32(stored[at]), alpha)), alpha)
        canvas.pixels[at + 1] = stored[at + 1]
      }
    }
    return Raster(canvas)
  }

  /// Premultiplied RGBA, of a picture that is plain and settled.
  func pixels() throws(RasterFailure) -> (description: RenderPixels, bytes: [UInt8]) {
    let held = try inMemory()
    guard let stored = held.stored else { throw DrawingPass.noMemory }
    let canvas = try Canvas(RowFormat(width: width, height: height, bands: 4, profile: []))
    for (from, to) in zip(
      Swift.stride(from: 0, to: stored.count, by: bands), Swift.stride(from: 0, to: .max, by: 4))
    {
      let alpha = hasAlpha ? Int32(stored[from + bands - 1]) : 255
      for band in 0..<3 {
        canvas.pixels[to + band] = pd_weigh(Int32(stored[from + (bands < 3 ? 0 : band)]), alpha)
      }
      canvas.pixels[to + 3] = UInt8(alpha)
    }
    return (RenderPixels(width: width, height: height, channels: bands), Array(canvas.pixels))
  }

  /// A picture of pixels that ``pixels()`` gave.
  ///
  /// - Precondition: `bytes` has as many bytes as the description says.
  static func of(_ description: RenderPixels, _ bytes: [UInt8]) throws(RasterFailure) -> Raster {
    let bands = description.channels
    let canvas = try Canvas(
      RowFormat(width: description.width, height: description.height, bands: bands, profile: []))
    for (from, to) in zip(
      Swift.stride(from: 0, to: .max, by: 4), Swift.stride(from: 0, to: canvas.pixels.count, by: bands))
    {
      let alpha = bands % 2 == 0 ? bytes[from + 3] : 255
      for band in 0..<(bands < 3 ? 1 : 3) {
        canvas.pixels[to + band] = pd_unweigh(Int32(bytes[from + band]), Int32(alpha))
      }
      if bands % 2 == 0 { canvas.pixels[to + bands - 1] = alpha }
    }
    return Raster(canvas)
  }
}

/// libvips writes an EXIF block of its own into every WebP file; without it a plain picture needs no extended head either.
func withoutEXIF(_ file: [UInt8]) -> [UInt8] {
  func number(_ at: Int) -> Int { (0..<4).reduce(0) { $0 | Int(file[at + $1]) << (8 * $1) } }
  // The head of the file, and of its first chunk, `VP8X`, with flags behind it.
  var (bytes, at) = (Array(file.prefix(12)), 12)
  while at + 8 <= file.count {
    let end = min(at + 8 + (number(at + 4) + 1) / 2 * 2, file.count)
    if !file[at...].starts(with: "EXIF".utf8) { bytes += file[at..<end] }
    at = end
  }
  if file[12...].starts(with: "VP8X".utf8) {
    bytes[20] &= ~0x08
    if bytes[20] == 0 { bytes.removeSubrange(12..<30) }
  }
  for index in 0..<4 { bytes[4 + index] = UInt8(truncatingIfNeeded: (bytes.count - 8) >> (8 * index)) }
  return bytes
}
