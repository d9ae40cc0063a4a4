import ContentDigests
import FileStore
import Foundation
import Planning
import SQLiteStore
import Text

/// What became of a ledger that was damaged or had an earlier form.
package struct LedgerRebuilding: Hashable, Sendable {
  /// What is wrong with it.
  package var damage: LedgerFailure
  /// Where all its bytes lie now.
  package var path: String
  /// Rows that went into the new one, because the files in the cache folder agree with them.
  package var kept: Int

  /// For a person: what, where, and what happens now.
  package var message: String {
    let fate =
      kept == 0
      ? "all entries are made again"
      : "\(kept) of its entries agree with their files and are kept, all others are made again"
    return "\(damage.fact); it was moved to \(path); \(fate)"
  }
}

extension LedgerRebuilding {
  /// The rows of a damaged ledger that the cache folder confirms: the file is there and has the size and the digest.
  ///
  /// What a row says besides decides at most that an entry is made again.
  static func confirmedRows(of path: String, cache: String) -> [LedgerEntry] {
    let files = FileStore(existing: URL(fileURLWithPath: cache))
    return LedgerReader(path: path).salvage().values.compactMap { row in
      // Bytes that are not text would come back changed.
      guard let status = CacheFileStatus(folder: cache, name: row.file), status.size == row.size,
        let bytes = try? files.read(row.file, keepingAccessDate: true),
        ContentDigest.sha256(bytes) == row.digest
      else { return nil }
      var row = row
      row.modified = status.modified
      return row
    }
  }
}
