/// What the ledger knows of one file in the cache folder.
public struct LedgerEntry: Hashable, Sendable {
  /// The file's name in the cache folder.
  public var file: String
  /// SHA-256 (hex) of the source's URL. The URL itself may hold a secret, so it is not kept.
  public var sourceID: String
  /// SHA-256 (hex) of all that decides the bytes besides the source: steps, encoding, renderer.
  public var identity: String
  public var size: Int64
  /// SHA-256 (hex) of the file's bytes.
  public var digest: String
  /// Modification time in nanoseconds since 1970, as the file system holds it.
  public var modified: Int64
  /// SHA-256 (hex) of the source's bytes that it was made from.
  public var sourceDigest: String
  /// Validators of the response that brought them; for a file its size and date in place of the first.
  public var etag: String?
  public var lastModified: String?
  public var origin: EntryOrigin?

  public init(
    file: String, sourceID: String, identity: String, size: Int64, digest: String, modified: Int64,
    sourceDigest: String, etag: String? = nil, lastModified: String? = nil, origin: EntryOrigin? = nil
  ) {
    self.file = file
    self.sourceID = sourceID
    self.identity = identity
    self.size = size
    self.digest = digest
    self.modified = modified
    self.sourceDigest = sourceDigest
    self.etag = etag
    self.lastModified = lastModified
    self.origin = origin
  }
}
