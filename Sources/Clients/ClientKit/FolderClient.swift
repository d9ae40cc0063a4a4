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
  ///   - entries: what the run is responsible for, the most urgent first.
  ///   - found: what is in the folder.
  package func upkeep(
    of entries: any Sequence<FinishedEntry>, found: [FileEntry], at date: RunDate
  ) -> FolderUpkeep {
    var present = Dictionary(
      found.lazy.filter(\.isRegularFile).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var upkeep = FolderUpkeep()
    var rank = 0
    for entry in entries {
      // Several renditions share an original; the most urgent of them decides.
      guard let known = present.removeValue(forKey: entry.file),
        var dates = dates(of: entry, rank: rank, at: date)
      else { continue }
      rank += 1
      if dates.modification == known.modificationDate { dates.modification = nil }
      guard dates.modification != nil || (dates.access ?? known.accessDate) != known.accessDate else {
        continue
      }
      upkeep.dates.append((entry.file, dates))
    }
    // An empty folder needs no protection.
    if let sweepStamp, !found.isEmpty {
      upkeep.stamp = sweepStamp.stamp(date.day.addingTimeInterval(FolderRules.grace))
    }
    return upkeep
  }

  /// Why the app's first launch may sweep the folder although it is fresh; nil where nothing is known against it.
  package func stampProblem(in files: FileStore, now: Date) -> String? {
    guard let sweepStamp else { return nil }
    guard let last = sweepStamp.date(files) else { return "there is no date of the last sweep" }
    return last <= now ? "the date of the last sweep is past" : nil
  }

  /// The hidden file that joined caches need: the latest date holds, since no cache among them is due before it.
  package func stamp(joining caches: [FileStore]) -> FolderStamp? {
    sweepStamp.flatMap { stamp in caches.compactMap(stamp.date).max().map(stamp.stamp) }
  }
}

/// A client's note of its last sweep in its folder; without one it sweeps at its first launch.
/// The date is what a folder's note says, nil for none; the stamp is the note of a date.
package typealias SweepStamp = (
  date: @Sendable (FileStore) -> Date?, stamp: @Sendable (Date) -> FolderStamp
)

/// What has to be changed in a folder when its cache is finished.
package struct FolderUpkeep: Sendable {
  /// Files whose dates are not yet what the client wants.
  package var dates: [(file: String, dates: FileDates)] = []
  package var stamp: FolderStamp?
}

/// A hidden file of the client's own in its folder.
package typealias FolderStamp = (name: String, bytes: Data)
