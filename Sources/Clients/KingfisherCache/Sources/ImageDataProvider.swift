#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Image data that is not downloaded: Kingfisher's `ImageDataProvider`.
public protocol ImageDataProvider: Sendable {
  var cacheKey: String { get }

  /// The key that a version of Kingfisher gives it; ``cacheKey`` unless it follows from a URL.
  func cacheKey(in version: KingfisherVersion) -> String

  func data() async throws -> Data
}

extension ImageDataProvider {
  public func cacheKey(in version: KingfisherVersion) -> String { cacheKey }
}
