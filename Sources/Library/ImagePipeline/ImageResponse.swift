import Foundation
import NukeCache

/// What the pipeline gives for an image request: Nuke's `ImageResponse`.
public struct ImageResponse: Sendable {
  public var container: ImageContainer
  /// The request as it was made.
  public var request: ImageRequest
  /// What the server said; nil where the image came from a cache of the pipeline's or from no server.
  public var urlResponse: ResponseInfo?
  /// The cache that the image, or what it was made of, came from; nil for a load from the source.
  public var cacheType: CacheType?

  public var image: PlatformImage { container.image }
  public var isPreview: Bool { container.isPreview }

  public enum CacheType: String, Sendable, Hashable {
    case memory, disk
  }

  public init(
    container: ImageContainer, request: ImageRequest, urlResponse: ResponseInfo? = nil,
    cacheType: CacheType? = nil
  ) {
    self.container = container
    self.request = request
    self.urlResponse = urlResponse
    self.cacheType = cacheType
  }
}
