import FileStore
import Foundation
import Planning

/// Gives the entries of a Kingfisher cache that were right already the expiry that this run would give them, so that
/// a nightly run keeps a cache alive without making anything anew.
///
/// The modification date is the expiry (`DiskStorage`, 5.0.0 and later), so what an app prunes first is what expires
/// first.
package struct ExpiryUpkeep {
  package let date: RunDate
  package let files: FileStore
  package let ledger: LedgerWriter

  package init(date: RunDate, files: FileStore, ledger: LedgerWriter) {
    self.date = date
    self.files = files
    self.ledger = ledger
  }

  /// - Parameter plans: Those that write into this folder.
  package func finish(_ plans: [Plan]) throws(StoreFailure) {
    var moved: [LedgerEntry] = []
    for plan in plans {
      for rendition in plan.renditions {
        for store in rendition.stores {
          guard let expiry = store.expiry?.date(from: date.start),
            let entry = files.entry(named: store.fileName), entry.isRegularFile,
            entry.modificationDate != expiry, var row = try ledger.entry(file: store.fileName)
          else { continue }
          do throws(FileStoreError) {
            try files.setDates(FileDates(modification: expiry), of: store.fileName)
          } catch {
            throw StoreFailure(error)
          }
          row.modified = CacheFileStatus(folder: files.folder.path, name: row.file)?.modified ?? 0
          moved.append(row)
        }
      }
    }
    // A run that is killed before this makes those entries again, to the same bytes.
    try ledger.record(moved)
  }
}
