import CacheStore
import ClientKit
import ClientRegistry
import FileStore
import Text

/// Which file of which cache goes into the joined one; decided before anything is written.
struct MergePlan {
  /// A place among the entries of a cache: what is known of a file stands there, and in the ledger.
  struct Pick: Sendable {
    var cache: Int
    var place: Int
  }

  package let caches: [CacheListing]
  package let client: any ImageClient
  /// By file name.
  private(set) var picks: [ByteText: Pick] = [:]
  private(set) var report: MergeReport
  /// Where the caches are parts of one job: the latest start of a part, what dates are counted from.
  let date: RunDate?
  /// What was there of each part's record before anything of the part was read.
  private let records: [CacheFileStatus?]
  private let calls: FileCalls

  init(_ paths: [String], _ options: CacheMerger) throws {
    let calls = options.calls
    self.calls = calls
    records = try paths.map { try Self.record(of: $0, calls) }
    caches = try paths.map { try CacheListing.open($0, calls: calls) }
    client = try Self.client(of: caches, options)
    date = try Self.date(ofParts: paths, areWhole: !options.acceptsMissingShards)
    report = MergeReport(output: PathText.absolute(options.output), client: client.identity)
    var conflicts: [String] = []
    for index in caches.indices {
      for place in caches[index].entries.indices {
        try add(Pick(cache: index, place: place), options, &conflicts)
      }
      try Self.refuseMissing(in: caches[index])
    }
    report.files = picks.count
    report.bytes = picks.values.reduce(0) { $0 + file($1).size }
    report.foreign.sort()
    guard conflicts.isEmpty else { throw Self.conflict(conflicts) }
  }

  private static func client(of caches: [CacheListing], _ options: CacheMerger) throws -> any ImageClient {
    var found: (client: CacheClient, path: String)?
    for cache in caches {
      guard let client = cache.client else { continue }
      if let found, found.client != client {
        throw ToolError(
          .cache(.client),
          "\(found.path) is of \(found.client) and \(cache.path) of \(client): their keys differ")
      }
      found = found ?? (client, cache.path)
    }
    if let named = options.client, let found, named != found.client {
      throw ToolError(.cache(.client), "\(found.path) is of \(found.client), not of \(named)")
    }
    guard let client = (options.client ?? found?.client).flatMap({ ClientRegistry.make($0) }) else {
      throw ToolError(
        .cache(.client), "cannot tell which client the caches belong to (no ledgers found)",
        advice: ToolError.nameTheClient)
    }
    return client
  }

  func file(_ pick: Pick) -> FileEntry { caches[pick.cache].entries[pick.place] }

  func row(_ pick: Pick) -> LedgerEntry? { caches[pick.cache].ledger[file(pick).name] }

  private mutating func add(
    _ pick: Pick, _ options: CacheMerger, _ conflicts: inout [String]
  ) throws {
    let (cache, file) = (caches[pick.cache], file(pick))
    let row = cache.ledger[file.name]
    guard row != nil || !cache.hasLedger && client.isName(file.name, ofKey: nil) else {
      report.foreign.append("\(cache.path)/\(file.name)")
      return
    }
    if let row { try Self.refuseDamage(of: file, row, in: cache, readsAll: options.checksBytes) }
    guard let known = picks[ByteText(file.name)] else {
      picks[ByteText(file.name)] = pick
      return
    }
    if self.file(known).size == file.size, try digest(known) == digest(pick) {
      report.shared += 1
      // With its sources known, the next run has less to do.
      if row != nil, !caches[known.cache].hasLedger { picks[ByteText(file.name)] = pick }
      return
    }
    conflicts.append("\(caches[known.cache].path)/\(file.name) and \(cache.path)/\(file.name)")
  }

  /// What a part has lost or what was changed in it must not come into the whole, least of all silently.
  ///
  /// - Parameter readsAll: read files whatever their date.
  private static func refuseDamage(
    of file: FileEntry, _ row: LedgerEntry, in cache: CacheListing, readsAll: Bool
  ) throws {
    if file.status == row.status, !readsAll { return }
    let path = "\(cache.path)/\(file.name)"
    guard row.size == Int64(file.size) else {
      throw damage("\(path) has \(file.size) bytes, and \(row.size) were stored")
    }
    // A copy of the part may have other dates.
    guard try cache.digest(of: file, readsAll: true) == row.digest else {
      throw damage("\(path) has other bytes than those that were stored")
    }
  }

