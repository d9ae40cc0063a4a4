#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A picture without a screen: its encoded bytes, and what of it is known without decoding.
///
/// In Kingfisher this names `UIImage` or `NSImage`.
public struct KFCrossPlatformImage: Hashable, Sendable, CacheCostCalculable {
  /// A whole file in some format.
  public let data: Data
  /// Pixels of one frame, as the file stores them: a photograph that says it is lying stays so.
  public let pixelWidth: Int
  public let pixelHeight: Int
  /// Pixels a point, the request's `scaleFactor`; not in any key.
  public let scale: Double
  /// More than 1 for an animation.
  public let frameCount: Int

  public init(data: Data, pixelWidth: Int, pixelHeight: Int, scale: Double = 1, frameCount: Int = 1) {
    self.data = data
    self.pixelWidth = pixelWidth
    self.pixelHeight = pixelHeight
    self.scale = scale
    self.frameCount = frameCount
  }

  /// An image of a file's bytes, nil unless they begin as a PNG, JPEG, GIF, WebP, HEIF or AVIF file that says its
  /// size. The pixels are not looked at.
  public init?(data: Data, scale: Double = 1) {
    guard let header = EncodedImageHeader(data) else { return nil }
    self.init(
      data: data, pixelWidth: header.width, pixelHeight: header.height, scale: scale,
      frameCount: header.frameCount)
  }

  /// Points.
  public var size: BuiltInProcessor.Size {
    BuiltInProcessor.Size(width: Double(pixelWidth) / scale, height: Double(pixelHeight) / scale)
  }

  /// What Kingfisher counts for the decoded image: four bytes a pixel, of every frame. The encoded bytes do not count.
  public var cacheCost: Int {
    let (pixels, overflow) = pixelWidth.multipliedReportingOverflow(by: pixelHeight)
    let (cost, overflow2) = pixels.multipliedReportingOverflow(by: 4 * max(1, frameCount))
    return overflow || overflow2 ? .max : cost
  }
}
