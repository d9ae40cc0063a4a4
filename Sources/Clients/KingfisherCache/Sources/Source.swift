import Foundation

/// Where an image comes from: Kingfisher's `Source`.
public enum Source: Sendable {
  /// Downloaded, or read if it is a file's URL.
  case network(any Resource)
  /// Data from the app's own code.
  case provider(any ImageDataProvider)

  /// The key of the original, by the newest version.
  public var cacheKey: String { cacheKey(in: .latest) }

  /// The key of the original, by a version.
  public func cacheKey(in version: KingfisherVersion) -> String {
    switch self {
    case .network(let resource): resource.cacheKey(in: version)
    case .provider(let provider): provider.cacheKey(in: version)
    }
  }
}

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
public struct ImageResource: Resource, Hashable {
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

/// Image data that is not downloaded: Kingfisher's `ImageDataProvider`.
public protocol ImageDataProvider: Sendable {
  /// The key of the data, by the newest version.
  var cacheKey: String { get }

  /// The key that a version of Kingfisher gives it; ``cacheKey`` unless it follows from a URL.
  func cacheKey(in version: KingfisherVersion) -> String

  /// The data. An error becomes `KingfisherError.ResponseErrorReason.dataProviderFailed`.
  func data() async throws -> Data
}

extension ImageDataProvider {
  /// The provider's own ``cacheKey``, in every version.
  public func cacheKey(in version: KingfisherVersion) -> String { cacheKey }
}

/// The data of a file: Kingfisher's `LocalFileImageDataProvider`.
public struct LocalFileImageDataProvider: ImageDataProvider, Hashable {
  /// The file that is read.
  public let fileURL: URL
  /// Nil where the key follows from the path.
  private let ownKey: String?

  /// A file, with a key of the app's own or, for nil, the one that follows from the path.
  public init(fileURL: URL, cacheKey: String? = nil) {
    self.fileURL = fileURL
    ownKey = cacheKey
  }

  public var cacheKey: String { cacheKey(in: .latest) }

  public func cacheKey(in version: KingfisherVersion) -> String {
    ownKey
      ?? KingfisherKeyFormat(version: version).resourceKey(url: fileURL.absoluteString, ownKey: nil)
  }

  public func data() throws -> Data { try Data(contentsOf: fileURL) }
}
