import ClientKit
import FileStore
import Foundation
import KingfisherCache
import Text

/// Kingfisher's folder: names are digests, perhaps with an extension, and the modification date is the expiry
/// (`DiskStorage`, 5.0.0 and later).
extension KingfisherClient {
  package var folder: FolderRules {
    FolderRules(
      sweepsAtLimit: true, sweepKeeps: 0.5, expiry: defaultExpiry,
      eviction: .creationDate, readsProlong: true, sweepsSubfolders: true)
  }

  package func isName(_ name: String, ofKey key: String?) -> Bool {
    if let key { return isName(name, of: key) }
    guard format.naming.isHashed else { return !name.hasPrefix(".") }
    return name.prefix { $0 != "." }
      .isHexadecimal(length: format.version >= KingfisherVersion(8, 0, 0) ? 64 : 32)
  }

  /// Extensions are the app's choice, which only its job knows.
  private func isName(_ name: String, of key: String) -> Bool {
    let plain = KingfisherKeyFormat(version: format.version)
    // The key itself is the name where names are not hashed.
    let stems = [try? plain.fileNames(forComputedKey: key).first, key]
    return stems.contains { stem in stem.map { name == $0 || name.hasPrefix($0 + ".") } ?? false }
  }

  /// Entries that were right already get the expiry that this run would give them, so that a nightly run keeps a cache
  /// alive without making anything again. The access date stands for the last use: the most urgent entries are used last,
  /// so that a sweep takes them last.
  package func dates(of entry: FinishedEntry, rank: Int, at date: RunDate) -> FileDates? {
    let start = date.start.timeIntervalSince1970.rounded(.down)
    return entry.expiry.map {
      FileDates(
        access: Date(timeIntervalSince1970: start - Double(rank)), modification: $0.date(from: date.start))
    }
  }

  /// What has expired, and then, where the content reaches the limit, what was used the longest ago, down to half of it
  /// (`DiskStorage`, 5.0.0 to 8.11.0).
  package func victims(among files: [SweptFile], sizeLimit: Int, now: Date) -> [SweepVictim] {
    func isExpired(_ file: SweptFile) -> Bool { !file.isFolder && file.entry.modificationDate <= now }
    let oldest = files.filter { !isExpired($0) }.oldest(
      { ($0.lastUse, $0.path, $0.contentSize) }, where: { sizeLimit > 0 && $0 >= sizeLimit },
      until: { $0 <= sizeLimit / 2 })
    return files.filter(isExpired).map { ($0, .expired) } + oldest.map { ($0, .size) }
  }
}
