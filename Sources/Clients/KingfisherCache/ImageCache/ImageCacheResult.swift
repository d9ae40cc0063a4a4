/// What a cache has under a key: Kingfisher's `ImageCacheResult`.
public enum ImageCacheResult: Hashable, Sendable {
  case disk(KFCrossPlatformImage)
  case memory(KFCrossPlatformImage)
  /// Nothing, or nothing that can be decoded. That is no error.
  case none

  public var image: KFCrossPlatformImage? {
    switch self {
    case .disk(let image), .memory(let image): image
    case .none: nil
    }
  }

  public var cacheType: CacheType {
    switch self {
    case .disk: .disk
    case .memory: .memory
    case .none: .none
    }
  }
}
