import Fetching
import Foundation
import NukeCache

/// What makes two downloads the same.
struct SourceKey: Hashable, Sendable {
  private enum Resource: Hashable {
    case url(String)
    case closure(id: String)
  }

  private let resource: Resource
  private let headers: [HTTPHeader]
  private let cachePolicy: HTTPCachePolicy

  init(_ request: ImageRequest) {
    switch request.resource {
    case .url(let url): resource = .url(url?.absoluteString ?? "")
    case .data(let id, _): resource = .closure(id: id)
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
  package func limited(to part: KeyPart) -> ImageRequest {
    var request = self
    if !part.hasThumbnail { request.thumbnail = nil }
    request.processors = Array(processors.prefix(part.processorCount))
    return request
  }

  package func shape(isDataRequest: Bool) -> RequestShape {
    var shape = RequestShape(
      hasThumbnail: thumbnail != nil, processorCount: processors.count, isDataRequest: isDataRequest)
    if options.contains(.disableDiskCacheReads) { shape.options.insert(.disableDiskCacheReads) }
    if options.contains(.disableDiskCacheWrites) { shape.options.insert(.disableDiskCacheWrites) }
    if options.contains(.reloadIgnoringCachedData) { shape.options.insert(.reloadIgnoringCachedData) }
    if options.contains(.returnCacheDataDontLoad) { shape.options.insert(.returnCacheDataDontLoad) }
    return shape
  }

  func resourceKind(version: NukeVersion) -> ResourceKind {
    switch resource {
    case .url(let url): ResourceKind(urlText: url?.absoluteString ?? "", version: version)
    case .data: .closureOfData
    }
  }
}
