import CacheStore
import ClientKit
import FileStore
import Foundation
import Pictures
import Text

/// The entries of a cache folder. Only the head of each file is read, so that a large cache takes seconds.
package struct CacheInspection: Sendable {
  package var cache: String { listing.path }
  package var client: CacheClient { library.identity }
  /// Parts of the cache that could not be read.
  package var warnings: [String] { [listing.damage?.message].compactMap { $0 } }
  /// Bytes of content.
  package var bytes: Int { listing.entries.reduce(0) { $0 + $1.size } }
  /// Bytes; 0 for none.
  package let sizeLimit: Int
  /// As the client's limit counts: Nuke allocated bytes, Kingfisher those of the content.
  package let countedBytes: Int
  private let listing: CacheListing
  private let library: any ImageClient
  private let order: InspectedEntry.Order
  /// What the client's next sweep removes, and why.
  private let swept: [ByteText: SweepReason]

  /// - Parameters:
  ///   - client: needed where the cache has no ledger beside it.
  ///   - sizeLimit: bytes that the app lets its cache take; nil for the client's own default.
  ///   - now: the moment that dates are compared with.
  package init(
    of folder: String, client: CacheClient? = nil, sizeLimit: Int? = nil, now: Date = Date(),
    order: InspectedEntry.Order = .file, calls: FileCalls = .system
  ) throws {
    listing = try CacheListing.open(folder, acceptsDamage: true, calls: calls)
    let library = try listing.client(client)
    let limit = sizeLimit ?? library.folder.defaultSizeLimit
    let all = try listing.sweptFiles(of: library, listing.files, listing.all)
    let victims = library.victims(among: all, sizeLimit: limit, now: now)
    swept = Dictionary(
      victims.map { (ByteText($0.file.path), $0.reason) }, uniquingKeysWith: { first, _ in first })
    countedBytes = all.reduce(0) { $0 + library.folder.size($1) }
    (self.library, self.sizeLimit, self.order) = (library, limit, order)
  }

  /// In the order that was asked for. In the order of names each is looked at when its turn comes, and is not kept.
  package var entries: AnyRandomAccessCollection<InspectedEntry> {
    order == .file
      ? AnyRandomAccessCollection(listing.entries.lazy.map(inspect))
      : AnyRandomAccessCollection(order.sorted(listing.entries.map(inspect)))
  }

  private func inspect(_ file: FileEntry) -> InspectedEntry {
    let row = listing.ledger[file.name]
    let head = EntryHead(of: file.name, in: listing.files)
    let expires = library.folder.expiry(modified: file.modificationDate)
    let (fate, reason) = fate(of: file, row: row, head: head)
    return InspectedEntry(
      file: file.name, size: file.size, allocatedSize: file.allocatedSize, key: row?.origin.key,
      source: row?.origin.source, chain: row?.origin.chain, content: row?.origin.content,
      format: head.format, width: head.width, height: head.height, accessed: file.accessDate,
      modified: file.modificationDate, expires: expires, fate: fate, reason: reason, failure: head.failure)
  }

  /// The first that holds, in the order in which it would keep the entry from being seen.
  private func fate(
    of file: FileEntry, row: LedgerEntry?, head: EntryHead
  ) -> (InspectedEntry.Fate, String?) {
    let sweep = swept[ByteText(file.name)]
    if row == nil, !library.isName(file.name, ofKey: nil) {
      return (.foreign, "\(client.name) gives no file such a name")
    }
    if listing.hasLedger, row == nil { return (.foreign, "the ledger does not know it") }
    if sweep == .expired { return (.expired, nil) }
    if let damage = head.damage { return (.damaged, damage) }
    if let row, row.size != Int64(file.size) {
      return (.damaged, "it has \(file.size) bytes, and \(row.size) were stored")
    }
    if sweep == .size { return (.swept, "the cache is beyond its size limit") }
    return (.hit, nil)
  }
}

/// One file of a cache: what it is and what the app will do with it.
package struct InspectedEntry: Sendable, Hashable {
  package var file: String
  /// Bytes of content.
  package var size: Int
  /// Bytes that the file system spends on it.
  package var allocatedSize: Int
  /// From the ledger; nil where it does not have the file, or the key holds a secret.
  package var key: String?
  package var source: String?
  package var chain: String?
  /// `original` or `encoded`.
  package var content: String?
  /// By its first bytes, whatever its name.
  package var format: ImageFormat?
  /// Stored pixels.
  package var width: Int?
  package var height: Int?
  package var accessed: Date
  package var modified: Date
  /// Nil where the client's entries do not expire.
  package var expires: Date?
  package var fate: Fate
  /// Why, where that is not obvious.
  package var reason: String?
  /// Why the fate is not known.
  package var failure: FileStoreError?

  /// What the app does with an entry.
  package enum Fate: String, Sendable, Hashable, CaseIterable {
    /// Found and decoded.
    case hit
    /// Too old: not found any more, or removed at the next cleaning.
    case expired
    /// Found, and cannot be shown.
    case damaged
    /// Never asked for, as far as is known.
    case foreign
    /// Removed by the app's next sweep.
    case swept
  }

  /// The order of a list. Equals are sorted by file name.
  package enum Order: String, Sendable, Hashable, CaseIterable {
    case file, key, size, type, age, expiry, fate

    /// Largest, oldest and soonest first.
    package func sorted(_ entries: [InspectedEntry]) -> [InspectedEntry] {
      entries.sorted { a, b in
        switch self {
        case .file: a.file < b.file
        case .key: (a.key ?? "\u{10FFFF}", a.file) < (b.key ?? "\u{10FFFF}", b.file)
        case .size: (b.size, a.file) < (a.size, b.file)
        case .type: (a.format?.rawValue ?? "~", a.file) < (b.format?.rawValue ?? "~", b.file)
        case .age: (a.accessed, a.file) < (b.accessed, b.file)
        case .expiry: (a.expires ?? .distantFuture, a.file) < (b.expires ?? .distantFuture, b.file)
        case .fate: (a.fate.rawValue, a.file) < (b.fate.rawValue, b.file)
        }
      }
    }
  }
}
