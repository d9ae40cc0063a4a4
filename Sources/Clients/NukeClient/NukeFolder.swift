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
      defaultSizeLimit: DataCacheUpkeep.defaultSizeLimit, counting: .allocatedBytes,
      sweepKeeps: DataCacheUpkeep.trimRatio,
      keepsSweepDate: DataCacheUpkeep(version: version).keepsSweepDate)
  }

  package func isEntryName(_ name: String) -> Bool {
    name.isHexadecimal(length: 40)
  }

  package func isName(_ name: String, ofKey key: String) -> Bool {
    CacheKeyFormat.fileName(forKey: key) == name
  }

  /// A fresh cache may travel for weeks before its first launch, so the stamp lies ahead of it.
  static let grace: TimeInterval = 30 * 86_400

  /// Access dates, the most urgent and earliest entries last to go, and the sweep's stamp.
  package func upkeep(
    of entries: any Sequence<FinishedEntry>, found: [FileEntry], at date: RunDate
  ) -> FolderUpkeep {
    let present = Dictionary(
      found.lazy.filter(\.isRegularFile).map { ($0.name, $0.accessDate) },
      uniquingKeysWith: { first, _ in first })
    var upkeep = FolderUpkeep()
    var rank = 0.0
    // Several renditions share an original; the most urgent of them decides.
    var datedOriginals: Set<String> = []
    for entry in entries {
      if entry.content == .original, !datedOriginals.insert(entry.file).inserted { continue }
      let access = date.day.addingTimeInterval(-rank)
      guard let known = present[entry.file] else { continue }
      rank += 1
      if known != access { upkeep.dates.append((entry.file, FileDates(access: access))) }
    }
    // An empty folder needs no protection.
    if folder.keepsSweepDate, !found.isEmpty {
      upkeep.stamp = Self.stamp(DataCacheInfo(lastSweepDate: date.day.addingTimeInterval(Self.grace)))
    }
    return upkeep
  }

  /// Beyond the limit in allocated bytes, what was read the longest ago (`DataCache.performSweep`, 10.0.0 to 13.2.0).
  package func victims(among files: [SweptFile], sizeLimit: Int, now: Date) -> [SweepVictim] {
    // Without a limit of its own a Nuke cache still has the library's.
    let limit = sizeLimit > 0 ? sizeLimit : DataCacheUpkeep.defaultSizeLimit
    let sweep = SizeSweep(sizeLimit: limit, trimRatio: DataCacheUpkeep.trimRatio)
    return sweep.victims(among: files.map(\.entry)).map {
      SweepVictim(file: SweptFile(entry: $0), reason: .size)
    }
  }

  package func stampProblem(in files: FileStore, now: Date) -> String? {
    guard folder.keepsSweepDate else { return nil }
    let last = DataCacheInfo(readingFrom: files).lastSweepDate
    guard last.map({ $0 <= now }) ?? true else { return nil }
    return last == nil ? "there is no date of the last sweep" : "the date of the last sweep is past"
  }

  /// The latest date of a last sweep holds: no cache among them is due before it.
  package func stamp(joining caches: [FileStore]) -> FolderStamp? {
    guard folder.keepsSweepDate else { return nil }
    let dates = caches.compactMap { DataCacheInfo(readingFrom: $0).lastSweepDate }
    return dates.max().map { Self.stamp(DataCacheInfo(lastSweepDate: $0)) }
  }

  private static func stamp(_ info: DataCacheInfo) -> FolderStamp {
    FolderStamp(name: DataCacheInfo.fileName, bytes: info.encoded)
  }
}
