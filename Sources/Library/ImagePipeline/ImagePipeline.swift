import Concurrency
import Foundation
import NukeCache

/// Loads images through Nuke's cache layers, on Linux: Nuke's `ImagePipeline`.
///
///     let pipeline = ImagePipeline {
///       $0.dataCache = try? DataCache(name: "com.myapp.datacache")
///       $0.dataCachePolicy = .automatic
///     }
///     let image = try await pipeline.image(for: "https://example.com/image.jpeg")
///
/// What it finds and stores on disk is what an app with the configured version of Nuke finds and stores.
/// It loads, draws and decides with the same parts as a run of jobs; images are decoded in worker processes.
public final class ImagePipeline: Sendable {
  public typealias Cache = ImagePipelineCache
  public typealias DataCachePolicy = NukeCache.DataCachePolicy

  private static let sharedPipeline = Locked(ImagePipeline(configuration: .withURLCache))

  /// The pipeline that is used where no other is named; `withURLCache` until another is set.
  public static var shared: ImagePipeline {
    get { sharedPipeline.withLock { $0 } }
    set { sharedPipeline.withLock { $0 = newValue } }
  }

  public let configuration: Configuration
  let delegate: any ImagePipelineDelegate
  let drawing: PipelineDrawing
  let rules: DataCacheRules

  let sources = Coalescer<SourceKey, SourceData>()
  let images = Coalescer<ImageKey, LoadedImage>()
  let resumableData: ResumableDataStore
  let rateLimiter = RateLimiter()
  let loadingQueue: WorkQueue
  let decodingQueue: WorkQueue
  let processingQueue: WorkQueue
  let encodingQueue: WorkQueue

  /// - Parameter delegate: kept for as long as the pipeline lives.
  public init(configuration: Configuration = .withURLCache, delegate: (any ImagePipelineDelegate)? = nil) {
    let configuration = configuration.withSignposts
    self.configuration = configuration
    self.delegate = delegate ?? DefaultPipelineDelegate()
    drawing = PipelineDrawing(configuration)
    rules = DataCacheRules(version: configuration.version)
    resumableData = .shared
    loadingQueue = WorkQueue(limit: configuration.dataLoadingConcurrency)
    decodingQueue = WorkQueue(limit: configuration.imageDecodingConcurrency)
    processingQueue = WorkQueue(limit: configuration.imageProcessingConcurrency)
    encodingQueue = WorkQueue(limit: configuration.imageEncodingConcurrency)
  }

  /// A pipeline whose configuration differs from the default one in what `configure` changes.
  public convenience init(
    delegate: (any ImagePipelineDelegate)? = nil, _ configure: (inout Configuration) -> Void
  ) {
    var configuration = Configuration()
    configure(&configuration)
    self.init(configuration: configuration, delegate: delegate)
  }

  /// The caches in memory and on disk as one; not the HTTP cache. Its calls decode and encode where they
  /// are made and wait for it.
  public var cache: Cache {
    cache(imageCache: configuration.imageCache, dataCache: configuration.dataCache)
  }

  /// The caches that the delegate chooses for a request.
  func cache(for request: ImageRequest) -> Cache {
    cache(
      imageCache: delegate.imageCache(for: request, pipeline: self),
      dataCache: delegate.dataCache(for: request, pipeline: self))
  }

  private func cache(imageCache: (any ImageCaching)?, dataCache: (any DataCaching)?) -> Cache {
    let coder = WorkerCoder(drawing: drawing)
    return Cache(
      imageCache: imageCache, dataCache: dataCache, format: drawing.format, encoder: coder, decoder: coder
    ) { request in
      self.delegate.cacheKey(for: request, pipeline: self)
    }
  }

  func storedEntries(for request: ImageRequest, _ shape: RequestShape) -> [StoredEntry] {
    rules.storedEntries(
      for: shape, from: request.resourceKind(version: rules.version), policy: configuration.dataCachePolicy)
  }

  func emit(_ event: Event) { configuration.onEvent?(event) }
}
