import Fetching
import NukeCache
import Pictures

extension ImagePipeline {
  /// Why there is no image or no data.
  public enum Error: Swift.Error, Sendable, CustomStringConvertible {
    /// The request allows caches only (`returnCacheDataDontLoad`), and they do not have it.
    case dataMissingInCache
    /// The loader's or the app's own error; `HTTPFailure` from the loader that is built in.
    case dataLoadingFailed(any Swift.Error)
    case dataIsEmpty
    /// The bytes are not a picture that can be decoded.
    case decodingFailed(any Swift.Error)
    /// The picture was decoded, but these processors could not be applied.
    case processingFailed(processors: [ImageProcessor], reason: String)
    /// The request has no URL.
    case imageRequestMissing
    case cancelled

    public var description: String {
      switch self {
      case .dataMissingInCache:
        "The image is in no cache, and the request does not allow to load it."
      case .dataLoadingFailed(let error):
        "The data could not be loaded: \(error)."
      case .dataIsEmpty:
        "The data was loaded but is empty."
      case .decodingFailed(let error):
        "The data could not be decoded into an image: \(error)."
      case .processingFailed(let processors, let reason):
        "The image could not be processed (\(processors.count) processor\(processors.count == 1 ? "" : "s")): "
          + "\(reason)."
      case .imageRequestMissing:
        "The request has no URL to load an image from."
      case .cancelled:
        "The request was cancelled."
      }
    }

    /// Any error as the pipeline's own; what is not known comes from loading.
    init(_ error: any Swift.Error) {
      switch error {
      case let error as Error: self = error
      case is CancellationError: self = .cancelled
      case let failure as HTTPFailure where failure.code == .cancelled: self = .cancelled
      case let failure as HTTPFailure where failure.code == .empty: self = .dataIsEmpty
      case let failure as RenderFailure where failure.code == .cancelled: self = .cancelled
      default: self = .dataLoadingFailed(error)
      }
    }

    /// A worker's failure: a picture that would be too small is the processors' doing.
    init(_ failure: RenderFailure, processors: some Collection<ImageProcessor>) {
      switch failure.code {
      case .cancelled: self = .cancelled
      case .size where !processors.isEmpty:
        self = .processingFailed(processors: Array(processors), reason: failure.message)
      default: self = .decodingFailed(failure)
      }
    }
  }
}
