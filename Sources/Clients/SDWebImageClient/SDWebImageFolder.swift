import ClientKit
import FileStore
import Foundation
import SDWebImageCache
import Text

/// SDWebImage's folder: names are MD5 digests with the key's extension. A date is an entry's age, not its expiry: the
/// access date since 5.20.0, before it the modification date (`SDDiskCache`, 5.0.0 and later).
extension SDWebImageClient {
  private var config: SDImageCacheConfig { SDImageCacheConfig(version: version) }

  package var folder: FolderRules {
    FolderRules(counting: .allocatedBytes, sweepKeeps: 0.5, eviction: .accessDate)
  }

  package func isEntryName(_ name: String) -> Bool {
    let digest = name.prefix { $0 != "." }
    guard digest.isHexadecimal(length: 32) else { return false }
    let rest = name.dropFirst(digest.count)
    return rest.isEmpty || rest.utf8.count > 1
  }

  package func isName(_ name: String, ofKey key: String) -> Bool {
    (fileNames(forKey: key) + fallbackNames(forKey: key)).contains { $0.utf8.elementsEqual(name.utf8) }
  }

  /// A fresh cache may travel for weeks before an app's first clean-up, so its dates lie ahead: a read asks for none.
  static let grace: TimeInterval = 30 * 86_400

  /// The date that is an entry's age: the most urgent entries are the youngest, so that a clean-up takes them last.
  package func upkeep(
    of entries: any Sequence<FinishedEntry>, found: [FileEntry], at date: RunDate
  ) -> FolderUpkeep {
    var present = Dictionary(
      found.lazy.filter(\.isRegularFile).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var upkeep = FolderUpkeep()
    var rank = 0.0
    for entry in entries {
      // Several renditions share an original; the most urgent of them decides.
      guard let known = present.removeValue(forKey: entry.file) else { continue }
      let age = date.day.addingTimeInterval(Self.grace - rank)
      rank += 1
      if version.agesByAccess {
        if known.accessDate != age { upkeep.dates.append((entry.file, FileDates(access: age))) }
      } else if known.modificationDate != age {
        upkeep.dates.append((entry.file, FileDates(modification: age)))
      }
    }
    return upkeep
  }

  /// What an app's clean-up at its defaults removes: what is older than a week, and then beyond the limit the oldest.
  package func victims(among files: [SweptFile], sizeLimit: Int, now: Date) -> [SweepVictim] {
    var config = config
    config.maxDiskSize = sizeLimit
    let files = files.filter { !$0.isFolder }
    let victims = DiskCleaning(config).victims(
      among: files.map {
        DiskCleaning.Candidate(
          path: $0.path, date: version.agesByAccess ? $0.entry.accessDate : $0.entry.modificationDate,
          allocatedSize: $0.entry.allocatedSize)
      }, now: now)
    return victims.expired.map { SweepVictim(file: files[$0], reason: .expired) }
      + victims.exceeding.map { SweepVictim(file: files[$0], reason: .size) }
  }

  /// The client looks below the folder, too.
  package func sweptFiles(in files: FileStore) throws(FileStoreError) -> [SweptFile] {
    try SweptFile.tree(in: files)
  }
}