  private static func refuseMissing(in cache: CacheListing) throws {
    let missing = try cache.missing.filter { try cache.status(of: $0) == nil }
    guard let first = missing.min() else { return }
    throw damage("\(NumberText.count(missing.count, "file")) of \(cache.path) missing, \(first) for one")
  }

  private static func damage(_ fact: String) -> ToolError {
    ToolError(
      .cache(.damaged), fact, advice: "preheat verify --repair sets it right, and a run makes it again")
  }

  private static func record(of cache: String, _ calls: FileCalls) throws -> CacheFileStatus? {
    try CacheFileStatus(folder: StateFolder(cache: cache).path, name: ShardRecord.name, calls: calls)
  }

  /// A cache that was changed since it was read: a run notes its beginning, and nothing else writes in place.
  func changedCache() throws -> String? {
    for (cache, record) in zip(caches, records) where try Self.record(of: cache.path, calls) != record {
      return cache.path
    }
    for pick in picks.values where try caches[pick.cache].status(of: file(pick).name) != file(pick).status {
      return caches[pick.cache].path
    }
    return nil
  }

  /// Whether a cache holds what this is about, file by file.
  func isMade(of output: String) throws -> Bool {
    let listing = try CacheListing.open(output, acceptsDamage: true, calls: calls)
    let files = listing.entries.filter { listing.ledger[$0.name] != nil }
    guard files.count == picks.count else { return false }
    for file in files {
      guard let pick = picks[ByteText(file.name)], try digest(pick) == listing.digest(of: file) else {
        return false
      }
    }
    return true
  }

  /// From the ledger where the file is untouched since, else from its bytes.
  private func digest(_ pick: Pick) throws -> String { try caches[pick.cache].digest(of: file(pick)) }

  private static func conflict(_ pairs: [String]) -> ToolError {
    let some = pairs.prefix(5).joined(separator: "; ")
    let more = pairs.count > 5 ? "; and \(pairs.count - 5) more" : ""
    return ToolError(
      .cache(.conflict), "different bytes for one entry: \(some)\(more)",
      advice: "run the job of the older one again, or remove its file")
  }
}

/// The whole that the parts of a job make.
extension MergePlan {
  /// The latest start of a part; nil where the caches are not parts of a job.
  ///
  /// - Parameter areWhole: all parts have to be there, each of them whole.
  /// - Throws: where they do not make up one job.
  private static func date(ofParts caches: [String], areWhole: Bool) throws -> RunDate? {
    var parts: [(path: String, record: ShardRecord)] = []
    for path in caches {
      let record = try ToolError.of(isReading: true) { try ShardRecord(of: path) }
      if let record { parts.append((path, record)) }
    }
    guard let first = parts.first else { return nil }
    let count = first.record.shard.count
    var pathOfNumber: [Int: String] = [:]
    for (path, record) in parts {
      guard record.shard.count == count else {
        throw ToolError(
          .cache(.input),
          "\(first.path) is part \(first.record.shard.text) of its job and \(path) part \(record.shard.text): they do not "
            + "belong together")
      }
      if let other = pathOfNumber.updateValue(path, forKey: record.shard.number) {
        throw ToolError(.cache(.input), "part \(record.shard.text) is there twice: \(other) and \(path)")
      }
    }
    if areWhole {
      let known = Set(parts.map(\.path))
      try refuse(caches.filter { !known.contains($0) }, "no part of a job, or killed as it began")
      try refuse(parts.filter { !$0.record.isFinished }.map(\.path), "not finished")
      let others = parts.filter { $0.record.job != first.record.job }.map(\.path)
      try refuse(others, "of another job than \(first.path), by settings or chains")
      try refuse((1...count).filter { pathOfNumber[$0] == nil }.map(String.init), "missing", of: count)
    }
    guard parts.count == caches.count else { return nil }
    return parts.map(\.record.date).max { $0.start < $1.start }
  }

  private static func refuse(_ parts: [String], _ fact: String, of count: Int? = nil) throws {
    guard !parts.isEmpty else { return }
    let some = parts.prefix(10).joined(separator: ", ") + (parts.count > 10 ? ", ..." : "")
    let total = count.map { " of \($0)" } ?? ""
    throw ToolError(
      .cache(.input), "\(NumberText.count(parts.count, "part"))\(total) \(fact): \(some)",
      advice: "run them with --shard, or add --incomplete to join what there is")
  }
}
