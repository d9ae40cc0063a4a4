import Fetching
import Foundation
import NukeCache

/// What the pipeline gives for an image request: Nuke's `ImageResponse`.
public struct ImageResponse: Sendable {
  /// The image with what is known about it.
  public var container: ImageContainer
  /// The request as it was made.
  public var request: ImageRequest
  /// What the server said, without the body; nil where the image came from a cache of the pipeline's or from no server.
  public var urlResponse: HTTPResponse?
  /// The cache that the image, or what it was made of, came from; nil for a load from the source.
  public var cacheType: CacheType?

  /// The picture.
  public var image: PlatformImage { container.image }
  /// Always false: downloads are decoded when they are complete.
  public var isPreview: Bool { container.isPreview }

  /// A cache of the pipeline's.
  public enum CacheType: String, Sendable, Hashable {
    /// The images in memory, and the data on disk.
    case memory, disk
  }

  /// A response, for tests and for caches of an app's own.
  public init(
    container: ImageContainer, request: ImageRequest, urlResponse: HTTPResponse? = nil,
    cacheType: CacheType? = nil
  ) {
    self.container = container
    self.request = request
    self.urlResponse = urlResponse
    self.cacheType = cacheType
  }
}

/// What an app would give Nuke in a `URLRequest`.
extension ImageRequest {
  /// Header fields that are sent with the request. They are not part of any key.
  public var headers: [HTTPHeader] {
    get { userInfo[.headers] as? [HTTPHeader] ?? [] }
    set { userInfo[.headers] = newValue }
  }

  /// When the HTTP cache answers; the pipeline's own caches take no notice.
  public var httpCachePolicy: HTTPCachePolicy {
    get { userInfo[.httpCachePolicy] as? HTTPCachePolicy ?? .useProtocol }
    set { userInfo[.httpCachePolicy] = newValue }
  }

  /// The request as the loader sends it; nil without a URL.
  public var httpRequest: HTTPRequest? {
    url.map {
      HTTPRequest(
        url: $0.absoluteString, headers: headers,
        priority: HTTPRequest.Priority(rawValue: priority.rawValue) ?? .normal, cachePolicy: httpCachePolicy)
    }
  }
}

extension ImageRequest.UserInfoKey {
  fileprivate static let headers: Self = "preheat.headers"
  fileprivate static let httpCachePolicy: Self = "preheat.http-cache-policy"
}
