/// One GET. Redirects are followed within the loader's limits.
public struct HTTPRequest: Sendable, Hashable {
  /// The whole URL: `http` or `https`, with user info if there is some.
  public var url: String
  /// Sent to the host of `url` only, never to another one after a redirect.
  public var headers: [HTTPHeader]
  /// Sent to their hosts where a redirect leads there.
  package var redirectHeaders: [HTTPHostHeader] = []
  /// Its place among the requests that wait.
  public var priority: Priority
  /// How an ``HTTPCache`` may answer it; a loader without a cache ignores it.
  public var cachePolicy: HTTPCachePolicy
  /// Largest body in bytes; nil for the loader's own limit (``HTTPConfiguration/maxBodyBytes``).
  public var maxBodyBytes: Int?
  /// The caller keeps the body: an ``HTTPCache`` stores only its fields and its digest.
  package var isBodyKeptElsewhere = false
  /// Its name in an ``HTTPCache``, where that is known already.
  var cacheName: String?

  /// How urgent it is among the requests that wait for a place.
  public typealias Priority = QueuePriority

  /// A GET with the cache's and the loader's usual rules.
  public init(
    url: String, headers: [HTTPHeader] = [], priority: Priority = .normal,
    cachePolicy: HTTPCachePolicy = .useProtocol, maxBodyBytes: Int? = nil
  ) {
    self.url = url
    self.headers = headers
    self.priority = priority
    self.cachePolicy = cachePolicy
    self.maxBodyBytes = maxBodyBytes
  }
}

/// When an ``HTTPCache`` answers a request and when the server does.
public enum HTTPCachePolicy: String, Sendable, Hashable, CaseIterable {
  /// As the fields of the stored response say (RFC 9111).
  case useProtocol
  /// The server answers; its answer is stored.
  case reloadIgnoringCache
  /// A stored response is given, however old it is; the request fails where there is none. For offline use.
  case returnCacheDontLoad
}
