import FileStore
import Foundation

/// How a client looks after its cache folder: what its size limit counts and when its entries die.
package struct FolderRules: Sendable, Hashable {
  /// Which date says what a sweep for size removes first: the oldest goes.
  package enum Eviction: String, Sendable, Hashable {
    case accessDate
    case creationDate
  }

  /// Bytes that the client lets its cache take where the app says nothing; 0 for no limit.
  package var defaultSizeLimit: Int
  /// A size limit counts blocks of the device, not bytes of content.
  package var countsBlocks: Bool
  /// A cache of exactly the limit is swept already.
  package var sweepsAtLimit: Bool
  /// The part of the size limit that a sweep leaves.
  package var sweepKeeps: Double
  /// When an entry expires whose job line does not say it; nil where the client's entries do not expire. The moment is
  /// the file's modification date.
  package var expiry: EntryExpiry?
  package var eviction: Eviction
  /// A read gives an entry its whole period again.
  package var readsProlong: Bool
  /// A sweep goes through folders below the cache folder, too.
  package var sweepsSubfolders: Bool

  package init(
    defaultSizeLimit: Int = 0, countsBlocks: Bool = false, sweepsAtLimit: Bool = false,
    sweepKeeps: Double = 1, expiry: EntryExpiry? = nil, eviction: Eviction = .accessDate,
    readsProlong: Bool = false, sweepsSubfolders: Bool = false
  ) {
    self.defaultSizeLimit = defaultSizeLimit
    self.countsBlocks = countsBlocks
    self.sweepsAtLimit = sweepsAtLimit
    self.sweepKeeps = sweepKeeps
    self.expiry = expiry
    self.eviction = eviction
    self.readsProlong = readsProlong
    self.sweepsSubfolders = sweepsSubfolders
  }

  /// A fresh cache may travel for weeks before its first launch, so dates that protect it lie ahead.
  package static let grace: TimeInterval = 30 * 86_400

  /// When an entry expires by its modification date; nil where the client's entries do not.
  package func expiry(modified: Date) -> Date? { expiry == nil ? nil : modified }

  /// When a request's entries expire; nil where the client's entries do not.
  package func expiry(_ options: RequestOptions) -> EntryExpiry? {
    expiry.map { options.expiry ?? $0 }
  }

  /// What the limit counts of a file.
  package func size(_ file: SweptFile) -> Int {
    countsBlocks ? file.entry.allocatedSize : file.contentSize
  }

  /// Whether the app's own sweep removes entries of a cache of this size.
  package func isBeyond(_ limit: Int, bytes: Int) -> Bool {
    limit > 0 && (sweepsAtLimit ? bytes >= limit : bytes > limit)
  }

  /// All that the client's own sweep would see.
  package func sweptFiles(in files: FileStore) throws(FileStoreError) -> [SweptFile] {
    let found = sweepsSubfolders ? try files.tree() : try files.entries().map { (store: files, entry: $0) }
    return found.map { store, entry in
      let folder = Substring(store.path.utf8.dropFirst(files.path.utf8.count + 1))
      return SweptFile(
        folder: folder.isEmpty ? "" : "\(folder)/", entry: entry,
        isFolder: sweepsSubfolders && entry.isFolder, lastUse: lastUse(entry, in: store))
    }
  }

  /// A date of creation cannot be set on Linux. There the access date stands in as soon as the client's cache library has
  /// written it, always as a whole second.
  private func lastUse(_ entry: FileEntry, in files: FileStore) -> Date {
    guard eviction == .creationDate else { return .distantPast }
    let seconds = entry.accessDate.timeIntervalSince1970
    if seconds == seconds.rounded() { return entry.accessDate }
    return files.birthDate(of: entry.name) ?? .distantPast
  }
}

/// An entry that a run is responsible for, once all files are in place.
package struct FinishedEntry: Sendable, Hashable {
  package var file: String
  package var content: EntryContent
  package var expiry: EntryExpiry?

  package init(file: String, content: EntryContent, expiry: EntryExpiry?) {
    self.file = file
    self.content = content
    self.expiry = expiry
  }
}

/// Something in a client's folder that a sweep may remove: a file, a link, a folder.
package struct SweptFile: Hashable, Sendable {
  /// Relative to the cache folder, with a slash at its end; empty for what lies in the folder itself.
  package var folder: String
  package var entry: FileEntry
  package var isFolder: Bool
  /// What the client takes for the last use.
  package var lastUse: Date

  package init(
    folder: String = "", entry: FileEntry, isFolder: Bool = false, lastUse: Date = .distantPast
  ) {
    self.folder = folder
    self.entry = entry
    self.isFolder = isFolder
    self.lastUse = lastUse
  }

  package var path: String { folder + entry.name }
  /// A folder counts, but has no size.
  package var contentSize: Int { isFolder ? 0 : entry.size }
}

/// Something that the client's own sweep would remove, and why.
package typealias SweepVictim = (file: SweptFile, reason: SweepReason)

package enum SweepReason: String, Hashable, Sendable {
  case expired, size
}
