import Fetching
import Foundation
import NukeCache

/// One image request on its way: memory, disk, source, worker. The results of its first processors are
/// images of their own, shared with every request that begins alike.
struct ImageLoad: Sendable {
  private let pipeline: ImagePipeline
  private let request: ImageRequest
  private let cache: ImagePipeline.Cache
  /// The keys to be asked for on disk.
  private let lookups: [KeyPart]
  /// The whole image is due to be stored encoded, so it is encoded in the pass that makes it.
  private let isStoredEncoded: Bool

  init(_ request: ImageRequest, in pipeline: ImagePipeline, isStoredEncoded: Bool) {
    (self.pipeline, self.request, cache) = (pipeline, request, pipeline.cache)
    lookups = pipeline.configuration.version.lookups(for: RequestShape(request))
    self.isStoredEncoded = isStoredEncoded
  }

  private var mayLoad: Bool { !request.options.contains(.returnCacheDataDontLoad) }

  /// The chain up to a processor.
  private func part(_ count: Int) -> KeyPart {
    KeyPart(hasThumbnail: request.thumbnail != nil, processorCount: count)
  }

  /// The image after the first `count` processors, from wherever it comes first.
  func image(after count: Int, _ priority: WorkPriority) async throws -> LoadedImage {
    let part = request.limited(to: part(count))
    if let container = cache[part] { return LoadedImage(container: container, cacheType: .memory) }
    return try await pipeline.images.value(for: ImageKey(part), priority) { try await make(count, $0) }
  }

  private func make(_ count: Int, _ priority: WorkPriority) async throws -> LoadedImage {
    if count > 0 {
      if lookups.contains(part(count)), let image = try await imageOnDisk(part(count), []) { return image }
      guard mayLoad else { throw ImagePipeline.Error.dataMissingInCache }
    }
    if count > 1 { return try await process(try await image(after: count - 1, priority), count) }
    if count == 1, let original = cache[request.limited(to: part(0))] {
      return try await process(LoadedImage(container: original, cacheType: .memory), 1)
    }
    return try await imageOfSource(Array(request.processors.prefix(count)), priority)
  }

  /// From the original's bytes, on disk or from the source, with at most one processor.
  private func imageOfSource(
    _ processors: [ImageProcessor], _ priority: WorkPriority
  ) async throws -> LoadedImage {
    // Before anything is downloaded for it.
    _ = try pipeline.drawing.steps(request.thumbnail, processors)
    for part in lookups where part.processorCount == 0 {
      if let image = try await imageOnDisk(part, processors) { return image }
    }
    guard mayLoad else { throw ImagePipeline.Error.dataMissingInCache }
    let source = try await pipeline.source(of: request, priority)
    var image = try await pipeline.drawing.decode(
      source.bytes, thumbnail: request.thumbnail, processors: processors, encodes: encodes(processors.count))
    image.source = source
    return image
  }

  /// Nil for data that makes no image: it stays, and the next place is asked.
  private func imageOnDisk(_ part: KeyPart, _ processors: [ImageProcessor]) async throws -> LoadedImage? {
    let key = cache.makeDataCacheKey(for: request.limited(to: part))
    guard let data = pipeline.configuration.dataCache?.cachedData(for: key) else { return nil }
    do throws(ImagePipeline.Error) {
      var image = try await pipeline.drawing.decode(
        [UInt8](data), thumbnail: request.thumbnail, processors: processors)
      image.cacheType = .disk
      image.isStored = processors.isEmpty || !pipeline.configuration.version.storesResultsOfEntries
      return image
    } catch {
      guard case .decodingFailed = error else { throw error }
      return nil
    }
  }

  private func encodes(_ count: Int) -> Bool { isStoredEncoded && count == request.processors.count }

  private func process(_ previous: LoadedImage, _ count: Int) async throws -> LoadedImage {
    let isStored = previous.isStored && !pipeline.configuration.version.storesResultsOfEntries
    var image = try await pipeline.drawing.process(
      previous.container, request.processors[count - 1], encodes: encodes(count) && !isStored)
    (image.source, image.cacheType, image.isStored) = (previous.source, previous.cacheType, isStored)
    return image
  }
}

/// An image on its way through the pipeline, with what is needed to store it.
struct LoadedImage: Sendable {
  var container: ImageContainer
  /// For the disk cache, where it was made in the same pass.
  var encoded: Data?
  /// What it was made of, if that was loaded; nil where it comes from a cache.
  var source: SourceData?
  var cacheType: ImageResponse.CacheType?
  /// It came from the disk, and by the rules of the version is not stored there again.
  var isStored = false
}

/// The bytes of a source, as several requests share them.
struct SourceData: Sendable {
  var bytes: [UInt8]
  /// Without the body; nil where no server was asked.
  var info: HTTPResponse?
}

/// What makes two downloads the same.
struct SourceKey: Hashable, Sendable {
  private let url: URL?
  private let headers: [HTTPHeader]
  private let cachePolicy: HTTPCachePolicy

  init(_ request: ImageRequest) {
    (url, headers, cachePolicy) = (request.url, request.headers, request.httpCachePolicy)
  }
}

/// What makes two images the same piece of work: from where, by which steps, and by way of which caches.
struct ImageKey: Hashable, Sendable {
  private let source: SourceKey
  private let image: ImageCacheKey
  private let options: ImageRequest.Options

  init(_ request: ImageRequest) {
    (source, image, options) = (SourceKey(request), ImageCacheKey(request: request), request.options)
  }
}

extension ImageRequest {
  /// The request for a part of its chain.
  func limited(to part: KeyPart) -> ImageRequest {
    var request = self
    if !part.hasThumbnail { request.thumbnail = nil }
    request.processors = Array(processors.prefix(part.processorCount))
    return request
  }
}
