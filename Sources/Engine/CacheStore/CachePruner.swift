import FileStore
import Foundation
import Planning

/// Removes entries that Preheat made and that no job names any more.
///
/// The list of files is written first, so that the next run completes a prune that was killed half-way.
package struct CachePruner {
  /// The files that were removed, or would be.
  package struct Result: Hashable, Sendable, Codable {
    package var files = 0
    package var bytes: Int64 = 0

    package init(files: Int = 0, bytes: Int64 = 0) {
      self.files = files
      self.bytes = bytes
    }
  }

  private struct Victim: Codable {
    var file: String
    var status: CacheFileStatus

    init(_ entry: LedgerEntry) { (file, status) = (entry.file, entry.status) }

    /// Whether the file is still the one that a run made, and nobody has replaced it.
    func isOurs(in folder: String) -> Bool { CacheFileStatus(folder: folder, name: file) == status }
  }

  private let state: StateFolder
  private let files: FileStore
  private let ledger: LedgerWriter
  private let notes: FileStore

  private static let listName = "prune.json"

  /// The cache's lock has to be held.
  package init(_ state: StateFolder, files: FileStore, ledger: LedgerWriter) {
    self.state = state
    self.files = files
    self.ledger = ledger
    notes = FileStore(existing: URL(fileURLWithPath: state.path), calls: state.calls)
  }

  /// The files that ``prune(keeping:)`` would remove. It changes nothing and needs no lock.
  package static func preview(
    of cache: String, keeping names: Set<String>
  ) throws(LedgerFailure) -> Result {
    let rows = try LedgerReader(path: StateFolder(cache: cache).ledger).entries() ?? []
    return result(rows.filter { !names.contains($0.file) }.map(Victim.init).filter { $0.isOurs(in: cache) })
  }

  private static func result(_ victims: [Victim]) -> Result {
    Result(files: victims.count, bytes: victims.reduce(0) { $0 &+ $1.status.size })
  }

  /// - Parameter names: all files that the jobs of this cache make.
  package func prune(keeping names: Set<String>) throws(StoreFailure) -> Result {
    let victims = try ledger.entries { !names.contains($0.file) }.map(Victim.init)
    guard !victims.isEmpty else { return Result() }
    guard let list = try? JSONEncoder().encode(victims) else { return Result() }
    try StoreFailure.storing { () throws(FileStoreError) in
      try notes.write(list, as: Self.listName)
      try files.synchronize()
    }
    return try remove(victims)
  }

  /// Goes on where a killed run ended.
  package func complete() throws(StoreFailure) {
    guard let list = try StoreFailure.storing({ () throws(FileStoreError) in try notes.read(Self.listName) })
    else {
      return
    }
    // A list that cannot be read names nothing; the next prune writes another.
    _ = try remove((try? JSONDecoder().decode([Victim].self, from: list)) ?? [])
  }

  private func remove(_ victims: [Victim]) throws(StoreFailure) -> Result {
    let ours = victims.filter { $0.isOurs(in: state.cache) }
    try ledger.remove(files: victims.map(\.file))
    try StoreFailure.storing { () throws(FileStoreError) in
      for victim in ours { try files.remove(victim.file) }
      try files.synchronize()
      try notes.remove(Self.listName)
    }
    return Self.result(ours)
  }
}
