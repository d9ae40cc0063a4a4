import FileStore
import Foundation
import NukeCache
import Planning

/// Leaves a Nuke cache so that an app's first sweep does it no harm.
///
/// Nuke's sweep removes the entries that were read the longest ago, so access dates follow the job's
/// priorities; and since 12.1.5 it waits for an interval after the date in `.data-cache-info`.
package struct CacheUpkeep {
  /// When the cache was made, to the day: two runs of a day leave identical folders.
  package let date: Date
  private let files: FileStore

  package init(files: FileStore, date: Date) {
    self.files = files
    self.date = date
  }

  /// Sets access dates, the most urgent and earliest entries last to go, and writes the sweep's stamp.
  ///
  /// - Parameter plans: Those that write into this folder.
  /// - Returns: What is in the folder, access dates as they were before.
  @discardableResult
  package func finish(_ plans: [Plan], version: NukeVersion) throws(FileStoreError) -> [FileEntry] {
    let entries = try files.entries()
    try setAccessDates(plans, entries)
    // An empty folder needs no protection.
    if DataCacheUpkeep(version: version).keepsSweepDate, !entries.isEmpty { try writeStamp() }
    return entries
  }

  /// A fresh cache may travel for weeks before its first launch, so the stamp lies ahead of it.
  package static let grace: TimeInterval = 30 * 86_400

  private func writeStamp() throws(FileStoreError) {
    let info = DataCacheInfo(lastSweepDate: date.addingTimeInterval(Self.grace))
    if DataCacheInfo(readingFrom: files) != info { try info.write(to: files) }
  }

  private func setAccessDates(_ plans: [Plan], _ entries: [FileEntry]) throws(FileStoreError) {
    let dates = Dictionary(
      entries.lazy.filter(\.isRegularFile).map { ($0.name, $0.accessDate) },
      uniquingKeysWith: { first, _ in first })
    var rank = 0.0
    // Several renditions share an original; the most urgent of them decides.
    var datedOriginals: Set<String> = []
    for plan in plans {
      // Sources come by falling priority already.
      for rendition in plan.renditions {
        for store in rendition.stores {
          if store.content == .original, !datedOriginals.insert(store.fileName).inserted { continue }
          let access = date.addingTimeInterval(-rank)
          guard let found = dates[store.fileName] else { continue }
          rank += 1
          if found != access { try files.setDates(FileDates(access: access), of: store.fileName) }
        }
      }
    }
  }
}
