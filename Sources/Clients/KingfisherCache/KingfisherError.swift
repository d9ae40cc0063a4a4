import Foundation

/// Why an image could not be had, stored or removed: Kingfisher's `KingfisherError`, with the reasons that have a
/// meaning here.
public enum KingfisherError: LocalizedError, Sendable {
  /// The request was not begun, or it was cancelled.
  case requestError(reason: RequestErrorReason)
  /// The image's data could not be had.
  case responseError(reason: ResponseErrorReason)
  /// The cache has no image, or its folder fails.
  case cacheError(reason: CacheErrorReason)
  /// The data was there, but no image could be made of it.
  case processorError(reason: ProcessorErrorReason)

  /// Why a request was not begun, or not carried to its end.
  public enum RequestErrorReason: Sendable {
    /// The manager was made without something that downloads.
    case noDownloader
    /// The task was cancelled.
    case taskCancelled
  }

  /// Why there is no data.
  public enum ResponseErrorReason: Sendable {
    /// What was handed in to download failed.
    case downloadFailed(url: String, error: any Error)
    /// A data provider failed.
    case dataProviderFailed(key: String, error: any Error)
  }

  /// What failed in the cache.
  public enum CacheErrorReason: Sendable {
    /// Nothing usable is cached under the key and the request does not load, or what is cached there is damaged.
    case imageNotExisting(key: String)
    /// The file is there but cannot be read.
    case cannotLoadDataFromDisk(path: String, error: any Error)
    /// The folder cannot be listed.
    case fileEnumeratorCreationFailed(path: String, error: any Error)
    /// The cache's folder cannot be made.
    case cannotCreateDirectory(path: String, error: any Error)
    /// The file cannot be written.
    case cannotCreateCacheFile(path: String, key: String, error: any Error)
    /// The serializer gave no data of the image.
    case cannotSerializeImage(key: String)
    /// A file cannot be removed.
    case cannotRemove(path: String, error: any Error)
    /// The key has no file name that can be stored and found; the reason says why.
    case notCacheable(key: String, reason: String)
    /// The folder could not be made when the cache was.
    case diskStorageIsNotReady(cachePath: String)
  }

  /// Why a processor made no image.
  public enum ProcessorErrorReason: Sendable {
    /// The processor gave no image; `reason` says why where that is known.
    case processingFailed(identifier: String, reason: String?)
    /// The manager was made without something that draws.
    case noRenderer(identifier: String)
  }

  /// Whether it says that nothing is cached: what `.onlyFromCache` gives for an image that is not there.
  public var isImageNotExisting: Bool {
    if case .cacheError(.imageNotExisting) = self { true } else { false }
  }
}

extension KingfisherError: CustomStringConvertible {
  /// The text of `localizedDescription`.
  public var errorDescription: String? { description }

  /// A sentence for people, with the error behind it and what can be done where that is known.
  public var description: String {
    switch self {
    case .requestError(.noDownloader):
      "This manager cannot download: give it a downloader, or ask it with .onlyFromCache."
    case .requestError(.taskCancelled): "The task was cancelled."
    case .responseError(.downloadFailed(let url, let error)): "The download of \(url) failed: \(error)"
    case .responseError(.dataProviderFailed(let key, let error)):
      "The data of \(key) could not be provided: \(error)"
    case .cacheError(let reason): reason.description
    case .processorError(.processingFailed(let identifier, let reason)):
      "The processor \(identifier) made no image\(reason.map { ": \($0)" } ?? ".")"
    case .processorError(.noRenderer(let identifier)):
      "This manager cannot draw the processor \(identifier): give it a renderer."
    }
  }
}

extension KingfisherError.CacheErrorReason {
  fileprivate var description: String {
    switch self {
    case .imageNotExisting(let key): "There is no usable image in the cache for the key \(key)."
    case .cannotLoadDataFromDisk(let path, let error): "The cached file \(path) cannot be read: \(error)"
    case .fileEnumeratorCreationFailed(let path, let error): "The cache \(path) cannot be listed: \(error)"
    case .cannotCreateDirectory(let path, let error): "The cache's folder \(path) cannot be made: \(error)"
    case .cannotCreateCacheFile(let path, let key, let error):
      "The image of the key \(key) cannot be written to \(path): \(error)"
    case .cannotSerializeImage(let key): "The image of the key \(key) has no encoded form to store."
    case .cannotRemove(let path, let error): "\(path) cannot be removed from the cache: \(error)"
    case .notCacheable(let key, let reason): "The key \(key) cannot be cached on disk: \(reason)"
    case .diskStorageIsNotReady(let path):
      "The cache's folder \(path) could not be made when the cache was. Check its place and its owner."
    }
  }
}
