import CacheStore
import Digests
import FileStore
import Foundation
import Planning

extension FinishedFile {
  package init(
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
