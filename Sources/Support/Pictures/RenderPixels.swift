/// Raw pixels as they travel between the pool and a worker: rows of red, green, blue and alpha without
/// padding, 8 bits each, sRGB, alpha premultiplied, the upper row first, upright.
package struct RenderPixels: Codable, Hashable, Sendable {
  static let bytesPerPixel = 4

  package var width: Int
  package var height: Int
  /// Channels of the picture that the pixels show: 1 grey, 2 grey with alpha, 3 colour, 4 colour with
  /// alpha. It decides how the picture is encoded; the pixels always have four bytes.
  package var channels: Int

  package init(width: Int, height: Int, channels: Int) {
    self.width = width
    self.height = height
    self.channels = channels
  }

  package var isOpaque: Bool { channels == 1 || channels == 3 }

  /// The largest number where the sizes make no sense.
  package var byteCount: Int {
    width > 0 && height > 0 ? product(width, height, Self.bytesPerPixel) : .max
  }
}
