import Concurrency
import FileStore
import Foundation
import Planning
import Text

/// Removes entries that the jobs of a run made and no longer name. What another job or another client made is never
/// touched: it is not for these jobs to say whether it is needed.
///
/// The list of files is written first, so that the next prune completes one that was killed half-way: by then a file
/// may be named again, and no run but a pruning one may remove anything.
package struct CachePruner {
  /// The files that were removed, or would be.
  package struct Result: Hashable, Sendable {
    package var files = 0
    package var bytes: Int64 = 0
    /// Why nothing is removed although there is something to remove.
    package var refusal: String?
    /// Files of other jobs and clients, which stay.
    package var others = 0
  }

  private let state: StateFolder
  private let files: FileStore
  private let ledger: LedgerWriter

  private static let listName = "prune.json"

  /// The cache's lock has to be held.
  package init(_ state: StateFolder, files: FileStore, ledger: LedgerWriter) {
    self.state = state
    self.files = files
    self.ledger = ledger
  }

  /// What ``prune(to:)`` would do. It changes nothing and needs no lock.
  package static func preview(of cache: String, to jobs: Pruning) throws(StoreFailure) -> Result {
    try StoreFailure.storing {
      let rows = try LedgerReader(path: StateFolder(cache: cache).ledger).rows() ?? LedgerRows()
      let own = rows.entries.filter { jobs.made($0.origin.job, client: $0.origin.client) }
      let victims = own.filter { !jobs.names.contains(ByteText($0.file)) }.map(Victim.init)
      var result = result(try ours(victims, in: FileStore(existing: URL(fileURLWithPath: cache))))
      result.refusal = jobs.refusal(removing: victims.count, of: own.count, in: cache)
      result.others = rows.names.count { !jobs.names.contains(ByteText($0)) } - victims.count
      return result
    }
  }

  private static func result(_ victims: [Victim]) -> Result {
    Result(files: victims.count, bytes: victims.reduce(0) { $0 &+ $1.status.size })
  }

  /// - Throws: also where more would go than `prune-most` allows, since the jobs are likely to be broken; nothing is
  ///   removed then.
  package func prune(to jobs: Pruning) throws -> Result {
    let own = Locked(0)
    var victims = try ledger.entries {
      guard jobs.made($0.origin.job, client: $0.origin.client) else { return false }
      own.withLock { $0 += 1 }
      return !jobs.names.contains(ByteText($0.file))
    }.map(Victim.init)
    if let refusal = jobs.refusal(removing: victims.count, of: own.withLock { $0 }, in: state.cache) {
      throw StoreFailure(.pruning, refusal)
    }
    let list = try state.files.read(Self.listName)
    // What a killed prune was about to remove. A list that cannot be read names nothing.
    for victim in list.map(Victim.list(reading:)) ?? [] where !jobs.names.contains(ByteText(victim.file)) {
      // What has a row was made since, and is judged by it.
      guard jobs.made(victim.job, client: victim.client), try ledger.entry(file: victim.file) == nil else {
        continue
      }
      victims.append(victim)
    }
    guard !victims.isEmpty, let list = Victim.encoded(victims) else { return Result() }
    try state.files.write(list, as: Self.listName)
    try files.synchronize()
    let ours = try Self.ours(victims, in: files)
    try ledger.remove(files: victims.map(\.file))
    for victim in ours { try files.remove(victim.file) }
    try files.synchronize()
    try state.files.remove(Self.listName)
    return Self.result(ours)
  }

  /// Those whose files are still the ones that a run made, and were not replaced.
  private static func ours(_ victims: [Victim], in files: FileStore) throws -> [Victim] {
    try victims.filter {
      try CacheFileStatus(folder: files.path, name: $0.file, calls: files.calls) == $0.status
    }
  }

  /// A file that is to go, as the list has it.
  struct Victim: Codable, Hashable {
    var file: String
    var status: CacheFileStatus
    var client: String
    var job: String

    init(_ entry: LedgerEntry) {
      (file, status) = (entry.file, entry.status)
      (client, job) = (entry.origin.client, entry.origin.job)
    }

    static func encoded(_ victims: [Victim]) -> Data? { try? JSONEncoder().encode(victims) }

    /// What a list names, as far as it can be a file of a cache folder; nothing where it cannot be read.
    static func list(reading data: Data) -> [Victim] {
      let victims = try? JSONDecoder().decode([Victim].self, from: data)
      return (victims ?? []).filter { FileStore.isFileName($0.file) && $0.status.size >= 0 }
    }
  }
}
