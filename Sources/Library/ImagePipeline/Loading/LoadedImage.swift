import Concurrency
import Fetching
import Foundation
import NukeCache

/// An image on its way through the pipeline, with what is needed to store it.
struct LoadedImage: Sendable {
  var container: ImageContainer
  /// For the disk cache, where it was made in the same pass.
  var encoded: Data?
  /// What it was made of, if that was loaded; nil where it comes from a cache.
  var source: SourceData?
  var cacheType: ImageResponse.CacheType?
  let claims = KeyClaims()
}

/// The bytes of a source, as several requests share them.
struct SourceData: Sendable {
  var bytes: [UInt8]
  /// Nil where no server was asked.
  var info: ResponseInfo?
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
