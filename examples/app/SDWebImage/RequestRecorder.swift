import Foundation
import SDWebImage

/// Records every request of the shared manager with its cache key, and where the picture is at that moment.
///
///     #if DEBUG
///       recordRequests()
///     #endif
///
/// Needs `RequestLog.swift`. An options processor of the app's own has to be called from this one.
func recordRequests(log: RequestLog = RequestLog()) {
  let manager = SDWebImageManager.shared
  manager.optionsProcessor = SDWebImageOptionsProcessor { [unowned manager] url, options, context in
    if let key = manager.cacheKey(for: url, context: context) {
      log.add(key: key, url: url, found: found(key))
    }
    return SDWebImageOptionsResult(options: options, context: context)
  }
}

private func found(_ key: String) -> RequestLog.Found {
  let cache = SDImageCache.shared
  if cache.imageFromMemoryCache(forKey: key) != nil { return .memory }
  return cache.diskImageDataExists(withKey: key) ? .disk : .none
}
