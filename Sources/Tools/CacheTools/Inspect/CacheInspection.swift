import CacheStore
import ClientKit
import FileStore
import Foundation
import Planning

/// What is in a cache folder, entry by entry. Of each file only the head is read, so that a large cache takes seconds.
package struct CacheInspection: Sendable {
  package struct Options: Sendable, Hashable {
    /// Needed where the cache has no ledger beside it.
    package var client: CacheClient?
    /// Bytes that the app lets its cache take; nil for the client's own default.
    package var sizeLimit: Int?
    /// What dates are compared with.
    package var now = Date()
    package var order = InspectedEntry.Order.file

    package init() {}
  }

  package let cache: String
  package let client: CacheClient
  /// Bytes; 0 for none.
  package let sizeLimit: Int
  package let entries: [InspectedEntry]
  /// As the client's limit counts: Nuke allocated bytes, Kingfisher those of the content.
  package let countedBytes: Int
  /// What the result does not tell because it could not be read.
  package let warnings: [String]

  package var bytes: Int { entries.reduce(0) { $0 + $1.size } }

  package func count(of fate: InspectedEntry.Fate) -> Int { entries.count { $0.fate == fate } }

  package init(of folder: String, options: Options = Options()) throws(ToolError) {
    let listing = try CacheListing.open(folder, acceptsDamage: true)
    let client = try listing.client(options.client)
    let limit = options.sizeLimit ?? client.folder.defaultSizeLimit
    let all: [SweptFile]
    do throws(FileStoreError) { all = try client.folder.sweptFiles(in: listing.files) } catch {
      throw ToolError(StoreFailure(error), isReading: true)
    }
    let victims = client.victims(among: all, sizeLimit: limit, now: options.now)
    let swept = Set(victims.filter { $0.reason == .size }.map(\.file.path))
    let judge = Judge(listing: listing, client: client, now: options.now, swept: swept)
    cache = listing.path
    warnings = [listing.damage?.message].compactMap { $0 }
    self.client = client.identity
    sizeLimit = limit
    entries = options.order.sorted(listing.entries.map(judge.inspect))
    countedBytes = all.reduce(0) { $0 + client.folder.size($1) }
  }
}

extension CacheInspection {
  /// Says of one file after the other what becomes of it.
  private struct Judge {
    package let listing: CacheListing
    package let client: any ImageClient
    package let now: Date
    package let swept: Set<String>

    package func inspect(_ file: FileEntry) -> InspectedEntry {
      let row = listing.ledger[file.name]
      let head = EntryHead(path: listing.path + "/" + file.name)
      let expires = client.folder.expiry(modified: file.modificationDate)
      let (fate, reason) = fate(of: file, row: row, head: head, expires: expires)
      return InspectedEntry(
        file: file.name, size: file.size, allocatedSize: file.allocatedSize, key: row?.origin.key,
        source: row?.origin.source, chain: row?.origin.chain, content: row?.origin.content,
        format: head.format, width: head.width, height: head.height, accessed: file.accessDate,
        modified: file.modificationDate, expires: expires, fate: fate, reason: reason)
    }

    /// The first that holds, in the order in which it would keep the entry from being seen.
    private func fate(
      of file: FileEntry, row: LedgerEntry?, head: EntryHead, expires: Date?
    ) -> (InspectedEntry.Fate, String?) {
      if row == nil, !client.isName(file.name, ofKey: nil) {
        return (.foreign, "\(client.identity.name) gives no file such a name")
      }
      if listing.hasLedger, row == nil { return (.foreign, "the ledger does not know it") }
      if let expires, expires <= now { return (.expired, nil) }
      if let damage = head.damage { return (.damaged, damage) }
      if let row, row.size != Int64(file.size) {
        return (.damaged, "it has \(file.size) bytes, and \(row.size) were stored")
      }
      if swept.contains(file.name) { return (.swept, "the cache is beyond its size limit") }
      return (.hit, nil)
    }
  }
}
