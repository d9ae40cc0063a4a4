import Concurrency
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
    public var dataLoader: any DataLoading
    /// The cache of decoded images in memory; nil for none.
    public var imageCache: (any ImageCaching)? = ImageCache.shared
    /// None by default.
    public var dataCache: (any DataCaching)?
    /// Which entries requests leave on disk. A lookup finds entries of every policy.
    public var dataCachePolicy: DataCachePolicy = .storeOriginalData

    /// The client whose keys, lookups and stored entries apply.
    public var version: NukeVersion = .latest
    /// Pixels a point, for sizes in points: that of the devices whose keys are wanted.
    public var screenScale: Double = 1

    /// Equal work of several requests is done once.
    public var isTaskCoalescingEnabled = true
    /// Downloads are held back that are begun faster than 80 a second, beyond 25 at once.
    public var isRateLimiterEnabled = true
    /// What came of a download that was cut off is kept in memory, and the next request goes on from there.
    public var isResumableDataEnabled = true
    /// Images without processing are decoded too; otherwise they carry their data and know their size.
    public var isDecompressionEnabled = true

    /// Downloads at once.
    public var dataLoadingConcurrency = 6
    /// Sources decoded at once, the first processor included.
    public var imageDecodingConcurrency = 2
    /// Images processed further at once.
    public var imageProcessingConcurrency = 2
    /// Images encoded for the disk cache at once.
    public var imageEncodingConcurrency = 1

    /// Quality of the JPEGs in the disk cache, 1 to 100. Nuke's encoder takes 0.8.
    public var jpegQuality = 80
    /// The encoder of an image for the disk cache; nil for a worker and ``jpegQuality``. A delegate that has one comes
    /// first.
    public var makeImageEncoder: (@Sendable (ImageEncodingContext) -> any ImageEncoding)?
    /// Bounds on what a stranger's image may cost.
    public var limits = RenderLimits()
    /// Formats that are decoded.
    public var formats = ImageFormat.trusted
    /// Path of `preheat-render`; nil looks for it as the command does (`RenderPool.locateWorker`).
    public var renderer: String?
    /// Worker processes; nil takes one a processor.
    public var workers: Int?

    /// Called as work begins; it has to return at once. What Nuke writes as signposts.
    public var onEvent: (@Sendable (Event) -> Void)?

    /// Records every load and what the workers do, and for how long. A loader's exchanges and their phases
    /// are recorded too where its own `HTTPConfiguration` has the same signposter.
    public var signposts = Signposter.disabled

    /// Whether pipelines that are made from now on, and have no ``signposts`` of their own, write them to standard
    /// error, as `preheat run --signposts` writes its file.
    public static var isSignpostLoggingEnabled: Bool {
      get { signpostLogging.withLock { $0 } }
      set { signpostLogging.withLock { $0 = newValue } }
    }

    private static let signpostLogging = Locked(false)
    /// Kept for good: it writes what has come until the program ends.
    private static let standardErrorSignposts = Signposter(
      SignpostRecorder(exporters: [
        SignpostLogExporter(file: SignpostFile(descriptor: STDERR_FILENO), program: "ImagePipeline")
      ]))

    /// With the signposter that is used.
    var withSignposts: Configuration {
      guard !signposts.isEnabled, Self.isSignpostLoggingEnabled else { return self }
      var configuration = self
      configuration.signposts = Self.standardErrorSignposts
      return configuration
    }

    /// Nuke's defaults, with a loader.
    public init(dataLoader: any DataLoading = DataLoader()) {
      self.dataLoader = dataLoader
    }

    /// An HTTP cache on disk of 150 MiB (``DataLoader/sharedHTTPCache``) and no data cache.
    public static var withURLCache: Configuration { Configuration() }

    /// A data cache on disk of 150 MiB, with Nuke's own name, and no HTTP cache.
    public static var withDataCache: Configuration { withDataCache() }

    /// A data cache on disk and no HTTP cache. Where its folder cannot be made there is none, as in Nuke.
    ///
    /// - Parameters:
    ///   - name: of the folder in the user's caches folder.
    ///   - sizeLimit: bytes on disk; nil takes 150 MiB.
    public static func withDataCache(
      name: String = "com.github.kean.Nuke.DataCache", sizeLimit: Int? = nil
    ) -> Configuration {
      var configuration = Configuration(dataLoader: DataLoader(cache: nil))
      let dataCache = try? DataCache(name: name)
      if let sizeLimit { dataCache?.sizeLimit = sizeLimit }
      configuration.dataCache = dataCache
      return configuration
    }
  }

  /// A piece of work that is begun. Work that several requests share happens once.
  public enum Event: Sendable, Hashable {
    /// A download, or data from the app's own code.
    case loadData(imageID: String)
    /// Decoding, and the first of the processors in the same pass.
    case decodeImage(imageID: String, processors: [ImageProcessor])
    /// One more processor, on an image that is decoded.
    case processImage(imageID: String, processor: ImageProcessor)
    /// An image is encoded for the disk cache.
    case encodeImage(imageID: String)
  }

  /// Why there is no image or no data.
  public enum Error: LocalizedError, Sendable, CustomStringConvertible {
    /// The request allows caches only (`returnCacheDataDontLoad`), and they do not have it.
    case dataMissingInCache
    /// The loader's or the app's own error; `HTTPFailure` from the loader that is built in.
    case dataLoadingFailed(any Swift.Error)
    /// The body, or the data of the app's own code, has no bytes.
    case dataIsEmpty
    /// The bytes are not a picture that can be decoded.
    case decodingFailed(any Swift.Error)
    /// The picture was decoded, but these processors could not be applied.
    case processingFailed(processors: [ImageProcessor], reason: String)
    /// The request has no URL.
    case imageRequestMissing
    /// The request's task was cancelled.
    case cancelled
    /// The pipeline was invalidated; see ``ImagePipeline/invalidate()``.
    case pipelineInvalidated

    /// The text of `localizedDescription`.
    public var errorDescription: String? { description }

    /// A sentence for people, with the error behind it.
    public var description: String {
      switch self {
      case .dataMissingInCache:
        "The image is in no cache, and the request does not allow to load it."
      case .dataLoadingFailed(let error):
        "The data could not be loaded: \(error)."
      case .dataIsEmpty:
        "The data was loaded but is empty."
      case .decodingFailed(let error):
        "The data could not be decoded into an image: \(error)"
          + "\((error as? RenderFailure)?.adviceInWords ?? "")."
      case .processingFailed(let processors, let reason):
        "The image could not be processed (\(processors.count) processor\(processors.count == 1 ? "" : "s")): "
          + "\(reason)."
      case .imageRequestMissing:
        "The request has no URL to load an image from."
      case .cancelled:
        "The request was cancelled."
      case .pipelineInvalidated:
        "The pipeline was invalidated."
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
      default: self = .decodingFailed(failure.inWordsOfLibrary)
      }
    }
  }
}
