import Bodies
import CacheBundleInstaller
import CacheStore
import ClientKit
import FileStore
import Foundation
import Planning
import Text

/// The entries of a cache as a bundle would have them.
struct BundleCandidates {
  struct Candidate {
    var entry: BundleIndex.Entry
    var priority: Int
    /// The source's id in the ledger, or the file where none is known, or where no sources are left out.
    var source: String
    /// How it was drawn, where not as devices draw.
    var drawn: String?
    /// What the job says of the file.
    var planned: PlannedFile?
  }

  package let listing: CacheListing
  package let client: any FolderClient
  /// The files that jobs name; nil where all files count.
  package var names: Set<ByteText>?
  /// What jobs say of them.
  package var planned: [ByteText: PlannedFile] = [:]

  /// Whether whole sources may have to be left out.
  var needsSources = true

  /// The client's rules for the bundle's index.
  package var rules: BundleRules {
    BundleRules(
      expiry: expires ? .modificationDate : .never,
      eviction: client.folder.eviction == .creationDate ? .creationDate : .accessDate)
  }

  private var expires: Bool { client.folder.expiry != nil }

  /// All entries, the most urgent first. What the ledger says of them is proved where their bytes are written.
  package func entries(_ report: inout BundleReport) throws(ToolError) -> [Candidate] {
    var found: [Candidate] = []
    found.reserveCapacity(listing.entries.count)
    for file in listing.entries {
      if let names, !names.contains(ByteText(file.name)) {
        report.unnamed += 1
        continue
      }
      let row = listing.ledger[file.name]
      if listing.hasLedger, row == nil {
        report.foreign.append(file.name)
        continue
      }
      found.append(try candidate(file, row))
    }
    if found.count < listing.ledger.count { report.missing = listing.missing }
    // The names decide among equals: they are digests, and so the same everywhere.
    found.sort { ($1.priority, $0.entry.file) < ($0.priority, $1.entry.file) }
    return found
  }

  private func candidate(_ file: FileEntry, _ row: LedgerEntry?) throws(ToolError) -> Candidate {
    var entry: BundleIndex.Entry
    if let row {
      if file.size == 0 { throw Self.unreadable(file.name) }
      if file.size != row.size { throw Self.damaged(file.name) }
      entry = BundleIndex.Entry(file: file.name, size: file.size, sha256: row.digest)
    } else {
      let most = BundleFormat.maxEntryBytes
      let data = try ToolError.of(isReading: true, ToolError.Code.bundle) {
        file.size > most ? nil : try listing.files.read(file.name, most: most, keepingAccessDate: true)
      }
      guard let data, !data.isEmpty else { throw Self.unreadable(file.name) }
      entry = BundleIndex.Entry(file: file.name, size: data.count, sha256: ContentDigest.sha256(data))
    }
    // No ledger of ours has others; a damaged one must not keep its cache from being bundled.
    entry.key = (row?.origin.key).flatMap { BundleGrammar.isText($0) ? $0 : nil }
    entry.source = (row?.origin.source).flatMap { BundleGrammar.isText($0) ? $0 : nil }
    if expires { Self.setExpiry(of: &entry, row?.origin.expiry, file: file) }
    return Candidate(
      entry: entry, priority: row?.origin.priority ?? 0,
      source: (needsSources ? row?.sourceID : nil) ?? file.name, drawn: row?.drawn,
      planned: planned[ByteText(file.name)])
  }

  static func unreadable(_ file: String) -> ToolError {
    ToolError(
      .bundle(.damaged), "\(file) is empty or cannot be read", advice: "preheat verify tells more")
  }

  static func damaged(_ file: String) -> ToolError {
    ToolError(
      .bundle(.damaged), "\(file) is not what was stored",
      advice: "preheat verify --repair removes it, and the next run makes it again")
  }

  /// Without a ledger the file's own date is all there is.
  private static func setExpiry(of entry: inout BundleIndex.Entry, _ text: String?, file: FileEntry) {
    switch text.flatMap(EntryExpiry.init(text:)) {
    case .after(let seconds): entry.expiresAfter = seconds
    case .date(let date): entry.expiresAt = Int(date.timeIntervalSince1970)
    case .never: break
    case nil:
      let seconds = file.modificationDate.timeIntervalSince1970
      if seconds < DistantDate.first.timeIntervalSince1970 { entry.expiresAt = Int(max(0, seconds)) }
    }
  }
}

/// Leaves out entries that an older state has. A delta's index lists the complete state, so deltas can be chained.
struct BundleDelta {
  private let old: BundleIndex

  /// - Parameter path: the older bundle, or its index.
  init(_ path: String, client: CacheClient, folder: String) throws(ToolError) {
    do throws(BundleFailure) { old = try BundleIndex(ofBundleOrIndex: path) } catch {
      throw ToolError(.bundle(.since), "\(path): \(error.message)")
    }
    guard old.client == client.name, old.folder == folder else {
      throw ToolError(
        .bundle(.since), "\(path) is of \(old.client) and \(old.folder), not of \(client.name) and \(folder)")
    }
  }

  /// Marks the entries that need not be in the bundle.
  func leaveOut(of entries: inout [BundleCandidates.Candidate], _ report: inout BundleReport) {
    let known = Dictionary(old.entries.map { (ByteText($0.file), $0.sha256) }) { first, _ in first }
    for position in entries.indices
    where known[ByteText(entries[position].entry.file)] == entries[position].entry.sha256 {
      entries[position].entry.included = false
      report.unchanged += 1
    }
  }

  /// Says in the index what it is a delta to, and what is gone.
  package func complete(_ index: inout BundleIndex, _ report: inout BundleReport) {
    index.since = old.id
    let wanted = Set(index.entries.map { ByteText($0.file) })
    let gone = old.entries.filter { !wanted.contains(ByteText($0.file)) }.sorted { $0.file < $1.file }
    index.removed = gone.map { BundleIndex.Removed(file: $0.file, sha256: $0.sha256) }
    report.removed = gone.count
  }
}

extension BundleIndex {
  /// The index at a path: the JSON itself, or the bundle that holds it.
  package init(ofBundleOrIndex path: String) throws(BundleFailure) {
    let url = URL(fileURLWithPath: path)
    let files = FileStore(existing: url.deletingLastPathComponent())
    if path.hasSuffix(".json"),
      let bytes = try? files.beginning(of: url.lastPathComponent, count: BundleFormat.maxIndexBytes + 1)
    {
      self = try BundleIndex(reading: Data(bytes))
    } else {
      self = try CacheBundle(at: url).checked(by: nil).index
    }
  }
}
