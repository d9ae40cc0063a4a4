import Dispatch
import FileStore
import Foundation

extension DataCache {
  /// Bytes on disk above which a sweep removes files; 150 MiB by default.
  public var sizeLimit: Int {
    get { settings.withLock { $0.sizeLimit } }
    set { settings.withLock { $0.sizeLimit = newValue } }
  }

  /// Seconds that lie between two automatic sweeps at least; 1800 by the rules of Nuke 13.
  public var sweepInterval: TimeInterval {
    get { settings.withLock { $0.sweepInterval } }
    set { settings.withLock { $0.sweepInterval = newValue } }
  }

  /// Whether the cache sweeps of its own accord; ``sweep()`` works in any case.
  public var isSweepEnabled: Bool {
    get { settings.withLock { $0.isSweepEnabled } }
    set { settings.withLock { $0.isSweepEnabled = newValue } }
  }

  /// If the folder takes more than ``sizeLimit`` on disk, removes what was read the longest ago until it
  /// takes at most 70 % of that. Everything in the folder that is not hidden takes part, files and folders
  /// of others too. The date of the last automatic sweep stays as it is.
  public func sweep() {
    queue.sync { performSweep() }
  }

  /// Automatic sweeps do not keep a cache alive that is no longer used.
  func scheduleSweep(after delay: TimeInterval) {
    queue.asyncAfter(deadline: .now() + delay) { [weak self] in
      guard let self else { return }
      sweepIfDue(now: Date())
      if version.sweepsPeriodically { scheduleSweep(after: sweepInterval) }
    }
  }

  /// Only on the queue. A last sweep in the future counts as recent, as in Nuke.
  func sweepIfDue(now: Date) {
    dispatchPrecondition(condition: .onQueue(queue))
    // Writing the date would bring back a folder that was removed.
    guard isSweepEnabled, store.folderExists else { return }
    guard version.keepsSweepDate else { return performSweep() }
    if let last = (try? DataCacheInfo(readingFrom: store))?.lastSweepDate,
      now.timeIntervalSince(last) < sweepInterval
    {
      return
    }
    performSweep()
    // If this fails the next start sweeps again, which removes nothing more.
    attempt { () throws(FileStoreError) in try DataCacheInfo(lastSweepDate: now).write(to: store) }
  }

  private func performSweep() {
    attempt { () throws(FileStoreError) in
      for victim in Self.victims(among: try store.entries(), sizeLimit: sizeLimit) {
        attempt { () throws(FileStoreError) in try store.remove(victim.name) }
      }
    }
  }

  /// Size on disk above which a sweep removes anything: 150 MiB.
  package static let defaultSizeLimit = 157_286_400
  /// The part of the size limit that a sweep leaves.
  package static let trimRatio = 0.7

  /// What a sweep removes: those read the longest ago.
  package static func victims(among entries: [FileEntry], sizeLimit: Int) -> [FileEntry] {
    let rest = Int(Double(sizeLimit) * trimRatio)
    return entries.oldest(
      { ($0.accessDate, $0.name, $0.allocatedSize) }, where: { $0 > sizeLimit }, until: { $0 <= rest })
  }
}

/// How `DataCache` looks after its folder, which differs from version to version: Nuke's source at the tags
/// named.
extension NukeVersion {
  /// A read sets the access date to now; before, only the file system's own rules counted.
  var updatesAccessDateOnRead: Bool { self >= NukeVersion(12, 9, 0) }
  /// Seconds from the start to the first automatic sweep.
  var firstSweepDelay: TimeInterval { sweepsPeriodically ? 10 : 5 }
  /// Sweeps go on, an interval apart, for as long as the cache lives (up to 12.1.3).
  var sweepsPeriodically: Bool { self < NukeVersion(12, 1, 4) }
  /// Seconds that lie between two automatic sweeps at least.
  var sweepInterval: TimeInterval { sweepsPeriodically ? 30 : self < NukeVersion(13, 0, 0) ? 3600 : 1800 }
  /// The date of the last sweep is kept in the folder. 12.1.4 kept it in the user's defaults, which does not travel with
  /// a folder.
  package var keepsSweepDate: Bool { self >= NukeVersion(12, 1, 5) }
}

/// The hidden file in which Nuke 12.1.5 and later remembers its last automatic sweep.
///
/// Without it the first launch sweeps a folder after five seconds.
package struct DataCacheInfo: Codable, Hashable, Sendable {
  package static let fileName = ".data-cache-info"

  /// Written as seconds since 2001-01-01 UTC, a JSON number.
  package var lastSweepDate: Date?

  package init(lastSweepDate: Date? = nil) {
    self.lastSweepDate = lastSweepDate
  }

  /// What the folder says. As in Nuke a missing file and one that makes no sense both mean "never swept".
  package init(readingFrom store: FileStore) throws(FileStoreError) {
    let data = try store.read(Self.fileName)
    self = data.flatMap { try? JSONDecoder().decode(Self.self, from: $0) } ?? DataCacheInfo()
  }

  package func write(to store: FileStore) throws(FileStoreError) {
    try store.write(encoded, as: Self.fileName)
  }

  /// The file's bytes.
  package var encoded: Data {
    // Only a date that is not a number cannot be encoded, and it is not a date.
    (try? JSONEncoder().encode(self)) ?? Data("{}".utf8)
  }
}
