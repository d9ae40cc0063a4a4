#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Makes the bytes of cache files and reads them: Kingfisher's `CacheSerializer`.
public protocol CacheSerializer: Sendable {
  /// Whether files hold the bytes that were downloaded, also under a processor's key. From 7.4.1 the processor then
  /// runs again on every hit.
  var originalDataUsed: Bool { get }

  /// The bytes to store; nil for none.
  func data(with image: KFCrossPlatformImage, original: Data?) -> Data?

  /// The image of a file's bytes, nil if they are none: a request that finds them fails.
  func image(with data: Data, options: KingfisherParsedOptionsInfo) async -> KFCrossPlatformImage?
}

extension CacheSerializer {
  public var originalDataUsed: Bool { false }
}
