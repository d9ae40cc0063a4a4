import ClientKit
import FileStore
import Foundation
import Planning

extension LedgerWriter {
  /// The last step of a run: gives a folder the dates and the stamp that its client wants, and keeps the ledger in step.
  ///
  /// - Parameter plans: those that write into this folder, of one client.
  /// - Returns: what is in the folder, with the dates of before.
  @discardableResult
  package func finish(
    _ plans: [Plan], in files: FileStore, date: RunDate
  ) throws(StoreFailure) -> [FileEntry] {
    guard let client = plans.first?.client else { return [] }
    let found = try StoreFailure.storing { () throws(FileStoreError) in try files.entries() }
    // Sources come by falling priority already.
    let entries = plans.lazy.flatMap { plan in plan.renditions.lazy.flatMap(\.finished) }
    let upkeep = client.upkeep(of: entries, found: found, at: date)
    try setDates(upkeep.dates, in: files)
    try write(upkeep.stamp, to: files)
    return found
  }

  /// The same after a stream of sources, whose entries nobody has kept in mind: dates are those of when they came.
  package func finishStream(_ plan: Plan, in files: FileStore, date: RunDate) throws(StoreFailure) {
    let found = try StoreFailure.storing { () throws(FileStoreError) in
      try files.names().first { !$0.hasPrefix(".") }.flatMap(files.entry(named:))
    }
    let upkeep = plan.client.upkeep(of: [], found: found.map { [$0] } ?? [], at: date)
    try write(upkeep.stamp, to: files)
  }

  private func write(_ stamp: FolderStamp?, to files: FileStore) throws(StoreFailure) {
    guard let stamp else { return }
    try StoreFailure.storing { () throws(FileStoreError) in
      if try files.read(stamp.name) != stamp.bytes { try files.write(stamp.bytes, as: stamp.name) }
    }
  }

  private func setDates(
    _ changes: [(file: String, dates: FileDates)], in files: FileStore
  ) throws(StoreFailure) {
    var moved: [LedgerEntry] = []
    for (file, dates) in changes {
      guard dates.modification != nil else {
        try StoreFailure.storing { () throws(FileStoreError) in try files.setDates(dates, of: file) }
        continue
      }
      // A file that the ledger does not know keeps the date that somebody else gave it.
      guard var row = try entry(file: file) else { continue }
      try StoreFailure.storing { () throws(FileStoreError) in try files.setDates(dates, of: file) }
      row.modified = CacheFileStatus(folder: files.folder.path, name: file)?.modified ?? 0
      moved.append(row)
    }
    // A run that is killed before this makes those entries again, to the same bytes.
    if !moved.isEmpty { try record(moved) }
  }
}

extension PlannedRendition {
  var finished: [FinishedEntry] {
    stores.map { FinishedEntry(file: $0.fileName, content: $0.content, expiry: $0.expiry) }
  }
}
