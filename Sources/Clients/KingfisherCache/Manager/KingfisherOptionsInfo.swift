import Foundation

/// A request's options, in the order in which they hold; of one kind the last counts.
public typealias KingfisherOptionsInfo = [KingfisherOptionsInfoItem]

/// One option of a request: Kingfisher's `KingfisherOptionsInfoItem`, as far as it has a meaning without a screen.
public enum KingfisherOptionsInfoItem: Sendable {
  /// The cache to use instead of the manager's.
  case targetCache(ImageCache)
  /// Where originals are looked for and stored; by default the target cache.
  case originalCache(ImageCache)
  case downloader(any ImageDownloading)
  /// Draws processors instead of the manager's.
  case renderer(any ImageRendering)
  /// Caches are not read.
  case forceRefresh
  /// Files are not read; what is not in memory is downloaded.
  case fromMemoryCacheOrRefresh
  /// Nothing new is written to disk; what is there is read.
  case cacheMemoryOnly
  /// The result is given out when it has been stored.
  case waitForCache
  /// Nothing is downloaded.
  case onlyFromCache
  case processor(any ImageProcessor)
  case cacheSerializer(any CacheSerializer)
  /// A processed request stores the original too.
  case cacheOriginalImage
  /// Pixels a point; 1 by default.
  case scaleFactor(Double)
  case memoryCacheExpiration(StorageExpiration)
  case memoryCacheAccessExtendingExpiration(ExpirationExtending)
  case diskCacheExpiration(StorageExpiration)
  case diskCacheAccessExtendingExpiration(ExpirationExtending)
  /// The extension of the cache file's name (8.1.0 and later).
  case forcedCacheFileExtension(String?)
}

/// A request's options by name: Kingfisher's `KingfisherParsedOptionsInfo`.
public struct KingfisherParsedOptionsInfo: Sendable {
  public var targetCache: ImageCache?
  public var originalCache: ImageCache?
  public var downloader: (any ImageDownloading)?
  public var renderer: (any ImageRendering)?
  public var forceRefresh = false
  public var fromMemoryCacheOrRefresh = false
  public var cacheMemoryOnly = false
  public var waitForCache = false
  public var onlyFromCache = false
  public var processor: any ImageProcessor = DefaultImageProcessor.default
  public var cacheSerializer: any CacheSerializer = DefaultCacheSerializer.default
  public var cacheOriginalImage = false
  public var scaleFactor = 1.0
  /// Nil takes the storage's.
  public var memoryCacheExpiration: StorageExpiration?
  public var memoryCacheAccessExtendingExpiration: ExpirationExtending = .cacheTime
  /// Nil takes the storage's.
  public var diskCacheExpiration: StorageExpiration?
  public var diskCacheAccessExtendingExpiration: ExpirationExtending = .cacheTime
  public var forcedExtension: String?

  public init(_ info: KingfisherOptionsInfo? = nil) {
    for item in info ?? [] { apply(item) }
  }

  private mutating func apply(_ item: KingfisherOptionsInfoItem) {
    switch item {
    case .targetCache(let cache): targetCache = cache
    case .originalCache(let cache): originalCache = cache
    case .downloader(let downloader): self.downloader = downloader
    case .renderer(let renderer): self.renderer = renderer
    case .forceRefresh: forceRefresh = true
    case .fromMemoryCacheOrRefresh: fromMemoryCacheOrRefresh = true
    case .cacheMemoryOnly: cacheMemoryOnly = true
    case .waitForCache: waitForCache = true
    case .onlyFromCache: onlyFromCache = true
    case .processor(let processor): self.processor = processor
    case .cacheSerializer(let serializer): cacheSerializer = serializer
    case .cacheOriginalImage: cacheOriginalImage = true
    case .scaleFactor(let factor): scaleFactor = factor
    case .memoryCacheExpiration(let expiration): memoryCacheExpiration = expiration
    case .memoryCacheAccessExtendingExpiration(let extending):
      memoryCacheAccessExtendingExpiration = extending
    case .diskCacheExpiration(let expiration): diskCacheExpiration = expiration
    case .diskCacheAccessExtendingExpiration(let extending): diskCacheAccessExtendingExpiration = extending
    case .forcedCacheFileExtension(let text): forcedExtension = text
    }
  }
}
