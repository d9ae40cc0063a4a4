/// Raw pixels as they travel between the pool and a worker: rows of red, green, blue and alpha without
/// padding, 8 bits each, sRGB, alpha premultiplied, the upper row first, upright.
public struct RenderPixels: Codable, Hashable, Sendable {
  public static let bytesPerPixel = 4

  public var width: Int
  public var height: Int
  /// Channels of the picture that the pixels show: 1 grey, 2 grey with alpha, 3 colour, 4 colour with
  /// alpha. It decides how the picture is encoded; the pixels always have four bytes.
  public var channels: Int

  public init(width: Int, height: Int, channels: Int) {
    self.width = width
    self.height = height
    self.channels = channels
  }

  public var isOpaque: Bool { channels == 1 || channels == 3 }

  /// The largest number where the sizes make no sense.
  public var byteCount: Int {
    width > 0 && height > 0 ? product(width, height, Self.bytesPerPixel) : .max
  }
}
