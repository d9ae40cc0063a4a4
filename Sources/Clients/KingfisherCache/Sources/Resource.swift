#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Something to download and the key it is cached under: Kingfisher's `Resource`. A `URL` is one.
public protocol Resource: Sendable {
  /// By the newest version.
  var cacheKey: String { get }
  var downloadURL: URL { get }

  /// The key that a version of Kingfisher gives it; ``cacheKey`` unless it follows from the URL.
  func cacheKey(in version: KingfisherVersion) -> String
}

extension Resource {
  public func cacheKey(in version: KingfisherVersion) -> String { cacheKey }
}

extension URL: Resource {
  public var cacheKey: String { cacheKey(in: .latest) }
  public var downloadURL: URL { self }

  public func cacheKey(in version: KingfisherVersion) -> String {
    KingfisherKeyFormat(version: version).baseKey(url: absoluteString)
  }
}
