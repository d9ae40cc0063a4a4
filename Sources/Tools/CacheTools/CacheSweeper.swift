import CacheStore
import ClientKit
import FileStore
import Foundation
import Planning

/// Trims a cache as its client would do on the device, and keeps the ledger in step.
package struct CacheSweeper: Sendable {
  private let options: SweepOptions

  package init(_ options: SweepOptions = SweepOptions()) {
    self.options = options
  }

  /// - Parameter cache: the cache folder.
  package func sweep(_ cache: String) throws(ToolError) -> SweepReport {
    let listing = try CacheListing.open(cache)
    let client = try listing.client(options.client)
    do throws(StoreFailure) {
      if options.isDryRun { return try perform(listing, client: client, state: nil) }
      return try StateFolder.whileLocked(cache: listing.path, waits: options.waitsForLock) {
        state throws(StoreFailure) in try perform(listing, client: client, state: state)
      }
    } catch {
      throw ToolError(error)
    }
  }

  private func perform(
    _ listing: CacheListing, client: any ImageClient, state: StateFolder?
  ) throws(StoreFailure) -> SweepReport {
    let limit = options.sizeLimit ?? client.folder.defaultSizeLimit
    var report = SweepReport(cache: listing.path, client: client.identity, sizeLimit: limit)
    report.isDryRun = options.isDryRun
    do throws(FileStoreError) {
      let all = try client.sweptFiles(in: listing.files)
      report.filesBefore = all.count
      report.bytesBefore = all.reduce(0) { $0 + client.folder.size($1) }
      let victims = client.victims(among: all, sizeLimit: limit, now: options.now)
      for victim in victims {
        if !options.isDryRun { try remove(victim.file, from: listing.files) }
        report.removed.append(
          SweepReport.Removed(
            file: victim.file.path, size: client.folder.size(victim.file), reason: victim.reason.rawValue,
            key: listing.ledger[victim.file.path]?.origin?.key))
      }
    } catch {
      throw StoreFailure(error)
    }
    guard !options.isDryRun, let state, listing.hasLedger else { return report }
    try LedgerWriter(path: state.ledger).remove(files: report.removed.map(\.file))
    return report
  }

  private func remove(_ file: SweptFile, from files: FileStore) throws(FileStoreError) {
    guard !file.folder.isEmpty else { return try files.remove(file.entry.name) }
    let folder = files.folder.appendingPathComponent(file.folder)
    // Gone already with the folder around it.
    guard FileManager.default.fileExists(atPath: folder.path) else { return }
    try FileStore(folder: folder).remove(file.entry.name)
  }
}

/// How a cache is trimmed.
package struct SweepOptions: Sendable, Hashable {
  /// Needed where the cache has no ledger beside it.
  package var client: CacheClient?
  /// Bytes that the app lets its cache take; nil for the client's own default (Nuke 150 MiB, Kingfisher none).
  package var sizeLimit: Int?
  /// What expiry dates are compared with.
  package var now = Date()
  /// Say what would go, and remove nothing.
  package var isDryRun = false
  /// Wait for a run on the same cache instead of failing.
  package var waitsForLock = false

  package init() {}
}

/// What a sweep has removed, or would remove.
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

  package init(cache: String, client: CacheClient, sizeLimit: Int) {
    self.cache = cache
    self.client = client
    self.sizeLimit = sizeLimit
  }

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
