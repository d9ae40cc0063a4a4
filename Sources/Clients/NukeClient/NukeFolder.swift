import ClientKit
import FileStore
import Foundation
import NukeCache
import Text

/// Nuke's folder: names are SHA-1 digests, a sweep goes by access dates, and since 12.1.5 it waits for an interval after
/// the date in `.data-cache-info`.
extension NukeClient {
  package var folder: FolderRules {
    FolderRules(
      defaultSizeLimit: DataCache.defaultSizeLimit, countsBlocks: true,
      sweepKeeps: DataCache.trimRatio)
  }

  package func isName(_ name: String, ofKey key: String?) -> Bool {
    key.map { CacheKeyFormat.fileName(forKey: $0) == name } ?? name.isHexadecimal(length: 40)
  }

  /// Access dates: the most urgent entries are the last to go.
  package func dates(of entry: FinishedEntry, rank: Int, at date: RunDate) -> FileDates? {
    FileDates(access: date.day.addingTimeInterval(-Double(rank)))
  }

  /// Beyond the limit in allocated bytes, what was read the longest ago (`DataCache.performSweep`, 10.0.0 to 13.2.0).
  package func victims(among files: [SweptFile], sizeLimit: Int, now: Date) -> [SweepVictim] {
    // Without a limit of its own a Nuke cache still has the library's.
    let limit = sizeLimit > 0 ? sizeLimit : DataCache.defaultSizeLimit
    return DataCache.victims(among: files.map(\.entry), sizeLimit: limit).map {
      (SweptFile(entry: $0), .size)
    }
  }

  package var sweepStamp: SweepStamp? {
    guard version.keepsSweepDate else { return nil }
    return (
      date: { DataCacheInfo(readingFrom: $0).lastSweepDate },
      stamp: { (DataCacheInfo.fileName, DataCacheInfo(lastSweepDate: $0).encoded) }
    )
  }
}
