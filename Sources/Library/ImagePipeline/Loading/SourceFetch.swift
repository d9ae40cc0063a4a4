import Concurrency
import Fetching
import Foundation
import NukeCache

/// One download: held back by the rate limiter and the queue, gone on with where an earlier one broke.
struct SourceFetch: Sendable {
  let pipeline: ImagePipeline
  let request: ImageRequest

  func data(_ context: WorkContext) async throws -> SourceData {
    let source: SourceData
    switch request.resource {
    case .url(nil): throw ImagePipeline.Error.imageRequestMissing
    case .url(let url?): source = try await data(of: url, context)
    case .data(let id, let load):
      source = try await queued(context) {
        pipeline.emit(.loadData(imageID: id))
        return SourceData(bytes: [UInt8](try await load()))
      }
    }
    guard !source.bytes.isEmpty else { throw ImagePipeline.Error.dataIsEmpty }
    return source
  }

  private func data(of url: URL, _ context: WorkContext) async throws -> SourceData {
    let scheme = url.scheme?.lowercased()
    if scheme == "file" || scheme == "data" {
      let maxBytes = pipeline.configuration.limits.maxBytes
      let body = try SourceLoader.read(
        local: url.absoluteString, isFile: scheme == "file", maxBytes: maxBytes)
      return SourceData(bytes: body.bytes)
    }
    if pipeline.configuration.isRateLimiterEnabled { try await pipeline.rateLimiter.wait() }
    return try await queued(context) {
      var response = try await download(context)
      let bytes = response.body
      response.body = []
      return SourceData(bytes: bytes, info: response)
    }
  }

  private func queued(
    _ context: WorkContext, _ load: () async throws -> SourceData
  ) async throws -> SourceData {
    if request.options.contains(.skipDataLoadingQueue) { return try await load() }
    return try await pipeline.loadingQueue.run(context.priority, load)
  }

  // MARK: Resuming

  private func download(_ context: WorkContext) async throws -> HTTPResponse {
    guard var fresh = request.httpRequest else { throw ImagePipeline.Error.imageRequestMissing }
    fresh.priority = context.priority.queued
    guard let part = resumablePart else { return try await load(fresh, context) }
    let resumed = ResumedDownload(part: part)
    var request = fresh
    request.headers += resumed.headers
    do {
      let answer = try await load(request, context, resuming: resumed)
      if let whole = resumed.whole(with: answer) { return whole }
    } catch let failure as HTTPFailure where failure.status == 416 {}
    return try await load(fresh, context)
  }

  private func load(
    _ httpRequest: HTTPRequest, _ context: WorkContext, resuming: ResumedDownload? = nil
  ) async throws -> HTTPResponse {
    pipeline.emit(.loadData(imageID: request.imageID ?? ""))
    let loader = pipeline.delegate.dataLoader(for: request, pipeline: pipeline)
    let offset = Int64(resuming?.part.bytes.count ?? 0)
    let signposts = pipeline.configuration.signposts
    let fetch = signposts.beginInterval(.fetchSource, ServerName.metadata(of: httpRequest.url))
    defer { signposts.endInterval(fetch) }
    do {
      return try await loader.loadData(for: httpRequest) { progress in
        context.report(
          HTTPProgress(received: progress.received + offset, total: progress.total.map { $0 + offset }))
      }
    } catch {
      keep(error, resuming)
      throw error
    }
  }

  private var resumableKey: ResumableDataStore.Key {
    ResumableDataStore.Key(pipeline: ObjectIdentifier(pipeline), imageID: request.imageID ?? "")
  }

  private var resumablePart: HTTPPartialBody? {
    pipeline.configuration.isResumableDataEnabled ? pipeline.resumableData.take(resumableKey) : nil
  }

  private func keep(_ error: any Error, _ resumed: ResumedDownload?) {
    guard pipeline.configuration.isResumableDataEnabled, let failure = error as? HTTPFailure else { return }
    if let next = failure.partialBody {
      let part = resumed.map { $0.extended(by: next) } ?? next
      if let part { pipeline.resumableData.put(part, for: resumableKey) }
    } else if let resumed, failure.status == nil {
      // It broke before the server said anything: what there was is as good as before.
      pipeline.resumableData.put(resumed.part, for: resumableKey)
    }
  }
}

/// Beginnings of downloads that were cut off, for the next request of the same image to go on from. Held
/// in memory only: at most 100 of 32,000,000 bytes together, as Nuke does.
final class ResumableDataStore: Sendable {
  static let shared = ResumableDataStore()

  struct Key: Hashable, Sendable {
    var pipeline: ObjectIdentifier
    var imageID: String
  }

  private let parts: Locked<LRUCache<Key, HTTPPartialBody>>

  init(costLimit: Int = 32_000_000, countLimit: Int = 100) {
    parts = Locked(LRUCache(costLimit: costLimit, countLimit: countLimit))
  }

  /// Takes the part out: if the next try is cut off too, it puts back more.
  func take(_ key: Key) -> HTTPPartialBody? {
    parts.withLock { $0.removeValue(forKey: key) }
  }

  func put(_ part: HTTPPartialBody, for key: Key) {
    parts.withLock { $0.insert(part, forKey: key, cost: part.bytes.count) }
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
  let claims = KeyClaims()
}

/// The bytes of a source, as several requests share them.
struct SourceData: Sendable {
  var bytes: [UInt8]
  /// Without the body; nil where no server was asked.
  var info: HTTPResponse?
  let claims = KeyClaims()
}

/// Which keys something was stored under, so that requests that share it store it once.
final class KeyClaims: Sendable {
  private let keys = Locked<Set<String>>([])

  /// True for the first who asks.
  func claim(_ key: String) -> Bool { keys.withLock { $0.insert(key).inserted } }
}

/// What makes two downloads the same.
struct SourceKey: Hashable, Sendable {
  private let resource: String
  private let headers: [HTTPHeader]
  private let cachePolicy: HTTPCachePolicy

  init(_ request: ImageRequest) {
    switch request.resource {
    case .url(let url): resource = "url \(url?.absoluteString ?? "")"
    case .data(let id, _): resource = "closure \(id)"
    }
    headers = request.headers
    cachePolicy = request.httpCachePolicy
  }
}

/// What makes two images the same piece of work: from where, by which steps, and by way of which caches.
struct ImageKey: Hashable, Sendable {
  private let source: SourceKey
  private let image: ImageCacheKey
  private let options: ImageRequest.Options

  init(_ request: ImageRequest) {
    source = SourceKey(request)
    image = ImageCacheKey(request: request)
    options = request.options
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

  func resourceKind(version: NukeVersion) -> ResourceKind {
    switch resource {
    case .url(let url): ResourceKind(urlText: url?.absoluteString ?? "", version: version)
    case .data: .closureOfData
    }
  }
}
