import Bodies
import CacheStore
import ClientKit
import Concurrency
import Fetching
import FileStore
import Foundation
import JobFile
import Pictures
import Planning
import Synchronization

/// A cache folder while a run works on it: locked, its ledger open.
final class CacheSession: SourceStore {
  let plans: [Plan]
  let state: StateFolder
  let ledger: LedgerWriter
  let writer: CacheWriter<RenditionOutcome>
  /// Nil where no job of the folder wants one.
  let httpCache: HTTPCache?
  let partials: PartialDownloads?
  private let files: FileStore
  private let lock: RunLock
  /// The folder as the run found it, where the run asks for most of its files.
  private let listing: FolderListing?
  private let listed = ContinuousClock.now
  /// Whether the run has changed a file.
  private let isChanged = Locked(false)
  /// Whether the run has taken an entry out of the ledger that its ``LedgerWriter/rows`` still have.
  private let hasForgotten = Atomic(false)

  /// For fewer files a look at each costs less than one at the whole folder.
  private static let manyFiles = 1000

  /// What another line's entry was to serve, and that line has failed.
  private static func withoutAbsentEntries(
    _ outcome: RenditionOutcome, in folder: String, _ plans: [Plan]
  ) -> RenditionOutcome {
    guard case .notStored = outcome.status,
      let client = plans.first(where: { $0.settings.path == outcome.rendition.job })?.client
    else { return outcome }
    var outcome = outcome
    outcome.removeLookups { lookup in
      !client.fileNames(forKey: lookup.key).contains { name in
        // A file that cannot be looked at may be there.
        (try? CacheFileStatus(folder: folder, name: name) != nil) ?? true
      }
    }
    return outcome
  }

  /// False where the file system has no locks.
  var isLocked: Bool { lock.isHeld }

  /// Fails before anything is fetched where the cache cannot be written or is in use.
  ///
  /// - Parameter settle: Gets outcomes as soon as their files are in place.
  init(
    cache: String, plans: [Plan], options: RunOptions,
    settle: @escaping @Sendable ([RenditionOutcome], _ files: Int, _ bytes: Int) -> Void
  ) throws {
    self.plans = plans
    state = StateFolder(cache: cache)
    files = try state.prepare()
    lock = try RunLock(state, waits: options.waitsForLock)
    try state.removeLeftovers(of: files)
    let asked = plans.reduce(0) { $0 + $1.renditionCount }
    ledger = try LedgerWriter(path: state.ledger, keepsRows: asked >= Self.manyFiles)
    listing = try asked >= Self.manyFiles ? files.listing() : nil
    // First of all: a run that is killed must not leave what passes for a whole part.
    try ShardRecord.note(plans, date: options.date, isFinished: false, in: state)
    writer = CacheWriter(
      files: files, ledger: ledger, maxAge: options.publishingDelay,
      signposts: options.signposts
    ) { [folder = state.cache] in settle($0.map { Self.withoutAbsentEntries($0, in: folder, plans) }, $1, $2)
    }
    (httpCache, partials) = try Self.openWeb(state, plans)
  }

  /// The HTTP cache and the unfinished downloads: folders are made only for plans that reach for the web.
  private static func openWeb(
    _ state: StateFolder, _ plans: [Plan]
  ) throws -> (HTTPCache?, PartialDownloads?) {
    guard plans.contains(where: { $0.settings.given.isStream || $0.sources.contains(where: \.scheme.isWeb) })
    else {
      return (nil, nil)
    }
    let settings = plans.map(\.settings.values)
    // Pages of HTML and the like are never drawn, and may repeat what a request brought.
    let partials = try PartialDownloads(folder: URL(fileURLWithPath: state.partial)) {
      ImageFormat.sniff($0) != nil
    }
    guard let capacity = settings.compactMap({ $0[JobKey.httpCache] }).max() else { return (nil, partials) }
    // Catalogues that a stream names are fetched while it runs.
    let isShared = plans.contains(where: \.settings.given.isStream)
    let cache = try HTTPCache(
      folder: URL(fileURLWithPath: state.http), diskCapacity: capacity,
      staleIfError: Int64(settings.map { $0[JobKey.staleIfError] }.max() ?? 0),
      revalidatesAll: settings.contains { $0[JobKey.revalidate] == .always }, isShared: isShared
    ) { ImageFormat.sniff($0.body) != nil }
    return (cache, partials)
  }

