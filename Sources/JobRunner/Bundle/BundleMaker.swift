import CacheBundleInstaller
import CacheCore
import Foundation
import NukeCache

/// Makes a bundle of a cache: the same entries give the same bytes, wherever, whenever and in whatever order they
/// were fetched.
public struct BundleMaker: Sendable {
  private let options: BundleOptions

  public init(_ options: BundleOptions) {
    self.options = options
  }

  /// - Parameter cache: the cache folder.
  /// - Throws: ``BundleError``; nothing is left at the output then.
  public func make(from cache: String) throws(BundleError) -> BundleReport {
    let listing: CacheListing
    do throws(StoreFailure) { listing = try CacheListing(cache) } catch {
      throw BundleError(.input, error.message)
    }
    guard let client = options.client ?? listing.client else {
      throw BundleError(
        .client, "nothing beside \(cache) says whose cache it is; add --client 'nuke 12' or the like")
    }
    var report = BundleReport(output: options.output, id: "", client: client)
    var entries = try self.entries(listing, client: client, &report)
    guard !entries.isEmpty else { throw BundleError(.input, "\(cache) has no entries to bundle") }
    try drop(from: &entries, &report)
    var index = Self.index(entries.map(\.entry), client: client, cache: cache)
    if let since = options.since { try subtract(since, from: &index, &report) }
    report.id = index.id
    try checkLimit(index, client: client, &report)
    for entry in index.entries where entry.isIncluded {
      report.files += 1
      report.bytes += entry.size
    }
    try BundleWriter(options: options, files: listing.files).write(index)
    return report
  }

  private struct Candidate {
    var entry: BundleIndex.Entry
    var priority: Int
  }

  /// All entries, the most urgent first.
  private func entries(
    _ listing: CacheListing, client: CacheClient, _ report: inout BundleReport
  ) throws(BundleError) -> [Candidate] {
    var found: [Candidate] = []
    for file in listing.entries {
      let row = listing.ledger[file.name]
      if listing.hasLedger, row == nil {
        report.foreign.append(file.name)
        continue
      }
      guard let data = (try? listing.files.read(file.name)) ?? nil, !data.isEmpty else {
        throw BundleError(.damaged, "\(file.name) is empty or cannot be read; preheat verify tells more")
      }
      let digest = hexadecimal(SHA256.hash(data))
      if let row, row.digest != digest {
        throw BundleError(
          .damaged, "\(file.name) is not what was stored; preheat verify --repair fetches it again")
      }
      var entry = BundleIndex.Entry(file: file.name, size: data.count, sha256: digest)
      entry.key = row?.origin?.key
      entry.source = row?.origin?.source
      if case .kingfisher = client { Self.setExpiry(of: &entry, row?.origin?.expiry, file: file) }
      found.append(Candidate(entry: entry, priority: row?.origin?.priority ?? 0))
    }
    // The names decide among equals: they are digests, and so the same everywhere.
    return found.sorted { ($1.priority, $0.entry.file) < ($0.priority, $1.entry.file) }
  }

  /// Without a ledger the file's own date is all there is.
  private static func setExpiry(of entry: inout BundleIndex.Entry, _ text: String?, file: FileEntry) {
    switch text.flatMap(JobExpiry.init(text:)) {
    case .after(let seconds): entry.expiresAfter = seconds
    case .date(let date): entry.expiresAt = Int(date.timeIntervalSince1970)
    case .never: break
    case nil:
      let seconds = file.modificationDate.timeIntervalSince1970
      if seconds < JobExpiry.endOfTime.timeIntervalSince1970 { entry.expiresAt = Int(seconds) }
    }
  }

  private static func index(
    _ entries: [BundleIndex.Entry], client: CacheClient, cache: String
  ) -> BundleIndex {
    let folder = URL(fileURLWithPath: cache).lastPathComponent
    switch client {
    case .nuke(let version):
      return BundleIndex(
        client: client.name, clientVersion: version.description, folder: folder,
        keepsSweepDate: DataCacheUpkeep(version: version).keepsSweepDate, entries: entries)
    case .kingfisher(let version):
      return BundleIndex(
        client: client.name, clientVersion: version.description, folder: folder, entries: entries)
    }
  }

  private func drop(from entries: inout [Candidate], _ report: inout BundleReport) throws(BundleError) {
    guard let most = options.maxSize else { return }
    var total = entries.reduce(0) { $0 + $1.entry.size }
    guard total > most else { return }
    guard options.dropsOverMaxSize else {
      throw BundleError(
        .limit,
        "the entries have \(total) bytes, and --max-size is \(most); add --drop to leave the least urgent out"
      )
    }
    while total > most, let last = entries.popLast() {
      total -= last.entry.size
      report.dropped.append(last.entry.file)
    }
    if entries.isEmpty { throw BundleError(.limit, "no entry has room in --max-size \(most)") }
  }

  private func subtract(
    _ path: String, from index: inout BundleIndex, _ report: inout BundleReport
  ) throws(BundleError) {
    let old: BundleIndex
    do throws(BundleFailure) { old = try BundleIndex(ofBundleOrIndex: path) } catch {
      throw BundleError(.since, "\(path): \(error.message)")
    }
    guard old.client == index.client, old.folder == index.folder else {
      throw BundleError(
        .since, "\(path) is of \(old.client) and \(old.folder), not of \(index.client) and \(index.folder)")
    }
    let known = Dictionary(old.entries.map { ($0.file, $0.sha256) }) { first, _ in first }
    index.since = old.id
    for position in index.entries.indices
    where known[index.entries[position].file] == index.entries[position].sha256 {
      index.entries[position].included = false
      report.unchanged += 1
    }
    let wanted = Set(index.entries.map(\.file))
    let gone = old.entries.filter { !wanted.contains($0.file) }.sorted { $0.file < $1.file }
    index.removed = gone.map { BundleIndex.Removed(file: $0.file, sha256: $0.sha256) }
    report.removed = gone.count
  }

  private func checkLimit(
    _ index: BundleIndex, client: CacheClient, _ report: inout BundleReport
  ) throws(BundleError) {
    var settings = JobSettings(path: "", client: client, cache: options.output)
    if let limit = options.limit { settings.sizeLimit = limit }
    let size = CacheSize(settings: settings, fileSizes: index.entries.map(\.size))
    report.allocatedBytes = size.allocatedBytes
    guard options.limit != nil, size.isBeyondLimit else { return }
    throw BundleError(
      .limit,
      "installed, the cache takes \(size.allocatedBytes) bytes of the device (\(size.bytes) of content), and the app "
        + "allows it \(settings.sizeLimit): its first sweep would remove entries")
  }
}

extension JobExpiry {
  /// Reads what ``text`` writes.
  init?(text: String) {
    if text == "never" {
      self = .never
    } else if text.hasPrefix("@"), let seconds = Int(text.dropFirst()) {
      self = .date(Date(timeIntervalSince1970: Double(seconds)))
    } else if let seconds = Int(text) {
      self = .after(seconds: seconds)
    } else {
      return nil
    }
  }
}

extension BundleIndex {
  /// The index at a path: the JSON itself, or the bundle that holds it.
  init(ofBundleOrIndex path: String) throws(BundleFailure) {
    let url = URL(fileURLWithPath: path)
    if path.hasSuffix(".json"), let data = try? Data(contentsOf: url) {
      self = try BundleIndex(reading: data)
    } else {
      self = try BundleArchive.index(of: url)
    }
  }
}
