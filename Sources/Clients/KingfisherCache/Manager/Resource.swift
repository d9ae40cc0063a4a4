import Foundation

/// Something to download and the key it is cached under: Kingfisher's `Resource`. A `URL` is one.
public protocol Resource: Sendable {
  /// By the newest version.
  var cacheKey: String { get }
  /// Where it is downloaded from.
  var downloadURL: URL { get }

  /// The key that a version of Kingfisher gives it; ``cacheKey`` unless it follows from the URL.
  func cacheKey(in version: KingfisherVersion) -> String
}

extension Resource {
  /// The resource's own ``cacheKey``, in every version.
  public func cacheKey(in version: KingfisherVersion) -> String { cacheKey }
}

extension URL: Resource {
  /// The URL's text; for a file the key that outlives a reinstallation, by the newest version.
  public var cacheKey: String { cacheKey(in: .latest) }
  /// The URL itself.
  public var downloadURL: URL { self }

  public func cacheKey(in version: KingfisherVersion) -> String {
    KingfisherKeyFormat(version: version).baseKey(url: absoluteString)
  }
}

/// A URL with a key of the app's own: Kingfisher's `ImageResource`, `KF.ImageResource` from 7.8.0.
public struct ImageResource: Resource {
  /// Where it is downloaded from.
  public let downloadURL: URL
  /// Nil where the key follows from the URL.
  private let ownKey: String?

  /// A URL, and a key in place of the one that follows from it; nil for that one.
  public init(downloadURL: URL, cacheKey: String? = nil) {
    self.downloadURL = downloadURL
    ownKey = cacheKey
  }

  public var cacheKey: String { cacheKey(in: .latest) }

  public func cacheKey(in version: KingfisherVersion) -> String {
    KingfisherKeyFormat(version: version)
      .resourceKey(url: downloadURL.absoluteString, ownKey: ownKey)
  }
}

/// Names that Kingfisher keeps together.
public enum KF {
  /// As Kingfisher calls it from 7.8.0 on.
  public typealias ImageResource = KingfisherCache.ImageResource
}
