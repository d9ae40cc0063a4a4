import Foundation

/// A picture without a screen: decoded pixels, or only the size of one that is still encoded.
///
/// Pixels are sRGB, 8 bits a component in the order red, green, blue, alpha, with alpha premultiplied, the
/// top row first and upright.
public struct PlatformImage: Hashable, Sendable {
  public static let bytesPerPixel = 4

  /// Pixels.
  public let width: Int
  public let height: Int
  /// Bytes from one row to the next; 0 for an image that is not decoded.
  public let bytesPerRow: Int
  /// `bytesPerRow * height` bytes; empty for an image that is not decoded.
  public let pixels: Data
  /// Whether the format has no alpha. The default encoder chooses between JPEG and PNG by it, as Nuke does
  /// by the bitmap's format, not by its pixels.
  public let isOpaque: Bool

  /// An image of decoded pixels; nil if the numbers do not fit each other.
  public init?(width: Int, height: Int, bytesPerRow: Int, pixels: Data, isOpaque: Bool) {
    let (rowBytes, rowOverflow) = width.multipliedReportingOverflow(by: Self.bytesPerPixel)
    let (bytes, overflow) = bytesPerRow.multipliedReportingOverflow(by: height)
    guard width > 0, height > 0, !rowOverflow, bytesPerRow >= rowBytes, !overflow, pixels.count == bytes
    else {
      return nil
    }
    self.width = width
    self.height = height
    self.bytesPerRow = bytesPerRow
    self.pixels = pixels
    self.isOpaque = isOpaque
  }

  private init(undecodedWidth: Int, height: Int, isOpaque: Bool) {
    width = undecodedWidth
    self.height = height
    bytesPerRow = 0
    pixels = Data()
    self.isOpaque = isOpaque
  }

  /// An image of which only the size is known; its encoded bytes lie in the container.
  public static func undecoded(width: Int, height: Int, isOpaque: Bool) -> PlatformImage {
    PlatformImage(undecodedWidth: max(0, width), height: max(0, height), isOpaque: isOpaque)
  }

  public var isDecoded: Bool { bytesPerRow > 0 }
}
