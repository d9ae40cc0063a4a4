import CVips
import Rendering

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
