#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Stores images as they are encoded, and finds those of the formats whose size it can read.
///
/// Kingfisher encodes again what it stores, in the original's format; here an image is its encoded bytes.
public struct DefaultCacheSerializer: CacheSerializer, Hashable {
  public static let `default` = DefaultCacheSerializer()

  /// Stores the original bytes where there are any, whatever a processor made of them (5.13.0 and later).
  public var preferCacheOriginalData = false

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
