import Foundation
import SDWebImage

#if SDWEBIMAGE_5_6
  /// A cache that records what it is asked for, and where the picture was: for 5.0.0 to 5.6.1, with the flag
  /// `SDWEBIMAGE_5_6`.
  ///
  ///     #if DEBUG
  ///       SDWebImageManager.defaultImageCache = RequestRecorder(namespace: "default")
  ///     #endif
  ///
  /// Needs `RequestLog.swift`, and has to stand before the first use of the shared manager.
  final class RequestRecorder: SDImageCache, @unchecked Sendable {  // it has no state of its own that changes
    let log = RequestLog()

    override func queryImage(
      forKey key: String?, options: SDWebImageOptions, context: [SDWebImageContextOption: Any]?,
      completion: SDImageCacheQueryCompletionBlock?
    ) -> (any SDWebImageOperation)? {
      // The cache itself adds the transformer to the URL's key.
      let transformer = (context?[.imageTransformer] as? any SDImageTransformer)?.transformerKey
      let whole = transformer.map { SDTransformedKeyForKey(key, $0) } ?? key
      // The manager's own filter is in the context, too. What it was given is not handed over.
      let isFiltered = context?[.cacheKeyFilter] != nil
      // From 5.5.0 on the manager has put a thumbnail's mark into the key, and the option has a constant.
      let isMarked = context?[SDWebImageContextOption(rawValue: "imageThumbnailPixelSize")] != nil
      return super.queryImage(forKey: key, options: options, context: context) { [log] image, data, type in
        if let key, let whole {
          log.add(
            key: whole, url: isFiltered || isMarked ? nil : key, id: isFiltered && !isMarked ? key : nil,
            found: found(type), options: names(of: options))
        }
        completion?(image, data, type)
      }
    }
  }

  private func found(_ type: SDImageCacheType) -> RequestLog.Found {
    switch type {
    case .memory: return .memory
    case .disk: return .disk
    default: return .none
    }
  }
#else
  /// Records every request of the shared manager with its cache key, and where the picture is at that moment: from 5.7.0
  /// on.
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
        log.add(key: key, url: url?.absoluteString, found: found(key), options: names(of: options))
      }
      return SDWebImageOptionsResult(options: options, context: context)
    }
  }

  private func found(_ key: String) -> RequestLog.Found {
    let cache = SDImageCache.shared
    if cache.imageFromMemoryCache(forKey: key) != nil { return .memory }
    return cache.diskImageDataExists(withKey: key) ? .disk : .none
  }
#endif

/// Those that change what a request looks up.
private func names(of options: SDWebImageOptions) -> [String] {
  let known: [(SDWebImageOptions, String)] = [
    (.fromCacheOnly, "fromCacheOnly"), (.fromLoaderOnly, "fromLoaderOnly"),
  ]
  return known.filter { options.contains($0.0) }.map { $0.1 }
}
