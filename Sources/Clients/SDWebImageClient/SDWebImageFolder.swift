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
    FolderRules(counting: .allocatedBytes, sweepKeeps: 0.5, sweepsSubfolders: true)
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
}
