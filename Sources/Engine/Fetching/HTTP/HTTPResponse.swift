/// A whole body with status 2xx, decoded from its transfer and content coding; or, for a request with a
/// condition (`If-None-Match`, `If-Modified-Since`), status 304 and no body.
public struct HTTPResponse: Sendable {
  /// The HTTP status.
  public var status: Int
  /// The whole body.
  public var body: [UInt8]
  /// Where the body comes from.
  public var source = Source.network
  /// All fields of the answer in their order.
  public var fields: [HTTPHeader]
  /// The field `Content-Type`.
  public var contentType: String? { fields.value("Content-Type") }
  /// The field `ETag`.
  public var etag: String? { fields.value("ETag") }
  /// The field `Last-Modified`.
  public var lastModified: String? { fields.value("Last-Modified") }
  /// Redirects that led to it.
  public var redirects: Int
  /// Nothing on the wire said how long the body is, or more came than was announced, so a cut could not be seen.
  public var isLengthUnverified: Bool
  /// Only the body itself can show that it is whole: see ``HTTPConfiguration/mayBeCut``.
  var hasOpenEnd = false
  /// It came over https.
  var isSecure = false
  /// Seconds from start to last byte.
  public var duration: Double
  /// How often it was tried again before it succeeded.
  public var retries: Int
  /// SHA-256 of the body in hexadecimal, where an ``HTTPCache`` has worked it out.
  public var bodyDigest: String?

  /// Network or HTTP cache.
  public enum Source: Sendable, Hashable {
    /// The server.
    case network
    /// The HTTP cache, without asking the server.
    case cache
    /// The HTTP cache, after the server said that it is still right.
    case validatedCache
    /// The HTTP cache, although it is stale: the server could not be asked, and the cache allows it then.
    case staleCache
  }

  /// An answer, for loaders of an app's own and for tests.
  public init(
    status: Int = 200, body: [UInt8], fields: [HTTPHeader] = [], redirects: Int = 0,
    isLengthUnverified: Bool = false, duration: Double = 0, retries: Int = 0
  ) {
    self.status = status
    self.body = body
    self.fields = fields
    self.redirects = redirects
    self.isLengthUnverified = isLengthUnverified
    self.duration = duration
    self.retries = retries
  }
}
