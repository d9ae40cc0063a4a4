import Fetching
import Foundation
import NukeCache
import Pictures
import Signposts

extension ImagePipeline {
  /// What a pipeline is made of: Nuke's `ImagePipeline.Configuration`, as far as it has a meaning without a
  /// screen.
  public struct Configuration: Sendable {
    /// Loads the data of URLs; `file` and `data` URLs are read without it.
    public var dataLoader: DataLoader
    /// The cache of decoded images in memory; nil for none.
    public var imageCache: ImageCache? = ImageCache.shared
    /// None by default.
    public var dataCache: DataCache?
    /// Which entries requests leave on disk. A lookup finds entries of every policy.
    public var dataCachePolicy: DataCachePolicy = .storeOriginalData

    /// The client whose keys, lookups and stored entries apply.
    public var version: NukeVersion = .latest
    /// Pixels a point, for sizes in points: that of the devices whose keys are wanted.
    public var screenScale: Double = 1

    /// Quality of the JPEGs in the disk cache, 1 to 100. Nuke's encoder takes 0.8.
    public var jpegQuality = 80
    /// Bounds on what a stranger's image may cost.
    public var limits = RenderLimits()
    /// Formats that are decoded.
    public var formats = ImageFormat.trusted
    /// Path of `preheat-render`; nil looks for it as the command does (`RenderPool.locateWorker`).
    public var renderer: String?
    /// Worker processes; nil takes one a processor.
    public var workers: Int?
    /// Records every load and what the workers do, and for how long. A loader's exchanges and their phases
    /// are recorded too where its own `HTTPConfiguration` has the same signposter.
    public var signposts = Signposter.disabled

    /// Nuke's defaults, with a loader.
    public init(dataLoader: DataLoader = DataLoader()) {
      self.dataLoader = dataLoader
    }

    /// An HTTP cache on disk of 150 MiB (``DataLoader/sharedHTTPCache``) and no data cache.
    public static var withURLCache: Configuration { Configuration() }

    /// A data cache on disk of 150 MiB, with Nuke's own name, and no HTTP cache. Where its folder cannot be made there is
    /// none, as in Nuke.
    public static var withDataCache: Configuration {
      var configuration = Configuration(dataLoader: DataLoader(cache: nil))
      configuration.dataCache = try? DataCache(name: "com.github.kean.Nuke.DataCache")
      return configuration
    }
  }

  /// Why there is no image or no data.
  public enum Error: LocalizedError, Sendable, CustomStringConvertible {
    /// The request allows caches only (`returnCacheDataDontLoad`), and they do not have it.
    case dataMissingInCache
    /// The loader's error, an `HTTPFailure`; that of a file or a `data:` URL is only text.
    case dataLoadingFailed(any Swift.Error)
    /// The body has no bytes.
    case dataIsEmpty
    /// The bytes are not a picture that can be decoded.
    case decodingFailed(any Swift.Error)
    /// The picture was decoded, but these processors could not be applied.
    case processingFailed(processors: [ImageProcessor], reason: String)
    /// The request has no URL.
    case imageRequestMissing
    /// The request's task was cancelled.
    case cancelled

    /// The text of `localizedDescription`.
    public var errorDescription: String? { description }

    /// A sentence for people, with the error behind it.
    public var description: String {
      switch self {
      case .dataMissingInCache: "The image is in no cache, and the request does not allow to load it."
      case .dataLoadingFailed(let error): "The data could not be loaded: \(error)."
      case .dataIsEmpty: "The data was loaded but is empty."
      case .decodingFailed(let error):
        "The data could not be decoded into an image: \(error)"
          + "\((error as? RenderFailure)?.adviceInWords ?? "")."
      case .processingFailed(let processors, let reason):
        "The image could not be processed (\(processors.count) processor\(processors.count == 1 ? "" : "s")): "
          + "\(reason)."
      case .imageRequestMissing: "The request has no URL to load an image from."
      case .cancelled: "The request was cancelled."
      }
    }

    /// Any error as the pipeline's own; what is not known comes from loading.
    init(_ error: any Swift.Error) {
      switch error {
      case let error as Error: self = error
      case is CancellationError: self = .cancelled
      case let failure as HTTPFailure where failure.code == .cancelled: self = .cancelled
      case let failure as HTTPFailure where failure.code == .empty: self = .dataIsEmpty
      default: self = .dataLoadingFailed(error)
      }
    }

    /// A worker's failure: a picture that would be too small is the processors' doing.
    init(_ failure: RenderFailure, processors: [ImageProcessor]) {
      switch failure.code {
      case .cancelled: self = .cancelled
      case .size where !processors.isEmpty:
        self = .processingFailed(processors: processors, reason: failure.message)
      default: self = .decodingFailed(failure.inWordsOfLibrary)
      }
    }
  }
}
