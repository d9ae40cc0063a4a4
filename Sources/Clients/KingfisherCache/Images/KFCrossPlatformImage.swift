import Foundation
import Pictures

/// A picture without a screen: its encoded bytes, and what of it is known without decoding.
///
/// In Kingfisher this names `UIImage` or `NSImage`.
public struct KFCrossPlatformImage: Hashable, Sendable, CacheCostCalculable {
  /// A whole file in some format.
  public let data: Data
  /// Pixels of one frame, as the file stores them: a photograph that says it is lying stays so.
  public let pixelWidth, pixelHeight: Int
  /// Pixels a point, the request's `scaleFactor`; not in any key.
  public let scale: Double
  /// More than 1 for an animation.
  public let frameCount: Int

  /// An image whose size is known. Nothing is checked against the data.
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
    guard let header = try? ImageHeader.read([UInt8](data)), header.format != .tiff else { return nil }
    self.init(
      data: data, pixelWidth: header.width, pixelHeight: header.height, scale: scale,
      // Kingfisher animates nothing else.
      frameCount: header.format == .gif ? header.frames : 1)
  }

  /// Points.
  public var size: BuiltInProcessor.Size {
    BuiltInProcessor.Size(width: Double(pixelWidth) / scale, height: Double(pixelHeight) / scale)
  }

  /// What Kingfisher counts for the decoded image: four bytes a pixel, of every frame. The encoded bytes do not count.
  public var cacheCost: Int { product(pixelWidth, pixelHeight, 4, max(1, frameCount)) }
}

/// Makes the bytes of cache files and reads them: Kingfisher's `CacheSerializer`.
public protocol CacheSerializer: Sendable {
  /// Whether files hold the bytes that were downloaded, also under a processor's key. From 7.4.1 the processor then
  /// runs again on every hit.
  var originalDataUsed: Bool { get }

  /// The bytes to store; nil for none.
  func data(with image: KFCrossPlatformImage, original: Data?) -> Data?

  /// The image of a file's bytes, nil if they are not an image: a request that finds them fails.
  func image(with data: Data, options: KingfisherParsedOptionsInfo) async -> KFCrossPlatformImage?
}

extension CacheSerializer {
  /// False: files hold what was made of the image.
  public var originalDataUsed: Bool { false }
}

/// Stores images as they are encoded, and finds those of the formats whose size it can read.
///
/// Kingfisher encodes again what it stores, in the original's format; here an image is its encoded bytes.
public struct DefaultCacheSerializer: CacheSerializer, Hashable {
  /// The serializer that requests use unless they name another.
  public static let `default` = DefaultCacheSerializer()

  /// Stores the original bytes where there are any, whatever a processor made of them (5.13.0 and later).
  public var preferCacheOriginalData = false

  /// A serializer that stores images as they are encoded.
  public init() {}

  public var originalDataUsed: Bool { preferCacheOriginalData }

  public func data(with image: KFCrossPlatformImage, original: Data?) -> Data? {
    let data = preferCacheOriginalData ? original ?? image.data : image.data
    return data.isEmpty ? nil : data
  }

  public func image(with data: Data, options: KingfisherParsedOptionsInfo) -> KFCrossPlatformImage? {
    KFCrossPlatformImage(data: data, scale: options.scaleFactor)
  }
}
