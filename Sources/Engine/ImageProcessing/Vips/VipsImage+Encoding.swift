import CVips
import Pictures

/// All without metadata; qualities are the encoders' own, 1 to 100.
extension VipsImage {
  func jpeg(_ options: EncodingRecipe.JPEG) throws(VipsFailure) -> [UInt8] {
    let chroma =
      switch options.chroma {
      case .auto: PV_CHROMA_AUTO
      case .halved: PV_CHROMA_HALVED
      case .full: PV_CHROMA_FULL
      }
    return try VipsImage.encode {
      pv_save_jpeg(
        handle, VipsImage.quality(options.quality), options.isProgressive ? 1 : 0,
        options.optimizesCoding ? 1 : 0, chroma, $0, $1)
    }
  }

  func png(_ options: EncodingRecipe.PNG = EncodingRecipe.PNG()) throws(VipsFailure) -> [UInt8] {
    let compression = Int32(min(max(options.compression, 0), 9))
    return try VipsImage.encode { pv_save_png(handle, compression, options.hasPalette ? 1 : 0, $0, $1) }
  }

  func webp(_ options: EncodingRecipe.WebP) throws(VipsFailure) -> [UInt8] {
    let effort = Int32(min(max(options.effort, 0), 6))
    return try VipsImage.encode {
      pv_save_webp(
        handle, VipsImage.quality(options.quality), options.isLossless ? 1 : 0, effort, $0, $1)
    }
  }

  /// Where the encoder is missing libheif may write another one's data: look at what came.
  func heif(_ codec: pv_codec, quality: Int) throws(VipsFailure) -> [UInt8] {
    try VipsImage.encode { pv_save_heif(handle, codec, VipsImage.quality(quality), $0, $1) }
  }

  private static func quality(_ quality: Int) -> Int32 { Int32(min(max(quality, 1), 100)) }

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
