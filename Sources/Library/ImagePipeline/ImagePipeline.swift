import Concurrency
import Fetching
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
  /// As Nuke calls it.
  public typealias Cache = ImagePipelineCache
  /// As Nuke 13 calls it.
  public typealias Delegate = ImagePipelineDelegate
  /// As Nuke calls it.
  public typealias DataCachePolicy = NukeCache.DataCachePolicy

  private static let sharedPipeline = Locked(ImagePipeline(configuration: .withURLCache))

  /// The pipeline that is used where no other is named; `withURLCache` until another is set.
  public static var shared: ImagePipeline {
    get { sharedPipeline.withLock { $0 } }
    set { sharedPipeline.withLock { $0 = newValue } }
  }

  /// What the pipeline was made with. It cannot be changed later.
  public let configuration: Configuration
  let delegate: any ImagePipelineDelegate
  let drawing: PipelineDrawing
  var version: NukeVersion { configuration.version }

  let sources = Coalescer<SourceKey, SourceData>()
  let images = Coalescer<ImageKey, LoadedImage>()
  let resumableData: ResumableDataStore
  let rateLimiter = RateLimiter()
  let loadingQueue: WorkQueue
  let decodingQueue: WorkQueue
  let processingQueue: WorkQueue
  let encodingQueue: WorkQueue
  /// Nil once the pipeline is invalidated.
  private let underWay = Locked<UnderWay?>(UnderWay())

  /// A pipeline with caches, loader and limits of its configuration. The delegate is kept as long as the pipeline lives.
  public init(configuration: Configuration = .withURLCache, delegate: (any ImagePipelineDelegate)? = nil) {
    let configuration = configuration.withSignposts
    self.configuration = configuration
    self.delegate = delegate ?? DefaultPipelineDelegate()
    drawing = PipelineDrawing(configuration)
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
    version.storedEntries(
      for: shape, from: request.resourceKind(version: version), policy: configuration.dataCachePolicy)
  }

  func emit(_ event: Event) { configuration.onEvent?(event) }

  /// Loads an image: from memory, from disk, or from its source.
  ///
  /// Cancelling the surrounding task cancels the request.
  public func image(for request: some ImageRequestConvertible) async throws(Error) -> PlatformImage {
    try await imageTask(with: request).image
  }

  /// Loads the data of a request without decoding it: from the disk cache, or from its source.
  ///
  /// On disk only what lies under exactly this request's key is found. Processors are not applied.
  /// - Returns: the response without its body; nil where no server was asked.
  public func data(
    for request: some ImageRequestConvertible
  ) async throws(Error) -> (data: Data, response: HTTPResponse?) {
    let request = request.asImageRequest(for: version)
    return try await data(
      for: request, WorkContext(priority: WorkPriority(request.priority), report: { _ in }))
  }

  /// Begins to load an image at once.
  public func imageTask(with request: some ImageRequestConvertible) -> ImageTask {
    let request = request.asImageRequest(for: version)
    return ImageTask(request) { context in
      try await self.response(for: request, context)
    }
  }

  /// Cancels what is under way, and fails every later request with `pipelineInvalidated`. The caches stay as they are.
  public func invalidate() {
    let requests = underWay.withLock { requests in
      defer { requests = nil }
      return requests
    }
    for cancel in (requests ?? UnderWay()).cancels.values { cancel() }
  }

  /// How each request that is under way is cancelled, by its number.
  private struct UnderWay {
    private var last = 0
    private(set) var cancels: [Int: @Sendable () -> Void] = [:]

    mutating func add(_ cancel: @escaping @Sendable () -> Void) -> Int {
      last += 1
      cancels[last] = cancel
      return last
    }

    mutating func remove(_ number: Int) { cancels[number] = nil }
  }

  /// Runs a request so that ``invalidate()`` reaches it.
  private func cancellable<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let work = Task { try await body() }
    guard let number = underWay.withLock({ $0?.add { work.cancel() } }) else {
      work.cancel()
      throw Error.pipelineInvalidated
    }
    defer { underWay.withLock { $0?.remove(number) } }
    return try await withTaskCancellationHandler {
      try await work.value
    } onCancel: {
      work.cancel()
    }
  }

  /// Begins to load an image and calls back once, from any thread.
  @discardableResult
  public func loadImage(
    with request: some ImageRequestConvertible,
    completion: @escaping @Sendable (Result<ImageResponse, Error>) -> Void = { _ in }
  ) -> ImageTask {
    let task = imageTask(with: request)
    Task {
      do throws(Error) {
        completion(.success(try await task.response))
      } catch {
        completion(.failure(error))
      }
    }
    return task
  }

  func response(for request: ImageRequest, _ context: WorkContext) async throws -> ImageResponse {
    guard request.imageID != nil else { throw Error.imageRequestMissing }
    let load = ImageLoad(request, in: self)
    let count = request.processors.count
    if underWay.withLock({ $0 != nil }), let image = load.imageInMemory(after: count) {
      return ImageResponse(container: image.container, request: request, cacheType: .memory)
    }
    return try await cancellable {
      let image = try await load.image(after: count, context)
      try await load.store(image, context)
      return ImageResponse(
        container: image.container, request: request, urlResponse: image.source?.info,
        cacheType: image.cacheType)
    }
  }

  func data(
    for request: ImageRequest, _ context: WorkContext
  ) async throws(Error) -> (data: Data, response: HTTPResponse?) {
    guard request.imageID != nil else { throw .imageRequestMissing }
    guard underWay.withLock({ $0 != nil }) else { throw .pipelineInvalidated }
    if let data = cache(for: request).cachedData(for: request) { return (data, nil) }
    if request.options.contains(.returnCacheDataDontLoad) { throw .dataMissingInCache }
    do {
      return try await cancellable {
        let source = try await self.source(of: request, context)
        await ImageLoad(request, in: self).store(source)
        return (Data(source.bytes), source.info)
      }
    } catch {
      throw Error(error)
    }
  }

  /// The bytes of a request's source; equal downloads are one.
  func source(of request: ImageRequest, _ context: WorkContext) async throws -> SourceData {
    try await sources.value(
      for: SourceKey(request), isShared: configuration.isTaskCoalescingEnabled, context
    ) { context in
      try await SourceFetch(pipeline: self, request: request).data(context)
    }
  }
}
