import Foundation
import Kingfisher

/// A cache that records what it is asked for, and where the picture came from.
///
///     #if DEBUG
///       KingfisherManager.shared.cache = RequestRecorder(name: "default")
///     #endif
///
/// Needs `RequestLog.swift`. The keys begin with the URL, unless the app gives a `cacheKey` of its own.
final class RequestRecorder: ImageCache, @unchecked Sendable {  // it has no state of its own that changes
  private let log = RequestLog()

  override func imageCachedType(
    forKey key: String, processorIdentifier identifier: String, forcedExtension: String?
  ) -> CacheType {
    let type = super.imageCachedType(
      forKey: key, processorIdentifier: identifier, forcedExtension: forcedExtension)
    // After a miss `KingfisherManager` asks for the original, on the same thread: that is no request of the app's.
    let notes = Thread.current.threadDictionary
    let isFallback = identifier.isEmpty && notes[Self.note] as? String == key
    notes[Self.note] = type == .none && !identifier.isEmpty ? key : nil
    if !isFallback {
      log.add(key: identifier.isEmpty ? key : "\(key)@\(identifier)", found: Self.found(type))
    }
    return type
  }

  private static let note = "RequestRecorder.missed"

  private static func found(_ type: CacheType) -> RequestLog.Found {
    switch type {
    case .memory: .memory
    case .disk: .disk
    default: .none
    }
  }
}
