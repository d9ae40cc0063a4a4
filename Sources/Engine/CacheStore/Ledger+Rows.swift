import Planning
import SQLiteStore

extension Ledger {
  package static let columns = """
    file, source_id, identity, size, digest, modified, source_digest, etag, last_modified, client, entry_key,
    source, chain, content, expiry, priority
    """

  package static func entry(_ row: SQLiteDatabase.Statement) -> LedgerEntry {
    var entry = LedgerEntry(
      file: row.text(0) ?? "", sourceID: row.text(1) ?? "", identity: row.text(2) ?? "", size: row.integer(3),
      digest: row.text(4) ?? "", modified: row.integer(5), sourceDigest: row.text(6) ?? "",
      etag: row.text(7), lastModified: row.text(8))
    if let client = row.text(9) {
      entry.origin = EntryOrigin(
        client: client, key: row.text(10), source: row.text(11) ?? "", chain: row.text(12) ?? "",
        content: row.text(13) ?? "", expiry: row.text(14), priority: Int(row.integer(15)))
    }
    return entry
  }

  package static func values(_ entry: LedgerEntry) -> [SQLiteDatabase.Value] {
    func text(_ text: String?) -> SQLiteDatabase.Value { text.map(SQLiteDatabase.Value.text) ?? .null }
    let origin = entry.origin
    return [
      .text(entry.file), .text(entry.sourceID), .text(entry.identity), .integer(entry.size),
      .text(entry.digest),
      .integer(entry.modified), .text(entry.sourceDigest), text(entry.etag), text(entry.lastModified),
      text(origin?.client),
      text(origin?.key), text(origin?.source), text(origin?.chain), text(origin?.content),
      text(origin?.expiry),
      .integer(Int64(origin?.priority ?? 0)),
    ]
  }
}
