import Foundation
import NukeCache

/// One image request on its way: memory, disk, source, worker. The results of its first processors are
/// images of their own, shared with every request that begins alike.
struct ImageLoad: Sendable {
  let pipeline: ImagePipeline
  let request: ImageRequest
  let cache: ImagePipelineCache
  /// The keys to be asked for on disk.
  let lookups: [KeyPart]
  /// The whole image is due to be stored encoded, so it is encoded in the pass that makes it.
  let isStoredEncoded: Bool

  init(_ request: ImageRequest, in pipeline: ImagePipeline) {
    self.pipeline = pipeline
    self.request = request
    cache = pipeline.cache(for: request)
    let shape = RequestShape(request)
    lookups = pipeline.version.lookups(for: shape)
    isStoredEncoded = pipeline.storedEntries(for: request, shape).contains { $0.content == .encoded }
  }

  private var mayLoad: Bool { !request.options.contains(.returnCacheDataDontLoad) }

  /// The chain up to a processor.
  private func part(_ count: Int) -> KeyPart {
    KeyPart(hasThumbnail: request.thumbnail != nil, processorCount: count)
  }

  /// The image in memory after the first `count` processors.
  func imageInMemory(after count: Int) -> LoadedImage? {
    guard let container = cache[request.limited(to: part(count))] else { return nil }
    // One that was left encoded is of use only to those who want it so.
    guard container.image.isDecoded || (count == request.processors.count && leavesEncoded) else {
      return nil
    }
    return LoadedImage(container: container, cacheType: .memory)
  }

  /// The image after the first `count` processors, from wherever it comes first.
  func image(after count: Int, _ context: WorkContext) async throws -> LoadedImage {
    if let image = imageInMemory(after: count) { return image }
    return try await pipeline.images.value(
      for: ImageKey(request.limited(to: part(count))),
      isShared: pipeline.configuration.isTaskCoalescingEnabled, context
    ) { context in
      try await make(count, context)
    }
  }

  private func make(_ count: Int, _ context: WorkContext) async throws -> LoadedImage {
    if count > 0 {
      if let image = try await imageOnDisk(after: count, context) { return image }
      guard mayLoad else { throw ImagePipeline.Error.dataMissingInCache }
    }
    if count > 1 { return try await process(try await image(after: count - 1, context), count, context) }
    if count == 1, let original = imageInMemory(after: 0) { return try await process(original, 1, context) }
    return try await imageOfSource(count, context)
  }

  private func imageOnDisk(after count: Int, _ context: WorkContext) async throws -> LoadedImage? {
    guard lookups.contains(part(count)), let data = cachedData(part(count)) else { return nil }
    return try await decodeCached(data, processors: [], context)
  }

  private func cachedData(_ part: KeyPart) -> Data? {
    cache.dataCache?.cachedData(for: cache.makeDataCacheKey(for: request.limited(to: part)))
  }

  /// From the original's bytes, in memory, on disk or from the source, with at most one processor.
  private func imageOfSource(_ count: Int, _ context: WorkContext) async throws -> LoadedImage {
    let processors = Array(request.processors.prefix(count))
    // Before anything is downloaded for it.
    _ = try pipeline.drawing.steps(request.thumbnail, processors)
    for part in lookups where part.processorCount == 0 {
      guard let data = cachedData(part) else { continue }
      if let image = try await decodeCached(data, processors: processors, context) { return image }
    }
    guard mayLoad else { throw ImagePipeline.Error.dataMissingInCache }
    let source = try await pipeline.source(of: request, context)
    let drawn = try await decode(source.bytes, processors, encodes: encodes(count), context)
    return LoadedImage(container: drawn.container, encoded: drawn.encoded, source: source)
  }

  /// Nil for data that makes no image: it stays, and the next place is asked.
  private func decodeCached(
    _ data: Data, processors: [ImageProcessor], _ context: WorkContext
  ) async throws -> LoadedImage? {
    do {
      let drawn = try await decode([UInt8](data), processors, encodes: false, context)
      return LoadedImage(
        container: drawn.container, cacheType: .disk,
        isStored: processors.isEmpty || !pipeline.version.storesResultsOfEntries)
    } catch ImagePipeline.Error.decodingFailed {
      return nil
    }
  }

