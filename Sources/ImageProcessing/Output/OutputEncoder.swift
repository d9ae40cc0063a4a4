import Rendering

/// Writes a finished picture. The bitmap's having an alpha channel decides the format, not its pixels.
struct OutputEncoder {
  var encoding: RenderRequest.Encoding

  /// libjpeg's own limit of a side (`JPEG_MAX_DIMENSION`).
  private static let longestJPEGSide = 65_500

  /// - Throws: `.limit` where the format cannot hold the size, `.memory`, `.encode`.
  func encode(_ image: VipsImage) throws(RenderFailure) -> (format: ImageFormat, bytes: [UInt8]) {
    switch encoding {
    // `.original` and `.pixels` do not come here: there is nothing to write.
    case .png, .original, .pixels:
      return (.png, try png(image))
    case .jpeg(let quality):
      return (.jpeg, try jpeg(image, quality))
    case .automatic(let quality, _):
      return image.hasAlpha ? (.png, try png(image)) : (.jpeg, try jpeg(image, quality))
    }
  }

  private func png(_ image: VipsImage) throws(RenderFailure) -> [UInt8] {
    try encoding("PNG") { () throws(VipsFailure) in try image.png() }
  }

  private func jpeg(_ image: VipsImage, _ quality: Int) throws(RenderFailure) -> [UInt8] {
    guard max(image.width, image.height) <= OutputEncoder.longestJPEGSide else {
      throw RenderFailure(
        .limit, "\(image.width)x\(image.height) pixels do not fit into a JPEG; ask for PNG or a smaller size")
    }
    return try encoding("JPEG") { () throws(VipsFailure) in try image.flattened().jpeg(quality: quality) }
  }

  private func encoding(
    _ name: String, _ work: () throws(VipsFailure) -> [UInt8]
  ) throws(RenderFailure) -> [UInt8] {
    do throws(VipsFailure) {
      return try work()
    } catch {
      if error.isMemory {
        throw RenderFailure(.memory, "encoding the \(name) needs more memory than a worker may have")
      }
      throw RenderFailure(.encode, "the \(name) could not be written (\(error.detail))")
    }
  }
}
