#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Data at hand, under a key of the app's own: Kingfisher's `RawImageDataProvider`.
public struct RawImageDataProvider: ImageDataProvider, Hashable {
  public let cacheKey: String
  private let bytes: Data

  public init(data: Data, cacheKey: String) {
    bytes = data
    self.cacheKey = cacheKey
  }

  public func data() -> Data { bytes }
}
