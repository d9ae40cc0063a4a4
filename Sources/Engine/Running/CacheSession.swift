import CacheStore
import ClientKit
import ContentDigests
import Fetching
import FileStore
import Foundation
import Planning
import Signposts

/// A cache folder while a run works on it: locked, its ledger open.
package final class CacheSession: Sendable {
  package let state: StateFolder
  package let ledger: LedgerWriter
  package let writer: CacheWriter<RenditionOutcome>
  private let files: FileStore
  private let lock: RunLock

  /// Fails before anything is fetched where the cache cannot be written or is in use.
  ///
  /// - Parameter settle: Gets outcomes as soon as their files are in place.
  package init(
    cache: String, waitsForLock: Bool, publishingDelay: Duration = .seconds(1),
    signposts: Signposter = .disabled, settle: @escaping @Sendable ([RenditionOutcome]) -> Void
  ) throws(StoreFailure) {
    state = StateFolder(cache: cache)
    files = try state.prepare()
    lock = try RunLock(state, waits: waitsForLock)
    try state.removeLeftovers(of: files)
    ledger = try LedgerWriter(path: state.ledger, cache: state.cache)
    try CachePruner(state, files: files, ledger: ledger).complete()
    writer = CacheWriter(
      files: files, ledger: ledger, maxAge: publishingDelay, signposts: signposts, settle: settle)
  }

  /// The last step of a run: dates, the sweep's stamp, the size on a device.
  package func finish(_ plans: [Plan], date: RunDate) throws(StoreFailure) -> CacheSize? {
    let found = try CacheUpkeep(files: files, ledger: ledger).finish(plans, date: date)
    try ShardRecord.write(plans, date: date, to: state)
    return plans.first?.size(of: found.map(\.size))
  }

  /// The same after a stream of sources with the settings of a plan.
  package func finishStream(_ plan: Plan, date: RunDate) throws(StoreFailure) {
    try CacheUpkeep(files: files, ledger: ledger).finishStream(plan, date: date)
    ShardRecord.remove(from: state)
  }

  /// Removes what earlier runs made and these plans, which are all of this cache, do not name; nil where they do not
  /// ask for it.
  package func prune(_ plans: [Plan]) throws(StoreFailure) -> CachePruner.Result? {
    guard let names = Plan.prunedTo(plans) else { return nil }
    return try CachePruner(state, files: files, ledger: ledger).prune(keeping: names)
  }

  /// The ledger's row of a file that an earlier run made from the same source in the same way, untouched since.
  ///
  /// - Parameter origin: what the job says of it now; the ledger is kept in step.
  func intactEntry(
    file: String, sourceID: String, identity: String, origin: EntryOrigin
  ) throws(StoreFailure) -> LedgerEntry? {
    guard var entry = try ledger.entry(file: file), entry.sourceID == sourceID, entry.identity == identity,
      entry.isOfThisDrawing, isUntouched(entry)
    else { return nil }
    if entry.origin != origin {
      entry.origin = origin
      try ledger.record([entry])
    }
    return entry
  }

  private func isUntouched(_ entry: LedgerEntry) -> Bool {
    CacheFileStatus(folder: state.cache, name: entry.file) == entry.status
  }

  /// A source's own bytes, if the file holds them whole.
  package func original(file: String, sourceID: String) -> SourceBody? {
    guard let entry = try? ledger.entry(file: file), entry.sourceID == sourceID,
      entry.digest == entry.sourceDigest, isUntouched(entry), let data = try? files.read(file),
      ContentDigest.sha256(data) == entry.digest
    else { return nil }
    return SourceBody(
      bytes: [UInt8](data), digest: entry.digest, etag: entry.etag, lastModified: entry.lastModified)
  }

  /// Notes what a source can be asked with from now on, for files that were right all the same.
  func renew(files names: [String], etag: String?, lastModified: String?) throws(StoreFailure) {
    var entries: [LedgerEntry] = []
    for name in names {
      guard var entry = try ledger.entry(file: name) else { continue }
      guard entry.etag != etag || entry.lastModified != lastModified else { continue }
      entry.etag = etag
      entry.lastModified = lastModified
      entries.append(entry)
    }
    if !entries.isEmpty { try ledger.record(entries) }
  }
}
