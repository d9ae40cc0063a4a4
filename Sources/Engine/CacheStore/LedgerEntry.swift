import ClientKit
import FileStore
import Planning

/// The ledger's row of one file in the cache folder.
package struct LedgerEntry: Hashable, Sendable {
  /// The file's name in the cache folder.
  package var file: String
  /// SHA-256 (hex) of the source's URL. The URL itself may hold a secret, so it is not kept.
  package var sourceID: String
  /// SHA-256 (hex) of all that decides the bytes besides the source and the drawing version: steps, encoding.
  package var identity: String
  /// The drawing version of the release that made the file; an entry of another one is made again.
  package var drawing: Int
  package var size: Int64
  /// SHA-256 (hex) of the file's bytes.
  package var digest: String
  /// Modification time in nanoseconds since 1970, as the file system holds it.
  package var modified: Int64
  /// SHA-256 (hex) of the source's bytes that it was made from.
  package var sourceDigest: String
  /// Validators of the response that brought them; for a local file its size and date in place of the first.
  package var etag: String?
  package var lastModified: String?
  package var origin: EntryOrigin

  package init(
    file: String, sourceID: String, identity: String, drawing: Int = RenditionTask.drawingVersion,
    size: Int64,
    digest: String, modified: Int64, sourceDigest: String, etag: String? = nil, lastModified: String? = nil,
    origin: EntryOrigin
  ) {
    self.file = file
    self.sourceID = sourceID
    self.identity = identity
    self.drawing = drawing
    self.size = size
    self.digest = digest
    self.modified = modified
    self.sourceDigest = sourceDigest
    self.etag = etag
    self.lastModified = lastModified
    self.origin = origin
  }

  /// Whether this release would draw the same bytes. An original is the source's own bytes, whatever the version.
  package var isOfThisDrawing: Bool {
    drawing == RenditionTask.drawingVersion || origin.content == EntryContent.original.rawValue
  }

  /// Size and date of the file as long as nobody has touched it.
  package var status: CacheFileStatus { CacheFileStatus(size: size, modified: modified) }
}
