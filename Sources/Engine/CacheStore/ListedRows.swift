import FileStore
import Planning
import SQLiteStore

/// The version of a source that a file was made from, as far as it is compared: hashes instead of texts. Each process has a
/// seed of its own, so nobody can choose texts that meet; by chance two do so once in 2^64.
package struct VersionMark: Hashable, Sendable {
  private let digest: Int
  private let stamp: Int

  /// - Parameters:
  ///   - digest: SHA-256 (hex) of the source's bytes.
  ///   - etag: the validator, which for a local file is its stamp.
  package init(digest: String, etag: String?) {
    self.digest = Self.hash { $0.add(digest) }
    stamp = Self.hash { $0.add(etag) }
  }

  fileprivate init(_ row: SQLiteDatabase.Statement, digest: Int32, etag: Int32) {
    self.digest = Self.hash { $0.add(row, digest) }
    stamp = Self.hash { $0.add(row, etag) }
  }

  package func isOf(digest: String) -> Bool { self.digest == Self.hash { $0.add(digest) } }

  package func isOf(stamp: String) -> Bool { self.stamp == Self.hash { $0.add(stamp) } }

  package func hasBytes(of other: VersionMark) -> Bool { digest == other.digest }

  fileprivate static func hash(_ add: (inout Hasher) -> Void) -> Int {
    var hasher = Hasher()
    add(&hasher)
    return hasher.finalize()
  }
}

/// What the ledger says of the files in a listing, in some words for each. One pass over the table costs a third of what
/// looking for each row would.
package struct ListedRows: Sendable {
  private struct Row {
    /// SQLite's, 0 for no row.
    var number: Int64 = 0
    /// Of all that a run expects of an entry; nil where the file is not what the row says, or another drawing version made it.
    var expected: Int?
    var version = VersionMark(digest: "", etag: nil)
  }

  /// By the places of the listing.
  private let rows: [Row]

  package static let none = ListedRows(rows: [])

  private init(rows: [Row]) { self.rows = rows }

  package func number(at place: Int) -> Int64 { rows[place].number }

  /// The version that a file was made from, if its row says all that is expected and the listing confirms it.
  package func version(of expected: ExpectedEntry, at place: Int) -> VersionMark? {
    let row = rows[place]
    return row.number != 0 && row.expected == expected.mark ? row.version : nil
  }

  /// All rows of a ledger whose files are listed.
  init(of listing: FolderListing, in database: SQLiteDatabase) throws(SQLiteDatabase.Failure) {
    let columns = """
      rowid, file, source_id, identity, client, job, entry_key, source, chain, expiry, priority, drawing, content,
      size, modified, source_digest, etag
      """
    var found = Array(repeating: Row(), count: listing.entries.count)
    try database.prepare("SELECT \(columns) FROM entry").run { row in
      guard let place = row.withBytes(1, listing.place(of:)) else { return }
      found[place].number = row.integer(0)
      found[place].version = VersionMark(row, digest: 15, etag: 16)
      let status = CacheFileStatus(size: row.integer(13), modified: row.integer(14))
      guard LedgerTable.isOfThisDrawing(row, drawing: 11, content: 12),
        listing.entries[place].status == status
      else { return }
      found[place].expected = VersionMark.hash { hash in
        for column: Int32 in 2...9 { hash.add(row, column) }
        hash.combine(row.integer(10))
      }
    }
    rows = found
  }
}

extension ExpectedEntry {
  /// In the order of the columns above.
  fileprivate var mark: Int {
    VersionMark.hash { hash in
      hash.add(sourceID)
      hash.add(identity)
      hash.add(origin.client)
      hash.add(origin.job)
      hash.add(origin.key)
      hash.add(origin.source)
      hash.add(origin.chain)
      hash.add(origin.expiry)
      hash.combine(Int64(origin.priority))
    }
  }
}

extension Hasher {
  fileprivate mutating func add(_ text: String?) {
    guard var text else { return add(bytes: nil) }
    text.withUTF8 { add(bytes: UnsafeRawBufferPointer($0)) }
  }

  fileprivate mutating func add(_ row: SQLiteDatabase.Statement, _ column: Int32) {
    row.withBytes(column) { add(bytes: $0) }
  }

  /// With its length, so that no text runs into the next.
  private mutating func add(bytes: UnsafeRawBufferPointer?) {
    combine(bytes?.count ?? -1)
    if let bytes { combine(bytes: bytes) }
  }
}
