/// What a request gave: Kingfisher's `RetrieveImageResult`.
public struct RetrieveImageResult: Sendable {
  public let image: KFCrossPlatformImage
  /// `.none` for what was downloaded and for what was made of a cached original.
  public let cacheType: CacheType
  public let source: Source
}
