import Foundation

/// An image with what is known about it: what the memory cache holds and what the pipeline hands out.
public struct ImageContainer: Sendable {
  /// The picture.
  public var image: PlatformImage
  /// The bytes of an animation, of which the image is the first frame.
  public var data: Data?

  /// An image with what is known about it.
  public init(image: PlatformImage, data: Data? = nil) {
    self.image = image
    self.data = data
  }

  /// Bytes of memory as Nuke counts them.
  var cost: Int { image.pixels.count + (data?.count ?? 0) }
}

/// A picture without a screen: its pixels.
///
/// Pixels are sRGB, 8 bits a component in the order red, green, blue, alpha, with alpha premultiplied, the
/// top row first and upright, without padding.
public struct PlatformImage: Hashable, Sendable {
  /// Pixels.
  public let width, height: Int
  /// Four bytes for each pixel.
  public let pixels: Data
  /// Whether the format has no alpha. The pipeline chooses between JPEG and PNG by it, as Nuke does by the bitmap's
  /// format, not by its pixels.
  public let isOpaque: Bool
  /// Of the picture that it was decoded from: a grey one is encoded as grey.
  package let channels: Int

  /// An image of decoded pixels; nil if the numbers do not fit each other.
  public init?(width: Int, height: Int, pixels: Data, isOpaque: Bool) {
    self.init(width: width, height: height, pixels: pixels, channels: isOpaque ? 3 : 4)
  }

  package init?(width: Int, height: Int, pixels: Data, channels: Int) {
    let (count, overflow) = width.multipliedReportingOverflow(by: height)
    guard width > 0, height > 0, !overflow, pixels.count % 4 == 0, pixels.count / 4 == count else {
      return nil
    }
    (self.width, self.height, self.pixels) = (width, height, pixels)
    (isOpaque, self.channels) = (channels % 2 == 1, channels)
  }
}
