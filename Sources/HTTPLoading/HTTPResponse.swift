/// A whole body with status 2xx, decoded from its transfer and content coding.
public struct HTTPResponse: Sendable {
  public var status: Int
  public var body: [UInt8]
  public var contentType: String?
  public var etag: String?
  public var lastModified: String?
  /// Nothing on the wire said how long the body is, or more came than was announced, so a cut could not be seen.
  public var isLengthUnverified: Bool
  /// Seconds from start to last byte.
  public var duration: Double
  /// How often it was tried again before it succeeded.
  public var retries: Int

  public init(
    status: Int = 200, body: [UInt8], contentType: String? = nil, etag: String? = nil,
    lastModified: String? = nil, isLengthUnverified: Bool = false, duration: Double = 0, retries: Int = 0
  ) {
    self.status = status
    self.body = body
    self.contentType = contentType
    self.etag = etag
    self.lastModified = lastModified
    self.isLengthUnverified = isLengthUnverified
    self.duration = duration
    self.retries = retries
  }
}
