#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Makes data of an image for the disk cache.
public protocol ImageEncoding: Sendable {
  /// Nil if the image cannot be encoded; it is not stored then.
  func encode(_ container: ImageContainer, for request: ImageRequest) -> Data?
}
