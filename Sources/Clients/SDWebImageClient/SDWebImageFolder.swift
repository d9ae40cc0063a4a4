import ClientKit
import FileStore
import Foundation
import SDWebImageCache
import Text

/// SDWebImage's folder: names are MD5 digests with the key's extension. A date is an entry's age, not its expiry: the
/// access date since 5.20.0, before it the modification date (`SDDiskCache`, 5.0.0 and later).
extension SDWebImageClient {
  package var folder: FolderRules {
    FolderRules(countsBlocks: true, sweepKeeps: 0.5, sweepsSubfolders: true)
  }

  package func isName(_ name: String, ofKey key: String?) -> Bool {
    if let names = key.map(names(ofKey:)) {
      return (names.files + names.fallbacks).contains { $0.utf8.elementsEqual(name.utf8) }
    }
    let digest = name.prefix { $0 != "." }
    guard digest.isHexadecimal(length: 32) else { return false }
    let rest = name.dropFirst(digest.count)
    return rest.isEmpty || rest.utf8.count > 1
  }

  /// The date that is an entry's age: the most urgent entries are the youngest, so that a clean-up takes them last. It
  /// lies ahead, since a read asks for none.
  package func dates(of entry: FinishedEntry, rank: Int, at date: RunDate) -> FileDates? {
    let age = date.day.addingTimeInterval(FolderRules.grace - Double(rank))
    return version.agesByAccess ? FileDates(access: age) : FileDates(modification: age)
  }

  /// What an app's clean-up at its defaults removes: what is older than a week, and then beyond the limit the oldest.
  package func victims(among files: [SweptFile], sizeLimit: Int, now: Date) -> [SweepVictim] {
    var config = SDImageCacheConfig(version: version)
    config.maxDiskSize = sizeLimit
    let victims = config.victims(among: files.filter { !$0.isFolder }, now: now) { file in
      let date = version.agesByAccess ? file.entry.accessDate : file.entry.modificationDate
      return (date, file.path, file.entry.allocatedSize)
    }
    return victims.expired.map { ($0, .expired) } + victims.exceeding.map { ($0, .size) }
  }
}
