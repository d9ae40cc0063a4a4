import Foundation
import Pictures

/// A picture without a screen: its encoded bytes, and what of it is known without decoding.
///
/// In Kingfisher this names `UIImage` or `NSImage`.
public struct KFCrossPlatformImage: Hashable, Sendable {
  /// A whole file in some format.
  public let data: Data
  /// Pixels of one frame, as the file stores them: a photograph that says it is lying stays so.
  public let pixelWidth, pixelHeight: Int
  /// More than 1 for an animation.
  public let frameCount: Int

  /// An image of a file's bytes, nil unless they begin as a PNG, JPEG, GIF, WebP, HEIF or AVIF file that says its
  /// size. The pixels are not looked at.
  public init?(data: Data) {
    guard let header = try? ImageHeader.read([UInt8](data)), header.format != .tiff else { return nil }
    self.data = data
    (pixelWidth, pixelHeight) = (header.width, header.height)
    // Kingfisher animates nothing else.
    frameCount = header.format == .gif ? header.frames : 1
  }

  /// What Kingfisher counts for the decoded image: four bytes a pixel, of every frame.
  var cost: Int { product(pixelWidth, pixelHeight, 4, max(1, frameCount)) }
}
