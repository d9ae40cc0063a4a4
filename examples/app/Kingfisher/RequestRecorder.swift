import Foundation
import Kingfisher

/// A cache that records what it is asked for, and where the picture came from.
///
///     #if DEBUG
///       KingfisherManager.shared.cache = RequestRecorder(name: "default")
///     #endif
///
/// Needs `RequestLog.swift`. For releases before 8.9.0 set a flag: `KINGFISHER_8_8` for 8.1.0 and later, `KINGFISHER_8_0` for
/// 8.0, `KINGFISHER_7` for 7, `KINGFISHER_6` for 5 and 6; or keep their lines alone.
final class RequestRecorder: ImageCache, @unchecked Sendable {  // it has no state of its own that changes
  let log = RequestLog()

  #if KINGFISHER_6 || KINGFISHER_7 || KINGFISHER_8_0
    override func imageCachedType(
      forKey key: String, processorIdentifier identifier: String
    ) -> CacheType {
      let type = super.imageCachedType(forKey: key, processorIdentifier: identifier)
      note(key, identifier, type, stack: Thread.callStackReturnAddresses)
      return type
    }
  #else
    override func imageCachedType(
      forKey key: String, processorIdentifier identifier: String, forcedExtension: String?
    ) -> CacheType {
      let type = super.imageCachedType(
        forKey: key, processorIdentifier: identifier, forcedExtension: forcedExtension)
      note(key, identifier, type, stack: Thread.callStackReturnAddresses)
      return type
    }
  #endif

  /// What `KingfisherManager` does not find in the cache it asks for once more without the processor, from the same
  /// function: that is no request of the app's. A prefetcher asks from elsewhere, and not again.
  private func note(_ key: String, _ identifier: String, _ type: CacheType, stack: [NSNumber]) {
    let question = Question(key: key, callers: Array(stack.dropFirst(4)))
    let last = Thread.current.threadDictionary[Self.last] as? Question
    Thread.current.threadDictionary[Self.last] = identifier.isEmpty || isTaken(type) ? nil : question
    if !identifier.isEmpty || last != question { add(key, identifier, Self.found(type)) }
  }

  private struct Question: Equatable {
    let key: String
    /// Without the frames of this class and of the function that asks, which stand first.
    let callers: [NSNumber]
  }

  private static let last = "RequestRecorder.last"

  private func add(_ key: String, _ identifier: String, _ found: RequestLog.Found) {
    // The first part is the URL, unless the app gives a `cacheKey` of its own.
    let isURL = URL(string: key)?.scheme != nil
    log.add(
      key: identifier.isEmpty ? key : "\(key)@\(identifier)", url: isURL ? key : nil, id: isURL ? nil : key,
      found: found)
  }

  private static func found(_ type: CacheType) -> RequestLog.Found {
    switch type {
    case .memory: return .memory
    case .disk: return .disk
    default: return .none
    }
  }

  #if KINGFISHER_6
    private func isTaken(_ type: CacheType) -> Bool { type.cached }
  #else
    /// A picture on disk is not taken with `.fromMemoryCacheOrRefresh`. If it is, it is retrieved next.
    private func isTaken(_ type: CacheType) -> Bool { type == .memory }

    override func retrieveImage(
      forKey key: String, options: KingfisherParsedOptionsInfo, callbackQueue: CallbackQueue,
      completionHandler: Retrieved?
    ) {
      Thread.current.threadDictionary[Self.last] = nil
      super.retrieveImage(forKey: key, options: options, callbackQueue: callbackQueue) { [self] result in
        noteAsync(key, options, try? result.get().cacheType)
        completionHandler?(result)
      }
    }
  #endif

  #if KINGFISHER_6 || KINGFISHER_7 || KINGFISHER_8_0 || KINGFISHER_8_8
    private func noteAsync(_ key: String, _ options: KingfisherParsedOptionsInfo, _ type: CacheType?) {}
  #else
    /// `imageCachedTypeAsync` cannot be overridden: of a request with `.asyncCacheTypeCheck` it is heard when the cache has
    /// the picture and when it was loaded.
    private func noteAsync(_ key: String, _ options: KingfisherParsedOptionsInfo, _ type: CacheType?) {
      if options.asyncCacheTypeCheck, let type { add(key, options.processor.identifier, Self.found(type)) }
    }

    override func store(
      _ image: KFCrossPlatformImage, original: Data?, forKey key: String,
      options: KingfisherParsedOptionsInfo, toDisk: Bool,
      completionHandler: (@Sendable (CacheStoreResult) -> Void)?
    ) {
      noteAsync(key, options, CacheType.none)
      super.store(
        image, original: original, forKey: key, options: options, toDisk: toDisk,
        completionHandler: completionHandler)
    }
  #endif
}

#if KINGFISHER_6
#elseif KINGFISHER_7
  typealias Retrieved = (Result<ImageCacheResult, KingfisherError>) -> Void
#else
  typealias Retrieved = @Sendable (Result<ImageCacheResult, KingfisherError>) -> Void
#endif
