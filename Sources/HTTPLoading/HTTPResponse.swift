/// A whole body with status 2xx, decoded from its transfer and content coding.
public struct HTTPResponse: Sendable {
  public var status: Int
  public var body: [UInt8]
  public var contentType: String?
  public var etag: String?
  public var lastModified: String?
  /// Nothing on the wire said how long the body is, so a cut could not be seen.
  public var isLengthUnverified: Bool
  /// Seconds from start to last byte.
  public var duration: Double
  /// How often it was tried again before it succeeded.
  public var retries: Int
}
