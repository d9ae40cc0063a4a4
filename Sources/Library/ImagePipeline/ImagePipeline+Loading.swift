import Foundation
import NukeCache

extension ImagePipeline {
  /// Loads an image: from memory, from disk, or from its source.
  ///
  /// Cancelling the surrounding task cancels the request.
  public func image(for request: some ImageRequestConvertible) async throws(Error) -> PlatformImage {
    try await imageTask(with: request).image
  }

  /// Loads the data of a request without decoding it: from the disk cache, or from its source.
  ///
  /// On disk only what lies under exactly this request's key is found. Processors are not applied.
  /// - Returns: nil for the response where no server was asked.
  public func data(
    for request: some ImageRequestConvertible
  ) async throws(Error) -> (data: Data, response: ResponseInfo?) {
    let request = request.asImageRequest(for: rules.version)
    return try await data(
      for: request, WorkContext(priority: WorkPriority(request.priority), report: { _ in }))
  }

  /// Begins to load an image at once.
  public func imageTask(with request: some ImageRequestConvertible) -> ImageTask {
    let request = request.asImageRequest(for: rules.version)
    return ImageTask(request) { context in
      try await self.response(for: request, context)
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
    if let image = load.imageInMemory(after: count) {
      return ImageResponse(container: image.container, request: request, cacheType: .memory)
    }
    let image = try await load.image(after: count, context)
    try await load.store(image, context)
    return ImageResponse(
      container: image.container, request: request, urlResponse: image.source?.info,
      cacheType: image.cacheType)
  }

  func data(
    for request: ImageRequest, _ context: WorkContext
  ) async throws(Error) -> (data: Data, response: ResponseInfo?) {
    guard request.imageID != nil else { throw .imageRequestMissing }
    if let data = cache(for: request).cachedData(for: request) { return (data, nil) }
    if request.options.contains(.returnCacheDataDontLoad) { throw .dataMissingInCache }
    do {
      let source = try await source(of: request, context)
      await ImageLoad(request, in: self).store(source)
      return (Data(source.bytes), source.info)
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
