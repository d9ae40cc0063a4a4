/// Why an image could not be had, stored or removed: Kingfisher's `KingfisherError`, with the reasons that have a
/// meaning here.
public enum KingfisherError: Error, Sendable {
  case requestError(reason: RequestErrorReason)
  case responseError(reason: ResponseErrorReason)
  case cacheError(reason: CacheErrorReason)
  case processorError(reason: ProcessorErrorReason)

  public enum RequestErrorReason: Sendable {
    /// The manager was made without something that downloads.
    case noDownloader
    /// The task was cancelled.
    case taskCancelled
  }

  public enum ResponseErrorReason: Sendable {
    /// What was handed in to download failed.
    case downloadFailed(url: String, error: any Error)
    /// A data provider failed.
    case dataProviderFailed(key: String, error: any Error)
  }

  public enum CacheErrorReason: Sendable {
    /// Nothing usable is cached under the key and the request does not load, or what is cached there is damaged.
    case imageNotExisting(key: String)
    /// The file is there but cannot be read.
    case cannotLoadDataFromDisk(path: String, error: any Error)
    /// The folder cannot be listed.
    case fileEnumeratorCreationFailed(path: String, error: any Error)
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

  public enum ProcessorErrorReason: Sendable {
    /// The processor gave no image; `reason` says why where that is known.
    case processingFailed(identifier: String, reason: String?)
    /// The manager was made without something that draws.
    case noRenderer(identifier: String)
  }
}

extension KingfisherError {
  /// Whether it says that nothing is cached: what `.onlyFromCache` gives for an image that is not there.
  public var isImageNotExisting: Bool {
    if case .cacheError(.imageNotExisting) = self { true } else { false }
  }

  public var isTaskCancelled: Bool {
    if case .requestError(.taskCancelled) = self { true } else { false }
  }
}
