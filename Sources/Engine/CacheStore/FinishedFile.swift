import Digests
import FileStore
import Foundation
import Planning

/// A whole file on its way into the cache folder.
package struct FinishedFile: Sendable {
  /// The bytes of the entry.
  package var bytes: Data
  /// The row to be written once the file is in place; `modified` is filled in then.
  package var entry: LedgerEntry
  /// Dates that mean something to the client, set before the file gets its name.
  package var dates = FileDates()

  package init(bytes: Data, entry: LedgerEntry, dates: FileDates = FileDates()) {
    self.bytes = bytes
    self.entry = entry
    self.dates = dates
  }
}
