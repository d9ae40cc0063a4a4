import Foundation
import NukeCache

/// Stores what a request leaves in the caches: what the version and the policy say.
struct ImageStorage: Sendable {
  let pipeline: ImagePipeline
  let request: ImageRequest
  let cache: ImagePipelineCache

  init(_ request: ImageRequest, in pipeline: ImagePipeline) {
    self.pipeline = pipeline
    self.request = request
    cache = pipeline.cache(for: request)
  }

  /// For a request of an image that did not lie in memory as it is.
  func store(_ image: LoadedImage, _ context: WorkContext) async throws {
    cache[request] = image.container
    let shape = RequestShape(request)
    for entry in pipeline.storedEntries(for: request, shape) {
      switch entry.content {
      case .original: await storeOriginal(image.source, as: entry.key)
      // What came from the disk is not stored there again, as in Nuke.
      case .encoded: if image.cacheType != .disk { try await storeEncoded(image, as: entry.key, context) }
      }
    }
  }

  /// For a request of data.
  func store(_ source: SourceData) async {
    for entry in pipeline.storedEntries(for: request, RequestShape(request, isDataRequest: true)) {
      await storeOriginal(source, as: entry.key)
    }
  }

  private func storeOriginal(_ source: SourceData?, as part: KeyPart) async {
    let key = cache.makeDataCacheKey(for: request.limited(to: part))
    guard let source, let dataCache = cache.dataCache, source.claims.claim(key) else { return }
    let data = await pipeline.delegate.willCache(
      data: Data(source.bytes), image: nil, for: request, pipeline: pipeline)
    if let data { dataCache.storeData(data, for: key) }
  }

  private func storeEncoded(_ image: LoadedImage, as part: KeyPart, _ context: WorkContext) async throws {
    let key = cache.makeDataCacheKey(for: request.limited(to: part))
    guard let dataCache = cache.dataCache, image.claims.claim(key) else { return }
    guard let encoded = try await encoded(image, context) else { return }
    let data = await pipeline.delegate.willCache(
      data: encoded, image: image.container, for: request, pipeline: pipeline)
    if let data { dataCache.storeData(data, for: key) }
  }

  private func encoded(_ image: LoadedImage, _ context: WorkContext) async throws -> Data? {
    if let encoded = image.encoded { return encoded }
    return try await pipeline.encodingQueue.run(context.priority) {
      pipeline.emit(.encodeImage(imageID: request.imageID ?? ""))
      let context = ImageEncodingContext(
        request: request, image: image.container.image, urlResponse: image.source?.info)
      if let encoder = pipeline.delegate.imageEncoder(for: request, pipeline: pipeline)
        ?? pipeline.configuration.makeImageEncoder?(context)
      {
        guard let encoder = encoder as? any WorkerEncoding else {
          return encoder.encode(image.container, for: request)
        }
        return try? await pipeline.drawing.encode(image.container, by: encoder)
      }
      // An image that cannot be encoded is there all the same.
      return try? await pipeline.drawing.encode(image.container)
    }
  }
}
