/// Where an image comes from: Kingfisher's `Source`.
public enum Source: Sendable {
  /// Downloaded, or read if it is a file's URL.
  case network(any Resource)
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
