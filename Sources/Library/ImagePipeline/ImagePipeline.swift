import Concurrency
import Fetching
import Foundation
import NukeCache

/// Loads images through caches in memory and on disk, over HTTP and with workers that draw: Nuke's `ImagePipeline`.
///
///     let pipeline = ImagePipeline { $0.dataCache = try? DataCache(name: "com.myapp.datacache") }
///     let image = try await pipeline.image(for: "https://example.com/image.jpeg")
public final class ImagePipeline: Sendable {
  /// As Nuke calls it.
  public typealias DataCachePolicy = NukeCache.DataCachePolicy

  /// What an app may decide for each request: Nuke's `ImagePipeline.Delegate`.
  public protocol Delegate: AnyObject, Sendable {
    /// A key in place of the whole usual one, in memory and on disk; nil for the usual one.
    func cacheKey(for request: ImageRequest, pipeline: ImagePipeline) -> String?
  }

  private static let sharedPipeline = Locked(ImagePipeline(configuration: .withURLCache))

  /// The pipeline that is used where no other is named; `withURLCache` until another is set.
  public static var shared: ImagePipeline {
    get { sharedPipeline.withLock { $0 } }
    set { sharedPipeline.withLock { $0 = newValue } }
  }

  /// What the pipeline was made with. It cannot be changed later.
  public let configuration: Configuration
  let delegate: (any Delegate)?
  let drawing: PipelineDrawing
  let sources = Coalescer<SourceKey, SourceData>(limit: 6)
  let images = Coalescer<ImageKey, LoadedImage>()

  /// A pipeline with caches, loader and limits of its configuration. The delegate is kept as long as the pipeline lives.
  public init(configuration: Configuration = .withURLCache, delegate: (any Delegate)? = nil) {
    self.configuration = configuration
    self.delegate = delegate
    drawing = PipelineDrawing(configuration)
  }

  /// A pipeline whose configuration differs from the default one in what `configure` changes.
  public convenience init(
    delegate: (any Delegate)? = nil, _ configure: (inout Configuration) -> Void
  ) {
    var configuration = Configuration()
    configure(&configuration)
    self.init(configuration: configuration, delegate: delegate)
  }

  /// The caches in memory and on disk as one; not the HTTP cache.
  public var cache: Cache { Cache(pipeline: self) }

  /// Loads an image: from memory, from disk, or from its source.
  ///
  /// Cancelling the surrounding task cancels the request.
  public func image(for request: some ImageRequestConvertible) async throws(Error) -> PlatformImage {
    try await imageTask(with: request).image
  }

  /// Begins to load an image at once.
  public func imageTask(with request: some ImageRequestConvertible) -> ImageTask {
    ImageTask(request.asImageRequest(), in: self)
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
}

/// How a request goes.
extension ImagePipeline {
  func response(for request: ImageRequest, _ priority: WorkPriority) async throws -> ImageResponse {
    guard request.url != nil else { throw Error.imageRequestMissing }
    if let container = cache[request] {
      return ImageResponse(container: container, request: request, urlResponse: nil, cacheType: .memory)
    }
    let entries = storedEntries(for: request)
    let load = ImageLoad(request, in: self, isStoredEncoded: entries.contains { $0.content == .encoded })
    let image = try await load.image(after: request.processors.count, priority)
    cache[request] = image.container
    for entry in entries {
      let part = request.limited(to: entry.key)
      switch entry.content {
      case .original: if let source = image.source { store(Data(source.bytes), for: part) }
      // An image that cannot be encoded is there all the same.
      case .encoded where !image.isStored: store(try? await encoded(image), for: part)
      case .encoded: break
      }
    }
    return ImageResponse(
      container: image.container, request: request, urlResponse: image.source?.info,
      cacheType: image.cacheType)
  }

  private func encoded(_ image: LoadedImage) async throws -> Data {
    if let encoded = image.encoded { return encoded }
    return try await drawing.encode(image.container)
  }

  /// What the version and the policy leave on disk.
  private func storedEntries(for request: ImageRequest) -> [StoredEntry] {
    configuration.version.storedEntries(
      for: RequestShape(request),
      from: ResourceKind(urlText: request.url?.absoluteString ?? "", version: configuration.version),
      policy: configuration.dataCachePolicy)
  }

  /// Whatever the request's options say: the policy has asked them.
  private func store(_ data: Data?, for request: ImageRequest) {
    if let data { configuration.dataCache?.storeData(data, for: cache.makeDataCacheKey(for: request)) }
  }

  /// The bytes of a request's source; equal downloads are one.
  func source(of request: ImageRequest, _ priority: WorkPriority) async throws -> SourceData {
    try await sources.value(for: SourceKey(request), priority) { _ in
      let source = try await self.load(request)
      guard !source.bytes.isEmpty else { throw Error.dataIsEmpty }
      return source
    }
  }

  private func load(_ request: ImageRequest) async throws -> SourceData {
    guard let url = request.url, let httpRequest = request.httpRequest else {
      throw Error.imageRequestMissing
    }
    let scheme = url.scheme?.lowercased()
    if scheme == "file" || scheme == "data" {
      let body = try SourceLoader.read(
        local: url.absoluteString, isFile: scheme == "file", maxBytes: configuration.limits.maxBytes)
      return SourceData(bytes: body.bytes)
    }
    let signposts = configuration.signposts
    let fetch = signposts.beginInterval(.fetchSource, ServerName.metadata(of: httpRequest.url))
    defer { signposts.endInterval(fetch) }
    var response = try await configuration.dataLoader.loadData(for: httpRequest)
    let bytes = response.body
    response.body = []
    return SourceData(bytes: bytes, info: response)
  }
}
