#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A URL with a key of the app's own: Kingfisher's `ImageResource`, `KF.ImageResource` from 7.8.0.
public struct ImageResource: Resource, Hashable {
  public let downloadURL: URL
  /// Nil where the key follows from the URL.
  private let ownKey: String?

  public init(downloadURL: URL, cacheKey: String? = nil) {
    self.downloadURL = downloadURL
    ownKey = cacheKey
  }

  public var cacheKey: String { cacheKey(in: .latest) }

  public func cacheKey(in version: KingfisherVersion) -> String {
    // 7.1.x had the path win over a given key; 7.2.0 gave local keys only to resources without one.
    let ignoresKey = (KingfisherVersion(7, 1, 0)...KingfisherVersion(7, 1, 2)).contains(version)
    if let ownKey, !(downloadURL.isFileURL && ignoresKey) { return ownKey }
    if downloadURL.isFileURL, version == KingfisherVersion(7, 2, 0) {
      return KingfisherKeyFormat.localFileKey(of: downloadURL)
    }
    return downloadURL.cacheKey(in: version)
  }
}

extension KF {
  public typealias ImageResource = KingfisherCache.ImageResource
}
