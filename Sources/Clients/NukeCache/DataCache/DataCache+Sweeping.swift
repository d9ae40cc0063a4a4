import Dispatch
import FileStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

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

  /// Automatic sweeps do not keep a cache alive that nobody uses any more.
  func scheduleSweep(after delay: TimeInterval) {
    queue.asyncAfter(deadline: .now() + delay) { [weak self] in
      guard let self else { return }
      sweepIfDue(now: Date())
      if upkeep.sweepsPeriodically { scheduleSweep(after: sweepInterval) }
    }
  }

  /// Only on the queue. A last sweep in the future counts as recent, as in Nuke.
  func sweepIfDue(now: Date) {
    dispatchPrecondition(condition: .onQueue(queue))
    // Writing the date would bring back a folder that somebody removed.
    guard isSweepEnabled, store.folderExists else { return }
    guard upkeep.keepsSweepDate else { return performSweep() }
    if let last = DataCacheInfo(readingFrom: store).lastSweepDate,
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
      let sweep = SizeSweep(sizeLimit: sizeLimit, trimRatio: DataCacheUpkeep.trimRatio)
      for victim in sweep.victims(among: try store.entries()) {
        attempt { () throws(FileStoreError) in try store.remove(victim.name) }
      }
    }
  }
}
