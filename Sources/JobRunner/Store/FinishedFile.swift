import CacheCore
import Foundation

/// A whole file on its way into the cache folder.
struct FinishedFile: Sendable {
  /// The bytes of the entry.
  var bytes: Data
  /// The row to be written once the file is in place; `modified` is filled in then.
  var entry: LedgerEntry
  /// Dates that mean something to the client, set before the file gets its name.
  var dates = FileDates()
}

extension FinishedFile {
  init(
    bytes: [UInt8], store: PlannedRendition.Store, origin: EntryOrigin, sourceID: String, identity: String,
    body: SourceBody, date: RunDate
  ) {
    self.init(
      bytes: Data(bytes),
      entry: LedgerEntry(
        file: store.fileName, sourceID: sourceID, identity: identity, size: Int64(bytes.count),
        digest: store.content == .original ? body.digest : hexadecimal(SHA256.hash(bytes)), modified: 0,
        sourceDigest: body.digest, etag: body.etag, lastModified: body.lastModified,
        origin: origin),
      dates: FileDates(modification: store.expiry?.date(from: date.start)))
  }
}
