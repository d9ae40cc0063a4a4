import FileStore
import Planning
import SQLiteStore

/// The version of a source that a file was made from, as far as it is compared: hashes instead of texts. Each process has a
/// seed of its own, so no texts can be chosen that meet; by chance two do so once in 2^64.
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
    let expected = LedgerTable.columns.filter { $0.expected != nil }.map(\.name)
    let others = [
      "rowid", "file", "source_digest", "etag", "size", "modified", "drawing", "content",
    ]
    let first = Int32(expected.count)
    let columns = (expected + others).joined(separator: ", ")
    var found = Array(repeating: Row(), count: listing.entries.count)
    try database.prepare("SELECT \(columns) FROM entry").run { row in
      guard let place = row.withBytes(first + 1, listing.place(of:)) else { return }
      found[place].number = row.integer(first)
      found[place].version = VersionMark(row, digest: first + 2, etag: first + 3)
      let status = CacheFileStatus(size: row.integer(first + 4), modified: row.integer(first + 5))
      guard LedgerTable.isOfThisDrawing(row, drawing: first + 6, content: first + 7),
        listing.entries[place].status == status
      else { return }
      found[place].expected = VersionMark.hash { hash in
        for column in 0..<first { hash.add(row, column) }
      }
    }
    rows = found
  }
}

extension ExpectedEntry {
  private static let values = LedgerTable.columns.compactMap(\.expected)

  /// The same of what a run expects.
  fileprivate var mark: Int {
    VersionMark.hash { hash in
      for value in Self.values { hash.add(value(self)) }
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
