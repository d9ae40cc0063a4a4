extension KingfisherError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .requestError(let reason): reason.description
    case .responseError(let reason): reason.description
    case .cacheError(let reason): reason.description
    case .processorError(let reason): reason.description
    }
  }
}

extension KingfisherError.RequestErrorReason: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noDownloader:
      "This manager cannot download: give it a downloader, or ask it with .onlyFromCache."
    case .taskCancelled: "The task was cancelled."
    }
  }
}

extension KingfisherError.ResponseErrorReason: CustomStringConvertible {
  public var description: String {
    switch self {
    case .downloadFailed(let url, let error): "The download of \(url) failed: \(error)"
    case .dataProviderFailed(let key, let error): "The data of \(key) could not be provided: \(error)"
    }
  }
}

extension KingfisherError.CacheErrorReason: CustomStringConvertible {
  public var description: String {
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

extension KingfisherError.ProcessorErrorReason: CustomStringConvertible {
  public var description: String {
    switch self {
    case .processingFailed(let identifier, let reason):
      "The processor \(identifier) made no image\(reason.map { ": \($0)" } ?? ".")"
    case .noRenderer(let identifier):
      "This manager cannot draw the processor \(identifier): give it a renderer."
    }
  }
}
