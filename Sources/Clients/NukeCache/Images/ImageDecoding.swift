#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Makes an image of data from the disk cache.
public protocol ImageDecoding: Sendable {
  /// The request's thumbnail options are to be applied; its processors are not.
  func decode(_ data: Data, for request: ImageRequest) throws -> ImageContainer
}
