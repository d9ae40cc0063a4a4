import CJPEG
import CVips
import Pictures
import Rendering

/// All without metadata; qualities are the encoders' own, 1 to 100.
extension VipsImage {
  /// - Parameter recipe: one that names a format; PNG is written of others.
  func encoded(as recipe: EncodingRecipe.Format) throws(VipsFailure) -> [UInt8] {
    switch recipe {
    case .jpeg(let options):
      if let bytes = plainJPEG(options) { return bytes }
      return try save(
        "jpegsave_buffer", "Q=\(quality(options.quality))", "optimize-coding=\(options.optimizesCoding)",
        "interlace=\(options.isProgressive)", "subsample-mode=\(options.chroma.nick)")
    case .png(let options): return try png(options)
    case .webp(let options):
      return try save(
        "webpsave_buffer", keepsFields: false, "Q=\(quality(options.quality))",
        "lossless=\(options.isLossless)", "effort=\(min(max(options.effort, 0), 6))")
    case .heic(let quality): return try heif("hevc", quality)
    case .avif(let quality): return try heif("av1", quality)
    case .source: return try png(.init())
    }
  }

  /// By libjpeg-turbo alone: the bytes that libvips' saver has it write. Nil for pixels that are not there or not plain.
  private func plainJPEG(_ options: EncodingRecipe.JPEG) -> [UInt8]? {
    var count = 0
    guard isPlain, !hasAlpha, let pixels = pv_image_pixels(handle, &count) else { return nil }
    let quality = quality(options.quality)
    let halvesChroma =
      switch options.chroma {
      case .auto: quality < 90
      case .halved: true
      case .full: false
      }
    var recipe = pj_recipe(
      quality: Int32(quality), is_progressive: options.isProgressive ? 1 : 0,
      optimizes_coding: options.optimizesCoding ? 1 : 0, halves_chroma: halvesChroma ? 1 : 0)
    var file: UnsafeMutablePointer<UInt8>?
    // fits: sides and bands come from libvips, as 32 bits.
    let status = pj_encode(pixels, Int32(width), Int32(height), Int32(bands), &recipe, &file, &count)
    guard status == 0, let file else { return nil }
    defer { pj_free(file) }
    return [UInt8](UnsafeBufferPointer(start: file, count: count))
  }

  private func png(_ options: EncodingRecipe.PNG) throws(VipsFailure) -> [UInt8] {
    try save(
      "pngsave_buffer", "compression=\(min(max(options.compression, 0), 9))",
      "filter=\(options.hasPalette ? "none" : "all")", "palette=\(options.hasPalette)")
  }

  /// Eight bits, because devices decode more only in part. Where the encoder is missing libheif may write another
  /// one's data: look at what came.
  private func heif(_ codec: String, _ quality: Int) throws(VipsFailure) -> [UInt8] {
    try save(
      "heifsave_buffer", keepsFields: false, "Q=\(self.quality(quality))", "bitdepth=8",
      "compression=\(codec)")
  }

  private func quality(_ quality: Int) -> Int { min(max(quality, 1), 100) }

  /// - Parameters:
  ///   - saver: libvips' operation.
  ///   - keepsFields: "strip" is enough to leave out metadata. It is not for WebP and HEIF: libvips 8.14 makes
  ///     their EXIF again from its separate fields.
  ///   - options: the saver's, by libvips' names and nicknames, as `name=value`.
  func save(
    _ saver: String, keepsFields: Bool = true, _ options: String...
  ) throws(VipsFailure) -> [UInt8] {
    let text = (options + ["strip=true"]).joined(separator: ",")
    return try VipsImage.encode { pv_save(handle, saver, text, keepsFields ? 1 : 0, $0, $1) }
  }

  static func encode(
    _ save: (UnsafeMutablePointer<UnsafeMutableRawPointer?>, UnsafeMutablePointer<Int>) -> Int32
  ) throws(VipsFailure) -> [UInt8] {
    var bytes: UnsafeMutableRawPointer?
    var count = 0
    try check(save(&bytes, &count))
    defer { pv_free(bytes) }
    return [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
  }
}

extension VipsImage {
  /// In memory, with colours that survive being weighted by alpha in 8 bits. So a picture continued from
  /// its pixels has the same bytes as one that never left the worker.
  func settled() throws(VipsFailure) -> VipsImage {
    try VipsImage.make { pv_settle(handle, $0) }
  }

  /// Premultiplied, of a picture that is plain and settled.
  func pixels() throws(VipsFailure) -> (description: RenderPixels, bytes: [UInt8]) {
    (
      RenderPixels(width: width, height: height, channels: bands),
      try VipsImage.encode { pv_to_pixels(handle, $0, $1) }
    )
  }

  /// A picture of pixels that ``pixels()`` gave.
  ///
  /// - Precondition: `bytes` has as many bytes as the description says.
  static func of(_ description: RenderPixels, _ bytes: [UInt8]) throws(VipsFailure) -> VipsImage {
    try VipsImage.make { out in
      bytes.withUnsafeBytes {
        pv_from_pixels(
          $0.baseAddress, Int32(description.width), Int32(description.height), Int32(description.channels),
          out)
      }
    }
  }
}

extension EncodingRecipe.Chroma {
  /// libvips' word for it.
  fileprivate var nick: String {
    switch self {
    case .auto: "auto"
    case .halved: "on"
    case .full: "off"
    }
  }
}
