import Concurrency
import FileStore
import Foundation
import Planning
import Text

/// Removes entries that the jobs of a run made and no longer name. What another job or another client made is never
/// touched: it is not for these jobs to say whether it is needed.
///
/// Rows go after their files, so that the next prune completes one that was killed half-way: by then a file may be
/// named again, and no run but a pruning one may remove anything.
package enum CachePruner {
  /// The files that were removed, or would be.
  package struct Result: Hashable, Sendable {
    package var files = 0
    package var bytes: Int64 = 0
    /// Why nothing is removed although there is something to remove.
    package var refusal: String?
    /// Files of other jobs and clients, which stay.
    package var others = 0
  }

  /// What ``prune(_:_:to:)`` would do. It changes nothing and needs no lock.
  package static func preview(of cache: String, to jobs: Pruning) throws(StoreFailure) -> Result {
    try StoreFailure.storing {
      let rows = try LedgerReader(path: StateFolder(cache: cache).ledger).rows() ?? LedgerRows()
      let own = rows.entries.filter { jobs.made($0.origin.job, client: $0.origin.client) }
      let victims = own.filter { !jobs.names.contains(ByteText($0.file)) }
      var result = result(try ours(victims, in: FileStore(existing: URL(fileURLWithPath: cache))))
      result.refusal = jobs.refusal(removing: victims.count, of: own.count, in: cache)
      result.others = rows.names.count { !jobs.names.contains(ByteText($0)) } - victims.count
      return result
    }
  }

  private static func result(_ victims: [LedgerEntry]) -> Result {
    Result(files: victims.count, bytes: victims.reduce(0) { $0 &+ $1.status.size })
  }

  /// The cache's lock has to be held.
  ///
  /// - Throws: also where more would go than `prune-most` allows, since the jobs are likely to be broken; nothing is
  ///   removed then.
  package static func prune(_ files: FileStore, _ ledger: LedgerWriter, to jobs: Pruning) throws -> Result {
    let own = Locked(0)
    let victims = try ledger.entries {
      guard jobs.made($0.origin.job, client: $0.origin.client) else { return false }
      own.withLock { $0 += 1 }
      return !jobs.names.contains(ByteText($0.file))
    }
    if let refusal = jobs.refusal(removing: victims.count, of: own.withLock { $0 }, in: files.path) {
      throw StoreFailure(.pruning, refusal)
    }
    guard !victims.isEmpty else { return Result() }
    let removed = try ours(victims, in: files)
    for victim in removed { try files.remove(victim.file) }
    try files.synchronize()
    try ledger.remove(files: victims.map(\.file))
    return result(removed)
  }

  /// Those whose files are still the ones that a run made, and were not replaced.
  private static func ours(_ victims: [LedgerEntry], in files: FileStore) throws -> [LedgerEntry] {
    try victims.filter {
      try CacheFileStatus(folder: files.path, name: $0.file, calls: files.calls) == $0.status
    }
  }
}