  // MARK: Work

  private var leavesEncoded: Bool {
    let isPlain = request.processors.isEmpty && request.thumbnail == nil
    return isPlain
      && (request.options.contains(.skipDecompression) || !pipeline.configuration.isDecompressionEnabled)
  }

  private func encodes(_ count: Int) -> Bool {
    isStoredEncoded && count == request.processors.count
      && pipeline.configuration.makeImageEncoder == nil
      && pipeline.delegate.imageEncoder(for: request, pipeline: pipeline) == nil
  }

  private func decode(
    _ bytes: [UInt8], _ processors: [ImageProcessor], encodes: Bool, _ context: WorkContext
  ) async throws -> PipelineDrawing.Drawn {
    if let decoder = pipeline.delegate.imageDecoder(for: request, pipeline: pipeline) {
      return try await decode(bytes, processors, by: decoder, context)
    }
    return try await pipeline.decodingQueue.run(context.priority) {
      pipeline.emit(.decodeImage(imageID: request.imageID ?? "", processors: processors))
      if leavesEncoded { return try await pipeline.drawing.inspect(bytes, encodes: encodes) }
      return try await pipeline.drawing.decode(
        bytes, thumbnail: request.thumbnail, processors: processors, encodes: encodes)
    }
  }

  /// By the app's own decoder; only what comes after it is drawn by a worker.
  private func decode(
    _ bytes: [UInt8], _ processors: [ImageProcessor], by decoder: any ImageDecoding, _ context: WorkContext
  ) async throws -> PipelineDrawing.Drawn {
    var drawn = try await pipeline.decodingQueue.run(context.priority) {
      pipeline.emit(.decodeImage(imageID: request.imageID ?? "", processors: []))
      do {
        return PipelineDrawing.Drawn(container: try decoder.decode(Data(bytes), for: request))
      } catch {
        throw ImagePipeline.Error.decodingFailed(error)
      }
    }
    for processor in processors {
      drawn = try await pipeline.drawing.process(drawn.container, processor, encodes: false)
    }
    return drawn
  }

  private func process(
    _ previous: LoadedImage, _ count: Int, _ context: WorkContext
  ) async throws -> LoadedImage {
    let processor = request.processors[count - 1]
    let isStored = previous.isStored && !pipeline.version.storesResultsOfEntries
    let encodes = encodes(count) && !isStored
    let drawn = try await pipeline.processingQueue.run(context.priority) {
      pipeline.emit(.processImage(imageID: request.imageID ?? "", processor: processor))
      return try await pipeline.drawing.process(previous.container, processor, encodes: encodes)
    }
    return LoadedImage(
      container: drawn.container, encoded: drawn.encoded, source: previous.source,
      cacheType: previous.cacheType, isStored: isStored)
  }
}

/// Stores what a request leaves in the caches: what the version and the policy say.
extension ImageLoad {
  /// For a request of an image that did not lie in memory as it is.
  func store(_ image: LoadedImage, _ context: WorkContext) async throws {
    cache[request] = image.container
    for entry in pipeline.storedEntries(for: request, RequestShape(request)) {
      switch entry.content {
      case .original: if let source = image.source { await store(source, as: entry.key) }
      case .encoded where !image.isStored:
        try await store(image.container, as: entry.key, image.claims) { try await encoded(image, context) }
      case .encoded: break
      }
    }
  }

  /// For a request of data.
  func store(_ source: SourceData) async {
    for entry in pipeline.storedEntries(for: request, RequestShape(request, isDataRequest: true)) {
      await store(source, as: entry.key)
    }
  }

  private func store(_ source: SourceData, as part: KeyPart) async {
    await store(nil, as: part, source.claims) { Data(source.bytes) }
  }

  private func store<Failure: Swift.Error>(
    _ image: ImageContainer?, as part: KeyPart, _ claims: KeyClaims,
    _ make: () async throws(Failure) -> Data?
  ) async throws(Failure) {
    let key = cache.makeDataCacheKey(for: request.limited(to: part))
    guard let dataCache = cache.dataCache, claims.claim(key), let made = try await make() else { return }
    let data = await pipeline.delegate.willCache(data: made, image: image, for: request, pipeline: pipeline)
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
