/// A request's options; of one kind the last counts.
public typealias KingfisherOptionsInfo = [KingfisherOptionsInfoItem]

/// One option of a request: Kingfisher's `KingfisherOptionsInfoItem`, as far as it has a meaning without a screen.
public enum KingfisherOptionsInfoItem: Sendable {
  /// The cache to use instead of the manager's.
  case targetCache(ImageCache)
  /// Makes the image; its identifier is a part of the key.
  case processor(any ImageProcessor)
  /// Pixels a point; 1 by default. It is in no key.
  case scaleFactor(Double)
  /// Caches are not read.
  case forceRefresh
  /// Nothing is downloaded.
  case onlyFromCache
  /// The result is given out when it has been stored.
  case waitForCache
  /// How long the image stays in memory, in place of the memory storage's period.
  case memoryCacheExpiration(StorageExpiration)
  /// How long the file lasts, in place of the disk storage's period.
  case diskCacheExpiration(StorageExpiration)
}

/// The same by name.
struct RequestOptions: Sendable {
  var targetCache: ImageCache?
  var processor: any ImageProcessor = DefaultImageProcessor.default
  var scaleFactor = 1.0
  var forceRefresh = false
  var onlyFromCache = false
  var waitForCache = false
  var memoryCacheExpiration: StorageExpiration?
  var diskCacheExpiration: StorageExpiration?

  init(_ items: KingfisherOptionsInfo?) {
    for item in items ?? [] {
      switch item {
      case .targetCache(let cache): targetCache = cache
      case .processor(let processor): self.processor = processor
      case .scaleFactor(let factor): scaleFactor = factor
      case .forceRefresh: forceRefresh = true
      case .onlyFromCache: onlyFromCache = true
      case .waitForCache: waitForCache = true
      case .memoryCacheExpiration(let expiration): memoryCacheExpiration = expiration
      case .diskCacheExpiration(let expiration): diskCacheExpiration = expiration
      }
    }
  }
}
