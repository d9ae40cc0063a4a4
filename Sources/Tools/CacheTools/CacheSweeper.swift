import CacheStore
import ClientKit
import FileStore
import Foundation

/// Trims a cache as its client would do on the device, and keeps the ledger in step.
package struct CacheSweeper: Sendable {
  /// Needed where the cache has no ledger beside it.
  package var client: CacheClient?
  /// Bytes that the app lets its cache take; nil for the client's own default (Nuke 150 MiB, Kingfisher none).
  package var sizeLimit: Int?
  /// The moment that expiry dates are compared with.
  package var now = Date()
  /// Say what would go, and remove nothing.
  package var isDryRun = false
  /// Wait for a run on the same cache instead of failing.
  package var waitsForLock = false
  private let calls: FileCalls

  package init(calls: FileCalls = .system) { self.calls = calls }

  /// - Parameter cache: the cache folder.
  package func sweep(_ cache: String) throws -> SweepReport {
    let listing = try CacheListing.open(cache, calls: calls)
    let client = try listing.client(client)
    let state = StateFolder(cache: listing.path, calls: calls)
    let lock = try isDryRun ? nil : state.lock(waits: waitsForLock)
    let report = try perform(listing, client: client, state: lock == nil ? nil : state)
    _ = consume lock
    return report
  }

  private func perform(
    _ listing: CacheListing, client: any FolderClient, state: StateFolder?
  ) throws -> SweepReport {
    let limit = sizeLimit ?? client.folder.defaultSizeLimit
    var report = SweepReport(cache: listing.path, client: client.identity, sizeLimit: limit)
    report.isDryRun = isDryRun
    let files = FileStore(existing: listing.files.folder, calls: calls)
    let all = try listing.sweptFiles(of: client, files, files.entries())
    report.filesBefore = all.count
    report.bytesBefore = all.reduce(0) { $0 + client.folder.size($1) }
    let victims = client.victims(among: all, sizeLimit: limit, now: now)
    report.removed = victims.map { victim in
      SweepReport.Removed(
        file: victim.file.path, size: client.folder.size(victim.file), reason: victim.reason.rawValue,
        key: listing.ledger[victim.file.path]?.origin.key)
    }
    guard !isDryRun else { return report }
    if let state, listing.hasLedger { try forget(report.removed.map(\.file), of: listing, files, state) }
    for victim in victims { try remove(victim.file, from: files) }
    return report
  }

  /// The rows go before the files: a file without a row is only unknown, a row without a file is damage. Rows without a
  /// file are those that another process has removed.
  private func forget(
    _ names: [String], of listing: CacheListing, _ files: FileStore, _ state: StateFolder
  ) throws {
    var gone = names
    for name in listing.ledger.names where try files.entry(named: name) == nil { gone.append(name) }
    guard !gone.isEmpty else { return }
    try LedgerWriter(path: state.ledger, calls: calls).remove(files: gone)
    // After a power cut, too.
    try files.synchronize()
  }

  private func remove(_ file: SweptFile, from files: FileStore) throws(FileStoreError) {
    guard !file.folder.isEmpty else { return try files.remove(file.entry.name) }
    let folder = files.folder.appendingPathComponent(file.folder)
    // Gone already with the folder around it.
    guard try calls.exists(folder.path) else { return }
    try FileStore(existing: folder, calls: calls).remove(file.entry.name)
  }
}

/// The result of a sweep, or of a dry run.
package struct SweepReport: Sendable, Hashable {
  package var cache: String
  package var client: CacheClient
  /// Bytes; 0 for none.
  package var sizeLimit: Int
  package var isDryRun = false
  package var filesBefore = 0
  /// As the client's limit counts: Nuke allocated bytes, Kingfisher those of the content.
  package var bytesBefore = 0
  /// In the order of removal.
  package var removed: [Removed] = []

  package var bytesRemoved: Int { removed.reduce(0) { $0 + $1.size } }

  package struct Removed: Sendable, Hashable {
    package var file: String
    package var size: Int
    /// `expired` or `size`.
    package var reason: String
    /// Where the ledger knows it.
    package var key: String?
  }
}
