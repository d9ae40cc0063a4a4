import ClientRegistry
import ClientKit
import CacheStore
import Digests
import FileStore
import Foundation
import Planning
import Text

/// Which file of which cache goes into the joined one; decided before anything is written.
struct MergePlan {
  struct Pick {
    package var cache: Int
    package var file: FileEntry
    package var row: LedgerEntry?
  }

  package let caches: [CacheListing]
  package let client: any ImageClient
  /// By file name.
  private(set) var picks: [String: Pick] = [:]
  private(set) var report: MergeReport

  init(_ paths: [String], options: MergeOptions) throws(CacheToolError) {
    var caches: [CacheListing] = []
    for path in paths { caches.append(try CacheToolError.listing(of: path)) }
    self.caches = caches
    client = try Self.client(of: caches, options)
    report = MergeReport(output: PathText.absolute(options.output), client: client.identity)
    var conflicts: [String] = []
    for index in caches.indices {
      for file in caches[index].entries { try add(file, of: index, options, &conflicts) }
    }
    report.files = picks.count
    report.bytes = picks.values.reduce(0) { $0 + $1.file.size }
    report.decided.sort()
    report.foreign.sort()
    guard conflicts.isEmpty else { throw Self.conflict(conflicts) }
  }

  private static func client(
    of caches: [CacheListing], _ options: MergeOptions
  ) throws(CacheToolError) -> any ImageClient {
    var found: (client: CacheClient, path: String)?
    for cache in caches {
      guard let client = cache.client else { continue }
      if let found, found.client != client {
        throw CacheToolError(
          .client, "\(found.path) is of \(found.client) and \(cache.path) of \(client): their keys differ")
      }
      found = found ?? (client, cache.path)
    }
    if let named = options.client, let found, named != found.client {
      throw CacheToolError(.client, "\(found.path) is of \(found.client), not of \(named)")
    }
    guard let client = (options.client ?? found?.client).flatMap({ ClientRegistry.make($0) }) else {
      throw CacheToolError(
        .client, "cannot tell which client the caches belong to (no ledgers found); pass --client, for example --client '\(ClientRegistry.example)'")
    }
    return client
  }

  private mutating func add(
    _ file: FileEntry, of index: Int, _ options: MergeOptions, _ conflicts: inout [String]
  ) throws(CacheToolError) {
    let cache = caches[index]
    let row = cache.ledger[file.name]
    guard client.isEntryName(file.name), row != nil || !cache.hasLedger else {
      report.foreign.append("\(cache.path)/\(file.name)")
      return
    }
    if let row, row.size != Int64(file.size) {
      throw CacheToolError(
        .damaged,
        "\(cache.path)/\(file.name) has \(file.size) bytes, and \(row.size) were stored; "
          + "preheat verify --repair sets it right")
    }
    let pick = Pick(cache: index, file: file, row: row)
    guard let known = picks[file.name] else {
      picks[file.name] = pick
      return
    }
    if try digest(known) == digest(pick) {
      report.shared += 1
      // Who knows what it is made of spares the next run some work.
      if known.row == nil, row != nil { picks[file.name] = pick }
      return
    }
    guard let preference = options.preference else {
      conflicts.append("\(caches[known.cache].path)/\(file.name) and \(cache.path)/\(file.name)")
      return
    }
    if !report.decided.contains(file.name) { report.decided.append(file.name) }
    let isNewer = file.modificationDate > known.file.modificationDate
    if preference == .last || (preference == .newest && isNewer) { picks[file.name] = pick }
  }

  /// From the ledger where the file is untouched since, else from its bytes.
  private func digest(_ pick: Pick) throws(CacheToolError) -> String {
    try caches[pick.cache].digest(of: pick.file)
  }

  private static func conflict(_ pairs: [String]) -> CacheToolError {
    let some = pairs.prefix(5).joined(separator: "; ")
    let more = pairs.count > 5 ? "; and \(pairs.count - 5) more" : ""
    return CacheToolError(
      .conflict, "different bytes for one entry: \(some)\(more); add --prefer first, last or newest")
  }
}

extension CacheListing {
  /// SHA-256 of a file's bytes: from the ledger where the file is untouched since it was written.
  package func digest(of file: FileEntry) throws(CacheToolError) -> String {
    if let row = ledger[file.name], let status = CacheFileStatus(folder: path, name: file.name),
      row.size == status.size, row.modified == status.modified
    {
      return row.digest
    }
    do throws(FileStoreError) {
      guard let data = try files.read(file.name, keepingAccessDate: true) else {
        throw FileStoreError(.read, path: "\(path)/\(file.name)", reason: .notFound)
      }
      return hexadecimal(SHA256.hash(data))
    } catch {
      throw CacheToolError(.input, "\(error)")
    }
  }
}