  func store(_ files: [FinishedFile], outcomes: [RenditionOutcome]) async throws {
    if !files.isEmpty { isChanged.withLock { $0 = true } }
    try await writer.stage(files, outcomes: outcomes)
  }

  /// Beside the last step: what the run has changed in the ledger goes to the disk.
  func checkpoint() async {
    if isChanged.withLock({ $0 }) { await writer.checkpoint() }
  }

  /// The last step of a run: dates, the sweep's stamp, the size on a device.
  ///
  /// - Parameter isWhole: false where the run was stopped before its end.
  /// - Returns: what is in the folder, and its size on a device; nil after a stream, whose plan knows no entries.
  func finish(date: RunDate, isWhole: Bool) throws -> (found: FolderListing, size: CacheSize)? {
    if let plan = plans.first(where: \.settings.given.isStream) {
      try ledger.finishStream(plan, in: files, date: date)
      return nil
    }
    // For a minute the folder is taken to be unchanged.
    let isFresh = ContinuousClock.now - listed < .seconds(60) && !isChanged.withLock { $0 }
    let found = try ledger.finish(plans, in: files, isFresh ? listing : nil, date: date)
    if isWhole { try ShardRecord.note(plans, date: date, isFinished: true, in: state) }
    guard let found, let size = plans.first?.size(of: found.entries.map(\.size)) else { return nil }
    return (found, size)
  }

  /// Removes what earlier runs of these jobs made and the plans do not name; nil where they do not ask for it.
  func prune() throws -> CachePruner.Result? {
    guard let jobs = Pruning(plans) else { return nil }
    isChanged.withLock { $0 = true }
    return try CachePruner.prune(files, ledger, to: jobs)
  }

  /// The version that an earlier run made a file from, of the same source in the same way; nil where it was changed
  /// since.
  ///
  /// - Parameter expected: what the job says of it now; the ledger is kept in step.
  func intactVersion(of expected: ExpectedEntry) throws -> HTTPKnownVersion? {
    guard var entry = try known(expected.file) else { return nil }
    var expected = expected
    // Of an animated source it may be other than was planned.
    expected.origin.content = entry.origin.content
    let isOrigin = entry.origin == expected.origin
    entry.origin = expected.origin
    guard entry.expected == expected, entry.isOfThisDrawing, try isUntouched(entry) else { return nil }
    if !isOrigin { try ledger.record([entry]) }
    return entry.version
  }

  /// What the ledger says of a file, in a run that asks for most of them as it said when the run began.
  private func known(_ file: String) throws -> LedgerEntry? {
    if let rows = ledger.rows, !hasForgotten.load(ordering: .relaxed), let row = rows[file] { return row }
    return try ledger.entry(file: file)
  }

  /// A file that the listing does not confirm may have come since.
  private func isUntouched(_ entry: LedgerEntry) throws -> Bool {
    if let listing, let place = listing.place(of: entry.file), listing.entries[place].status == entry.status {
      return true
    }
    return try CacheFileStatus(folder: state.cache, name: entry.file) == entry.status
  }

  /// What the ledger says of a file that should have a source's own bytes, untouched since.
  func originalEntry(file: String, sourceID: String) throws -> LedgerEntry? {
    guard let entry = try ledger.entry(file: file), entry.sourceID == sourceID,
      entry.digest == entry.sourceDigest,
      try isUntouched(entry)
    else { return nil }
    return entry
  }

  /// A source's own bytes; nil where the file does not hold them any more, whatever its date says. It is forgotten then.
  func original(_ entry: LedgerEntry) throws -> SourceBody? {
    var data: Data?
    do throws(FileStoreError) { data = try files.read(entry.file, most: Int(entry.size)) } catch {
      guard error.isTooLarge else { throw error }
    }
    if let data, ContentDigest.sha256(data) == entry.digest {
      return SourceBody(
        bytes: [UInt8](data), digest: entry.digest, etag: entry.etag, lastModified: entry.lastModified)
    }
    hasForgotten.store(true, ordering: .relaxed)
    try ledger.remove(files: [entry.file])
    return nil
  }

  /// Notes what a source can be asked with from now on, for files that were right all the same.
  func renew(files names: [String], etag: String?, lastModified: String?) throws {
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
