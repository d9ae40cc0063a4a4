import Foundation

/// A request's options, in the order in which they hold; of one kind the last counts.
public typealias KingfisherOptionsInfo = [KingfisherOptionsInfoItem]

/// One option of a request: Kingfisher's `KingfisherOptionsInfoItem`, as far as it has a meaning without a screen.
public enum KingfisherOptionsInfoItem: Sendable {
  /// The cache to use instead of the manager's.
  case targetCache(ImageCache)
  /// Where originals are looked for and stored; by default the target cache.
  case originalCache(ImageCache)
  /// Downloads in place of the manager's downloader.
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
  /// Makes the image; its identifier is a part of the key.
  case processor(any ImageProcessor)
  /// Makes the bytes of cache files and reads them.
  case cacheSerializer(any CacheSerializer)
  /// A processed request stores the original too.
  case cacheOriginalImage
  /// Pixels a point; 1 by default.
  case scaleFactor(Double)
  /// How long the image stays in memory, in place of the memory storage's period.
  case memoryCacheExpiration(StorageExpiration)
  /// What a hit in memory does to the expiration; by default the period begins again.
  case memoryCacheAccessExtendingExpiration(ExpirationExtending)
  /// How long the file lasts, in place of the disk storage's period.
  case diskCacheExpiration(StorageExpiration)
  /// What a hit on disk does to the expiration; by default the period begins again.
  case diskCacheAccessExtendingExpiration(ExpirationExtending)
  /// The extension of the cache file's name (8.1.0 and later).
  case forcedCacheFileExtension(String?)
}

/// A request's options by name: Kingfisher's `KingfisherParsedOptionsInfo`.
public struct KingfisherParsedOptionsInfo: Sendable {
  /// The cache to use; nil for the manager's.
  public var targetCache: ImageCache?
  /// Where originals are looked for and stored; nil for the target cache.
  public var originalCache: ImageCache?
  /// Downloads; nil for the manager's.
  public var downloader: (any ImageDownloading)?
  /// Draws Kingfisher's own processors; nil for the manager's.
  public var renderer: (any ImageRendering)?
  /// Caches are not read.
  public var forceRefresh = false
  /// Files are not read; what is not in memory is downloaded.
  public var fromMemoryCacheOrRefresh = false
  /// Nothing new is written to disk.
  public var cacheMemoryOnly = false
  /// The result is given out when it has been stored.
  public var waitForCache = false
  /// Nothing is downloaded.
  public var onlyFromCache = false
  /// Makes the image; by default it stays as it is.
  public var processor: any ImageProcessor = DefaultImageProcessor.default
  /// Makes the bytes of cache files and reads them.
  public var cacheSerializer: any CacheSerializer = DefaultCacheSerializer.default
  /// A processed request stores the original too.
  public var cacheOriginalImage = false
  /// Pixels a point.
  public var scaleFactor = 1.0
  /// Nil takes the storage's.
  public var memoryCacheExpiration: StorageExpiration?
  /// What a hit in memory does to the expiration.
  public var memoryCacheAccessExtendingExpiration: ExpirationExtending = .cacheTime
  /// Nil takes the storage's.
  public var diskCacheExpiration: StorageExpiration?
  /// What a hit on disk does to the expiration (5.8.0 and later).
  public var diskCacheAccessExtendingExpiration: ExpirationExtending = .cacheTime
  /// The extension of the cache file's name (8.1.0 and later).
  public var forcedExtension: String?

  /// The options of a list; of one kind the last counts. Nil is the empty list.
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
