import CacheCore
import Foundation
import NukeCache

/// Leaves a Nuke cache so that an app's first sweep does it no harm.
///
/// Nuke's sweep removes the entries that were read the longest ago, so access dates follow the job's
/// priorities; and since 12.1.5 it waits for an interval after the date in `.data-cache-info`.
struct CacheUpkeep {
  /// When the cache was made, to the day: two runs of a day leave identical folders.
  let date: Date
  private let files: FileStore

  init(files: FileStore, date: Date) {
    self.files = files
    self.date = date
  }

  /// Sets access dates, the most urgent and earliest entries last to go, and writes the sweep's stamp.
  ///
  /// - Parameter plans: Those that write into this folder.
  func finish(_ plans: [Plan], version: NukeVersion) throws(FileStoreError) {
    try setAccessDates(plans)
    // An empty folder needs no protection.
    guard DataCacheUpkeep(version: version).keepsSweepDate, try !files.entries().isEmpty else { return }
    try writeStamp()
  }

  /// A fresh cache may travel for weeks before its first launch, so the stamp lies ahead of it.
  static let grace: TimeInterval = 30 * 86_400

  private func writeStamp() throws(FileStoreError) {
    let info = DataCacheInfo(lastSweepDate: date.addingTimeInterval(Self.grace))
    if DataCacheInfo(readingFrom: files) != info { try info.write(to: files) }
  }

  private func setAccessDates(_ plans: [Plan]) throws(FileStoreError) {
    var rank = 0.0
    // Several renditions share an original; the most urgent of them decides.
    var datedOriginals: Set<String> = []
    for plan in plans {
      // Sources come by falling priority already.
      for rendition in plan.renditions {
        for store in rendition.stores {
          if store.content == .original, !datedOriginals.insert(store.fileName).inserted { continue }
          let access = date.addingTimeInterval(-rank)
          guard let entry = files.entry(named: store.fileName), entry.isRegularFile else { continue }
          rank += 1
          if entry.accessDate != access { try files.setDates(FileDates(access: access), of: store.fileName) }
        }
      }
    }
  }
}
