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
final class RequestRecorder: ImageCache, @unchecked Sendable {  // the lock guards what changes
  let log = RequestLog()
  private let lock = NSLock()
  /// Where `KingfisherManager` asks from, as far as it was seen.
  private var places: Set<[NSNumber]> = []

  #if KINGFISHER_6 || KINGFISHER_7 || KINGFISHER_8_0
    override func imageCachedType(
      forKey key: String, processorIdentifier identifier: String
    ) -> CacheType {
      let type = super.imageCachedType(forKey: key, processorIdentifier: identifier)
      note(Question(key: key, identifier: identifier, type: type, stack: Thread.callStackReturnAddresses))
      return type
    }
  #else
    override func imageCachedType(
      forKey key: String, processorIdentifier identifier: String, forcedExtension: String?
    ) -> CacheType {
      let type = super.imageCachedType(
        forKey: key, processorIdentifier: identifier, forcedExtension: forcedExtension)
      note(Question(key: key, identifier: identifier, type: type, stack: Thread.callStackReturnAddresses))
      return type
    }
  #endif

  /// Behind the answer, what follows on the same thread tells what became of it.
  private final class Question: @unchecked Sendable {  // the recorder's lock guards what changes
    let key: String
    let identifier: String
    let type: CacheType
    let at = Date().timeIntervalSince1970
    /// The frames of this class and of the function that asks, and those behind them.
    let place: [NSNumber], callers: [NSNumber]
    /// The manager has asked for the original as well.
    var hasSecond = false
    var isRetrieved = false
    var options: [String] = []

    init(key: String, identifier: String, type: CacheType, stack: [NSNumber]) {
      (self.key, self.identifier, self.type) = (key, identifier, type)
      (place, callers) = (Array(stack.prefix(4)), Array(stack.dropFirst(4)))
    }
  }

  /// What `KingfisherManager` does not take from the cache it asks for once more without the processor, from another
  /// place in the same function: that is no request of the app's. A prefetcher asks from elsewhere, and not again.
  private func note(_ question: Question) {
    lock.lock()
    defer { lock.unlock() }
    let last = Thread.current.threadDictionary[Self.last] as? Question
    Thread.current.threadDictionary[Self.last] = question
    if let last, question.identifier.isEmpty, !last.identifier.isEmpty, last.key == question.key,
      last.callers == question.callers, last.place != question.place
    {
      last.hasSecond = true
      places.insert(last.place)
    } else {
      log.add(after: 1) { [self] in line(question) }
    }
  }

  private static let last = "RequestRecorder.last"

  private func line(_ question: Question) -> RequestLog.Line {
    lock.lock()
    defer { lock.unlock() }
    var (found, options) = (Self.found(question.type), question.options)
    #if KINGFISHER_6
      let isTaken = !question.hasSecond
    #else
      let isTaken = question.isRetrieved || !places.contains(question.place)
    #endif
    if found == .disk, !isTaken {
      (found, options) = (.none, [Self.refreshes])
    } else if found == .none, !question.identifier.isEmpty, !places.contains(question.place) {
      options.append("ImagePrefetcher")
    }
    return Self.line(question.key, question.identifier, found, options, at: question.at)
  }

  private static let refreshes = "fromMemoryCacheOrRefresh"

  private static func line(
    _ key: String, _ identifier: String, _ found: RequestLog.Found, _ options: [String],
    at time: Double = Date().timeIntervalSince1970
  ) -> RequestLog.Line {
    // The first part is the URL, unless the app gives a `cacheKey` of its own.
    let isURL = ["http", "https", "file", "data"].contains(URL(string: key)?.scheme?.lowercased())
    return RequestLog.Line(
      at: time, key: identifier.isEmpty ? key : "\(key)@\(identifier)", url: isURL ? key : nil,
      id: isURL ? nil : key, found: found, options: options.isEmpty ? nil : options)
  }

  private static func found(_ type: CacheType) -> RequestLog.Found {
    switch type {
    case .memory: return .memory
    case .disk: return .disk
    default: return .none
    }
  }

  #if !KINGFISHER_6
    /// A picture that is taken is retrieved next, by the same function or by one that it calls.
    override func retrieveImage(
      forKey key: String, options: KingfisherParsedOptionsInfo, callbackQueue: CallbackQueue,
      completionHandler: Retrieved?
    ) {
      let stack = Thread.callStackReturnAddresses
      lock.lock()
      if let last = Thread.current.threadDictionary[Self.last] as? Question, last.key == key,
        stack.suffix(last.callers.count) == last.callers[...]
      {
        last.isRetrieved = true
        last.options = Self.names(of: options)
        places.insert(last.place)
      }
      lock.unlock()
      super.retrieveImage(forKey: key, options: options, callbackQueue: callbackQueue) { [self] result in
        noteAsync(key, options, try? result.get().cacheType)
        completionHandler?(result)
      }
    }

    private static func names(of options: KingfisherParsedOptionsInfo) -> [String] {
      (options.fromMemoryCacheOrRefresh ? [refreshes] : []) + (options.onlyFromCache ? ["onlyFromCache"] : [])
    }
  #endif

  #if KINGFISHER_6 || KINGFISHER_7 || KINGFISHER_8_0 || KINGFISHER_8_8
    private func noteAsync(_ key: String, _ options: KingfisherParsedOptionsInfo, _ type: CacheType?) {}
  #else
    /// `imageCachedTypeAsync` cannot be overridden: of a request with `.asyncCacheTypeCheck` it is heard when the cache has
    /// the picture and when it was loaded.
    private func noteAsync(_ key: String, _ options: KingfisherParsedOptionsInfo, _ type: CacheType?) {
      guard options.asyncCacheTypeCheck, let type else { return }
      let line = Self.line(
        key, options.processor.identifier, Self.found(type), Self.names(of: options))
      log.add(after: 1) { line }
    }

    override func store(
      _ image: KFCrossPlatformImage, original: Data?, forKey key: String,
      options: KingfisherParsedOptionsInfo, toDisk: Bool,
      completionHandler: (@Sendable (CacheStoreResult) -> Void)?
    ) {
      // A picture from the disk is stored in memory by this function, too, before the retrieval ends.
      var isFromDisk = false
      if !toDisk, original == nil, case .untouch = options.callbackQueue { isFromDisk = true }
      if !isFromDisk { noteAsync(key, options, CacheType.none) }
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
