import FileStore
import Foundation

/// How a client looks after its cache folder.
package protocol FolderClient: NamedClient {
  /// Sizes, expiry and sweep of this release's folder.
  var folder: FolderRules { get }

  /// The client's note of its last sweep; nil for a release that keeps none.
  var sweepStamp: SweepStamp? { get }

  /// Whether the client gives the entry of a key this name; without a key, whether the name has the form of the
  /// client's names.
  func isName(_ name: String, ofKey key: String?) -> Bool

  /// The dates that an entry gets when its cache is finished, so that the app's first launch does it no harm; nil for
  /// those that it has.
  ///
  /// - Parameter rank: how many entries are more urgent.
  func dates(of entry: FinishedEntry, rank: Int, at date: RunDate) -> FileDates?

  /// What the client's own sweep would remove, in the order of removal.
  ///
  /// - Parameter sizeLimit: bytes; 0 for no limit of the app's own.
  func victims(among files: [SweptFile], sizeLimit: Int, now: Date) -> [SweepVictim]
}

extension FolderClient {
  package var sweepStamp: SweepStamp? { nil }

  package func dates(of entry: FinishedEntry, rank: Int, at date: RunDate) -> FileDates? { nil }

  /// What has to be done when a cache is finished.
  ///
  /// - Parameters:
  ///   - found: what is in the folder.
  ///   - forEach: calls its argument for each entry that the run is responsible for.
  package func upkeep(
    found listing: FolderListing, at date: RunDate, of forEach: ((FinishedEntry) -> Void) -> Void
  ) -> FolderUpkeep {
    let found = listing.entries
    var present = [FinishedEntry?](repeating: nil, count: found.count)
    forEach { entry in
      // Several renditions share an original; the most urgent of them decides.
      guard let place = listing.place(of: entry.file), entry.priority > present[place]?.priority ?? .min
      else {
        return
      }
      present[place] = entry
      present[place]?.file = found[place].name
    }
    var upkeep = FolderUpkeep()
    var rank = 0
    // The names decide among equals, as in a bundle, which knows no more of an entry.
    for priority in Set(present.lazy.compactMap { $0?.priority }).sorted(by: >) {
      for place in present.indices {
        guard let entry = present[place], entry.priority == priority,
          var dates = dates(of: entry, rank: rank, at: date)
        else { continue }
        rank += 1
        if dates.modification == found[place].modificationDate { dates.modification = nil }
        let accessDate = found[place].accessDate
        guard dates.modification != nil || (dates.access ?? accessDate) != accessDate else { continue }
        upkeep.dates.append((entry.file, dates))
      }
    }
    // An empty folder needs no protection.
    if let sweepStamp, !found.isEmpty {
      upkeep.stamp = sweepStamp.stamp(date.day.addingTimeInterval(FolderRules.grace))
    }
    return upkeep
  }

  /// Why the app's first launch may sweep the folder although it is fresh; nil where nothing is known against it.
  package func stampProblem(in files: FileStore, now: Date) throws(FileStoreError) -> String? {
    guard let sweepStamp else { return nil }
    guard let last = try sweepStamp.date(files) else { return "there is no date of the last sweep" }
    return last <= now ? "the date of the last sweep is past" : nil
  }

  /// The hidden file that joined caches need: the latest date holds, since no cache among them is due before it.
  package func stamp(joining caches: [FileStore]) throws(FileStoreError) -> FolderStamp? {
    guard let sweepStamp else { return nil }
    var last: Date?
    for cache in caches {
      if let date = try sweepStamp.date(cache) { last = last.map { max($0, date) } ?? date }
    }
    return last.map(sweepStamp.stamp)
  }
}

/// A client's note of its last sweep in its folder; without one it sweeps at its first launch.
/// The date is what a folder's note says, nil for none; the stamp is the note of a date.
package typealias SweepStamp = (
  date: @Sendable (FileStore) throws(FileStoreError) -> Date?, stamp: @Sendable (Date) -> FolderStamp
)

/// What has to be changed in a folder when its cache is finished.
package struct FolderUpkeep: Sendable {
  /// Files whose dates are not yet what the client wants.
  package var dates: [(file: String, dates: FileDates)] = []
  package var stamp: FolderStamp?
}

/// A hidden file of the client's own in its folder.
package typealias FolderStamp = (name: String, bytes: Data)

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

  /// All that the client's own sweep would see: what is visible in the folder, and perhaps below it.
  package func sweptFiles(
    in files: FileStore, _ entries: [FileEntry]
  ) throws(FileStoreError) -> [SweptFile] {
    guard sweepsSubfolders else { return entries.map { SweptFile(entry: $0) } }
    return try files.tree().map { store, entry in
      let folder = Substring(store.path.utf8.dropFirst(files.path.utf8.count + 1))
      return SweptFile(folder: folder.isEmpty ? "" : "\(folder)/", entry: entry, isFolder: entry.isFolder)
    }
  }
}

/// An entry that a run is responsible for, once all files are in place. The priority is ``RequestPriority/rank``.
package typealias FinishedEntry = (file: String, content: EntryContent, expiry: EntryExpiry?, priority: Int)

/// Something in a client's folder that a sweep may remove: a file, a link, a folder.
package struct SweptFile: Hashable, Sendable {
  /// Relative to the cache folder, with a slash at its end; empty for what lies in the folder itself.
  package var folder: String
  package var entry: FileEntry
  package var isFolder: Bool

  package init(folder: String = "", entry: FileEntry, isFolder: Bool = false) {
    self.folder = folder
    self.entry = entry
    self.isFolder = isFolder
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
