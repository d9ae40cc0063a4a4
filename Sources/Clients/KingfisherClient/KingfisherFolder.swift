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
      counting: .contentBytes, sweepsAtLimit: true, sweepKeeps: 0.5, expiry: .modificationDate,
      eviction: .creationDate, readsProlong: true)
  }

  package func isEntryName(_ name: String) -> Bool {
    guard format.naming.isHashed else { return !name.hasPrefix(".") }
    return name.prefix { $0 != "." }
      .isHexadecimal(length: format.version >= KingfisherVersion(8, 0, 0) ? 64 : 32)
  }

  /// Extensions are the app's choice, which only its job knows.
  package func isName(_ name: String, ofKey key: String) -> Bool {
    let plain = KingfisherKeyFormat(version: format.version)
    // The key itself is the name where names are not hashed.
    let stems = [try? plain.fileNames(forComputedKey: key).first, key]
    return stems.contains { stem in stem.map { name == $0 || name.hasPrefix($0 + ".") } ?? false }
  }

  /// Entries that were right already get the expiry that this run would give them, so that a nightly run keeps a cache
  /// alive without making anything anew. The access date stands for the last use (``lastUse(of:in:)``): the most urgent
  /// entries are used last, so that a sweep takes them last.
  package func upkeep(
    of entries: any Sequence<FinishedEntry>, found: [FileEntry], at date: RunDate
  ) -> FolderUpkeep {
    var present = Dictionary(
      found.lazy.filter(\.isRegularFile).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let start = date.start.timeIntervalSince1970.rounded(.down)
    var upkeep = FolderUpkeep()
    var rank = 0.0
    for entry in entries {
      // Several renditions share an original; the most urgent of them decides.
      guard let expiry = entry.expiry?.date(from: date.start),
        let known = present.removeValue(forKey: entry.file)
      else { continue }
      let use = Date(timeIntervalSince1970: start - rank)
      rank += 1
      let modification = known.modificationDate == expiry ? nil : expiry
      guard modification != nil || known.accessDate != use else { continue }
      upkeep.dates.append((entry.file, FileDates(access: use, modification: modification)))
    }
    return upkeep
  }

  /// What has expired, and then, where the content reaches the limit, what was used the longest ago, down to half of it
  /// (`DiskStorage`, 5.0.0 to 8.11.0).
  package func victims(among files: [SweptFile], sizeLimit: Int, now: Date) -> [SweepVictim] {
    var victims: [SweepVictim] = []
    var rest: [SweptFile] = []
    for file in files {
      if !file.isFolder, file.entry.modificationDate <= now {
        victims.append(SweepVictim(file: file, reason: .expired))
      } else {
        rest.append(file)
      }
    }
    var size = rest.reduce(0) { $0 + $1.contentSize }
    guard sizeLimit > 0, size >= sizeLimit else { return victims }
    // Equal dates go by path, so that the same folder always loses the same files; the client's order is any.
    for file in rest.sorted(by: { ($0.lastUse, $0.path) < ($1.lastUse, $1.path) }) {
      guard size > sizeLimit / 2 else { break }
      size -= file.contentSize
      victims.append(SweepVictim(file: file, reason: .size))
    }
    return victims
  }

  /// The client looks below the folder, too.
  package func sweptFiles(in files: FileStore) throws(FileStoreError) -> [SweptFile] {
    try SweptFile.tree(in: files, lastUse: Self.lastUse)
  }

  /// Kingfisher keeps it in the date of creation, which nobody can set on Linux. There the access date stands in as
  /// soon as `KingfisherCache` has written it, always as a whole second.
  private static func lastUse(_ entry: FileEntry, in files: FileStore) -> Date {
    let seconds = entry.accessDate.timeIntervalSince1970
    if seconds == seconds.rounded() { return entry.accessDate }
    return files.birthDate(of: entry.name) ?? .distantPast
  }
}
