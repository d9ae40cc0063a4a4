import Foundation

/// Why an image could not be had, stored or removed: Kingfisher's `KingfisherError`, with the reasons that have a
/// meaning here.
public enum KingfisherError: LocalizedError, Sendable, CustomStringConvertible {
  /// The task was cancelled.
  case taskCancelled
  /// The image's data could not be had.
  case downloadFailed(url: String, error: any Error)
  /// The cache has no image, or its folder fails.
  case cacheError(reason: CacheErrorReason)
  /// The data was there, but no image could be made of it; `reason` says why where that is known.
  case processingFailed(identifier: String, reason: String?)

  /// What failed in the cache.
  public enum CacheErrorReason: Sendable {
    /// Nothing usable is cached under the key and the request does not load.
    case imageNotExisting(key: String)
    /// The key has no file name that can be stored and found; the reason says why.
    case notCacheable(key: String, reason: String)
    /// The cache's folder cannot be made, read or written; the error has path and advice.
    case diskFailed(error: any Error)
  }

  /// The text of `localizedDescription`.
  public var errorDescription: String? { description }

  /// A sentence for people, with the error behind it and what can be done where that is known.
  public var description: String {
    switch self {
    case .taskCancelled: "The task was cancelled."
    case .downloadFailed(let url, let error): "The download of \(url) failed: \(error)"
    case .cacheError(.imageNotExisting(let key)): "There is no usable image in the cache for the key \(key)."
    case .cacheError(.notCacheable(let key, let reason)): "The key \(key) cannot be cached on disk: \(reason)"
    case .cacheError(.diskFailed(let error)): "The cache's folder cannot be used: \(error)"
    case .processingFailed(let identifier, let reason):
      "The processor \(identifier) made no image\(reason.map { ": \($0)" } ?? ".")"
    }
  }
}
