/// What somebody remembers of a body that he no longer has, or need not have: its digest, and what a server
/// can be asked with.
public struct HTTPKnownVersion: Sendable, Hashable {
  /// SHA-256 of the body in hexadecimal.
  public var digest: String
  public var etag: String?
  public var lastModified: String?

  public init(digest: String, etag: String? = nil, lastModified: String? = nil) {
    self.digest = digest
    self.etag = etag
    self.lastModified = lastModified
  }
}
