import CacheStore
import ClientKit
import FileStore
import Foundation
import Planning
import Text

/// Joins the caches of several shards into one, with its ledger: the same caches give the same cache.
package struct CacheMerger: Sendable {
  /// The cache folder to be made.
  package var output: String
  /// Needed where the caches have no ledgers beside them.
  package var client: CacheClient?
  /// Give the files second names instead of copying them: quick and free, but dates are shared from then on. Nil: so
  /// that the parts of a job are joined so, and other caches are copied.
  package var links: Bool?
  /// Digest all files instead of believing their dates.
  package var checksBytes = false
  /// Parts of a job may be missing or not finished.
  package var acceptsMissingShards = false
  /// Wait for runs on the caches instead of failing.
  package var waitsForLock = false
  let calls: FileCalls

  package init(output: String, calls: FileCalls = .system) { (self.output, self.calls) = (output, calls) }

  /// - Parameter named: cache folders of one client and version.
  /// - Throws: There is no output then.
  package func merge(_ named: [String]) throws -> MergeReport {
    // `out/shard-*` names the state folders beside the caches too.
    let states = Set(named.map { StateFolder(cache: $0).path })
    let caches = named.filter { !states.contains(PathText.real($0)) }
    let output = PathText.real(self.output)
    try refuse(output, caches)
    for cache in caches { try awaitRun(on: cache) }
    let plan = try MergePlan(caches, self)
    var report = plan.report
    let state = StateFolder(cache: output, calls: calls)
    let temporaries = try state.prepare()
    let lock = try RunLock(state, waits: waitsForLock)
    try state.removeLeftovers(of: temporaries)
    // Under the lock: another merge may have been here while this one waited.
    if try isFree(output) {
      report.setAside = try write(plan, to: state)
    } else {
      // Asked for once more, as a queue does that has lost a node.
      guard try plan.isMade(of: output) else { throw Self.isTaken(output) }
      report.isRepeated = true
    }
    _ = consume lock
    return report
  }

  /// A cache that a run is at work on is not joined. The lock is not held: there may be more parts than descriptors,
  /// and a run that begins later shows.
  private func awaitRun(on cache: String) throws {
    let state = StateFolder(cache: cache)
    guard try calls.exists(state.lock) else { return }
    _ = try RunLock(state, waits: waitsForLock, isShared: true)
  }

  /// Joining into what is there would need a decision for every file of it.
  private func refuse(_ output: String, _ caches: [String]) throws {
    if caches.contains(where: { PathText.real($0).hasBytes(of: output) }) {
      throw ToolError(
        .cache(.input), "\(output) cannot be joined into itself", advice: "name another folder with -o")
    }
    for cache in caches {
      guard let place = StateFolder(cache: cache).place(of: output) else { continue }
      throw ToolError(.cache(.input), "\(output) is inside \(place)", advice: "name another folder with -o")
    }
    // No merge and no run has made it, so it gets no state folder either.
    let state = StateFolder(cache: output).path
    if try calls.exists(state) { return }
    guard try isFree(output) else { throw Self.isTaken(output) }
  }

  private func isFree(_ output: String) throws -> Bool {
    try FileStore(existing: URL(fileURLWithPath: output), calls: calls).names().isEmpty
  }

  private static func isTaken(_ output: String) -> ToolError {
    ToolError(.cache(.input), "\(output) is there and not empty", advice: "remove it, or name another folder")
  }

  /// The folder is filled beside its place and renamed, so that it is whole or empty.
  ///
  /// The rename comes last: with it all is done. A merge that is killed before leaves an empty folder, which the next
  /// merge fills, and so does a run.
  ///
  /// - Returns: Where a damaged ledger lies now.
  private func write(_ plan: MergePlan, to state: StateFolder) throws -> String? {
    let temporaries = FileStore(existing: URL(fileURLWithPath: state.temporary), calls: calls)
    let draft = temporaries.folder.appendingPathComponent(StateFolder.mergeName)
    defer { try? temporaries.remove(StateFolder.mergeName) }
    let ledger = try LedgerWriter(path: state.ledger, calls: calls)
    let picks = try fill(draft, plan)
    let made = try FileStore(existing: draft, calls: calls).listing()
    let before = try ledger.entries { _ in true }
    // Of an empty folder there is nothing to be known, so that what is there goes.
    try ledger.replace(with: picks) { pick in
      guard var row = plan.row(pick) else { return nil }
      row.modified = made[row.file]?.modified ?? 0
      return row
    }
    do { try publish(draft, as: state.cache) } catch {
      try? ledger.replace(with: before) { $0 }
      throw error
    }
    return ledger.damaged?.path
  }

  /// - Returns: what has gone in, in the order of the files' names.
  private func fill(_ draft: URL, _ plan: MergePlan) throws -> [MergePlan.Pick] {
    let picks = plan.picks.sorted { $0.key < $1.key }.map(\.value)
    let files = try FileStore(folder: draft, calls: calls)
    for pick in picks { try put(pick, of: plan, into: files) }
    if let date = plan.date { try setDates(date, plan, of: files) }
    if let stamp = try plan.client.stamp(joining: plan.caches.map(\.files)) {
      try files.write(stamp.bytes, as: stamp.name)
    }
    guard let changed = try plan.changedCache() else { return picks }
    throw StoreFailure(.locked, "\(changed) was changed while it was joined; run the merge again")
  }

  /// Dates of use as a run of the whole job gives them: no part knows how many entries of others stand before its own.
  private func setDates(_ date: RunDate, _ plan: MergePlan, of files: FileStore) throws {
    let entries = plan.picks.values.lazy.compactMap { plan.row($0)?.finished }
    let upkeep = plan.client.upkeep(found: try files.listing(), at: date) { entries.forEach($0) }
    for (file, dates) in upkeep.dates {
      guard let access = dates.access else { continue }
      // The date of expiry is already right: the part's run has set it.
      try files.setDates(FileDates(access: access), of: file)
    }
  }

  private func publish(_ draft: URL, as cache: String) throws {
    let files = FileStore(existing: draft, calls: calls)
    let names = try files.names()
    try files.synchronize { names.map { files.path(of: $0) } }
    // Over an empty folder, which is all that can be there.
    try calls.check(.rename, "put in place", cache) { rename(draft.path, cache) }
  }

  private func put(_ pick: MergePlan.Pick, of plan: MergePlan, into files: FileStore) throws {
    let file = plan.file(pick)
    let name = file.name
    let source = plan.caches[pick.cache]
    let target = files.path(of: name)
    if links ?? (plan.date != nil), FileStore.isFileName(name),
      calls.make(.open, target, { link(source.path + "/" + name, target) }) == 0
    {
      return
    }
    // Another file system, or one without links.
    guard let data = try source.files.read(name, keepingAccessDate: true) else {
      throw FileStoreError(.read, path: "\(source.path)/\(name)", reason: .notFound)
    }
    let dates = FileDates(access: file.accessDate, modification: file.modificationDate)
    try files.write(data, as: name, dates: dates)
  }
}

/// The result of a merge.
package struct MergeReport: Sendable, Hashable {
  package var output: String
  package var client: CacheClient
  package var files = 0
  package var bytes = 0
  /// Files that more than one cache had, with the same bytes.
  package var shared = 0
  /// Files that their ledger does not know: left out.
  package var foreign: [String] = []
  /// The output had been made of the same files before, and is as it was.
  package var isRepeated = false
  /// Where a damaged ledger lies now that was found in the output's state folder.
  package var setAside: String?
}
