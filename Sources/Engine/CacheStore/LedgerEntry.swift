import FileStore
import Planning

/// What the ledger knows of one file in the cache folder.
package struct LedgerEntry: Hashable, Sendable {
  /// The file's name in the cache folder.
  package var file: String
  /// SHA-256 (hex) of the source's URL. The URL itself may hold a secret, so it is not kept.
  package var sourceID: String
  /// SHA-256 (hex) of all that decides the bytes besides the source: steps, encoding, renderer.
  package var identity: String
  package var size: Int64
  /// SHA-256 (hex) of the file's bytes.
  package var digest: String
  /// Modification time in nanoseconds since 1970, as the file system holds it.
  package var modified: Int64
  /// SHA-256 (hex) of the source's bytes that it was made from.
  package var sourceDigest: String
  /// Validators of the response that brought them; for a file its size and date in place of the first.
  package var etag: String?
  package var lastModified: String?
  package var origin: EntryOrigin?

  package init(
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

  /// What the file system says of the file as long as nobody has touched it.
  package var status: CacheFileStatus { CacheFileStatus(size: size, modified: modified) }
}
