#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A request's options, in the order in which they hold; of one kind the last counts.
public typealias KingfisherOptionsInfo = [KingfisherOptionsInfoItem]

/// One option of a request: Kingfisher's `KingfisherOptionsInfoItem`, as far as it has a meaning without a screen.
public enum KingfisherOptionsInfoItem: Sendable {
  /// Looked into and stored to in place of the manager's cache.
  case targetCache(ImageCache)
  /// Where originals are looked for and stored; by default the target cache.
  case originalCache(ImageCache)
  case downloader(any ImageDownloading)
  /// Draws processors in place of the manager's.
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
