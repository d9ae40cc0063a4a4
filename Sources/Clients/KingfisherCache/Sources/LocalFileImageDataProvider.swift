#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The data of a file: Kingfisher's `LocalFileImageDataProvider`.
public struct LocalFileImageDataProvider: ImageDataProvider, Hashable {
  public let fileURL: URL
  private let resource: ImageResource

  /// - Parameter cacheKey: nil for the one that follows from the path.
  public init(fileURL: URL, cacheKey: String? = nil) {
    self.fileURL = fileURL
    resource = ImageResource(downloadURL: fileURL, cacheKey: cacheKey)
  }

  public var cacheKey: String { resource.cacheKey }

  public func cacheKey(in version: KingfisherVersion) -> String { resource.cacheKey(in: version) }

  public func data() throws -> Data { try Data(contentsOf: fileURL) }
}
