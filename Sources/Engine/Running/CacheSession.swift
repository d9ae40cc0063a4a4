import CacheStore
import ClientKit
import ContentDigests
import Fetching
import FileStore
import Foundation
import JobFile
import Pictures
import Planning

/// A cache folder while a run works on it: locked, its ledger open.
final class CacheSession: Sendable {
  let plans: [Plan]
  let state: StateFolder
  let ledger: LedgerWriter
  let writer: CacheWriter<RenditionOutcome>
  /// Nil where no job of the folder wants one.
  let httpCache: HTTPCache?
  let partials: PartialDownloads?
  private let files: FileStore
  private let lock: RunLock

  /// Fails before anything is fetched where the cache cannot be written or is in use.
  ///
  /// - Parameters:
  ///   - isStream: the sources are not known yet.
  ///   - settle: Gets outcomes as soon as their files are in place.
  init(
    cache: String, plans: [Plan], isStream: Bool = false, options: RunOptions,
    settle: @escaping @Sendable ([RenditionOutcome]) -> Void
  ) throws(StoreFailure) {
    self.plans = plans
    state = StateFolder(cache: cache)
    files = try state.prepare()
    lock = try RunLock(state, waits: options.waitsForLock)
    try state.removeLeftovers(of: files)
    ledger = try LedgerWriter(path: state.ledger, cache: state.cache)
    try CachePruner(state, files: files, ledger: ledger).complete()
    writer = CacheWriter(
      files: files, ledger: ledger, maxAge: options.publishingDelay, signposts: options.signposts,
      settle: settle)
    (httpCache, partials) = try Self.openWeb(state, plans, isStream: isStream)
  }

  /// The HTTP cache and the unfinished downloads: folders are made only for plans that reach for the web.
  private static func openWeb(
    _ state: StateFolder, _ plans: [Plan], isStream: Bool
  ) throws(StoreFailure) -> (HTTPCache?, PartialDownloads?) {
    guard isStream || plans.contains(where: { $0.sources.contains(where: \.scheme.isWeb) }) else {
      return (nil, nil)
    }
    let settings = plans.map(\.settings.values)
    return try StoreFailure.storing { () throws(FileStoreError) in
      // Pages of HTML and the like are never drawn, and may repeat what a request brought.
      let partials = try PartialDownloads(folder: URL(fileURLWithPath: state.partial)) {
        ImageFormat.sniff($0) != nil
      }
      guard let capacity = settings.compactMap({ $0[JobKey.httpCache] }).max() else { return (nil, partials) }
      let cache = try HTTPCache(
        folder: URL(fileURLWithPath: state.http), diskCapacity: capacity,
        staleIfError: Int64(settings.map { $0[JobKey.staleIfError] }.max() ?? 0)
      ) { ImageFormat.sniff($0.body) != nil }
      return (cache, partials)
    }
  }

  /// The last step of a run: dates, the sweep's stamp, the size on a device.
  func finish(date: RunDate) throws(StoreFailure) -> CacheSize? {
    let found = try ledger.finish(plans, in: files, date: date)
    try ShardRecord.write(plans, date: date, to: state)
    return plans.first?.size(of: found.map(\.size))
  }

  /// The same after a stream of sources with the settings of the one plan.
  func finishStream(date: RunDate) throws(StoreFailure) {
    if let plan = plans.first { try ledger.finishStream(plan, in: files, date: date) }
    ShardRecord.remove(from: state)
  }

  /// Removes what earlier runs made and the plans do not name; nil where they do not ask for it.
  func prune() throws(StoreFailure) -> CachePruner.Result? {
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
    var origin = origin
    // Of an animated source it may be other than was planned.
    origin.content = entry.origin.content
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
  func original(file: String, sourceID: String) -> SourceBody? {
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
