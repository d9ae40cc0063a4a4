#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What the pipeline takes where it wants a request: a request, a URL or a URL's text.
public protocol ImageRequestConvertible {
  func asImageRequest() -> ImageRequest
}

extension ImageRequest: ImageRequestConvertible {
  public func asImageRequest() -> ImageRequest { self }
}

extension URL: ImageRequestConvertible {
  public func asImageRequest() -> ImageRequest { ImageRequest(url: self) }
}

extension String: ImageRequestConvertible {
  public func asImageRequest() -> ImageRequest { ImageRequest(url: URL(string: self)) }
}
