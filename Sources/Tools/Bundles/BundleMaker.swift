import CacheBundleInstaller
import CacheStore
import ClientKit
import ClientRegistry
import FileStore
import Foundation
import Planning
import Text

/// Makes a bundle of a cache: the same entries give the same bytes, wherever, whenever and in whatever order they
/// were fetched.
package struct BundleMaker: Sendable {
  private let options: BundleOptions
  private let signer: BundleSigner?
  private let calls: FileCalls
  private let accept: Acceptance

  /// Gets the files that the jobs may have and the cache has not.
  ///
  /// - Returns: How many renditions the last run failed at.
  /// - Throws: where a bundle without the others is not wanted.
  package typealias Acceptance = @Sendable (Set<ByteText>) throws(ToolError) -> Int

  /// - Parameter signer: nil for a bundle without a signature.
  package init(
    _ options: BundleOptions, signer: BundleSigner? = nil, calls: FileCalls = .system,
    accept: @escaping Acceptance = { _ in 0 }
  ) {
    self.options = options
    self.signer = signer
    self.calls = calls
    self.accept = accept
  }

  /// - Parameter cache: the cache folder.
  /// - Throws: ``ToolError``; nothing is left at the output then.
  package func make(from cache: String) throws(ToolError) -> BundleReport {
    try refuseOutput(in: cache)
    let state = StateFolder(cache: cache)
    // Several may read one cache; a run that changes it keeps them off.
    let lock = try ToolError.of(isReading: true, ToolError.Code.bundle) { () -> RunLock? in
      try calls.exists(state.lock) ? RunLock(state, waits: options.waitsForLock, isShared: true) : nil
    }
    let listing = try ToolError.of(isReading: true, ToolError.Code.bundle) {
      try CacheListing(cache, calls: calls)
    }
    let report = try make(from: cache, listing)
    _ = consume lock
    return report
  }

  private func make(from cache: String, _ listing: consuming CacheListing) throws(ToolError) -> BundleReport {
    let client = try client(of: listing, cache)
    var report = BundleReport(output: options.output, id: "", client: client.identity)
    let names = names(among: listing)
    let absent = names?.subtracting(listing.entries.lazy.map { ByteText($0.name) }) ?? []
    let missing = listing.missing.map { ByteText($0) }.filter { names?.contains($0) ?? true }
    do throws(ToolError) {
      if let first = missing.first, options.takesAll || options.entries == nil {
        throw ToolError(
          .bundle(.damaged),
          "\(NumberText.count(missing.count, "file")) of the ledger missing in \(cache), or no plain files: \(first.text)",
          advice: "preheat run makes them again")
      }
      if !absent.isEmpty { report.failed = try accept(absent) }
    } catch {
      guard !missing.isEmpty else { throw error }
      throw ToolError(.bundle(.damaged), error.message, advice: error.advice)
    }
    var candidates = BundleCandidates(
      listing: listing, client: client, names: names, planned: options.entries ?? [:])
    candidates.needsSources = options.maxSize != nil
    var entries = try candidates.entries(&report)
    guard !entries.isEmpty else { throw ToolError(.bundle(.input), "\(cache) has no entries to bundle") }
    let (rules, files) = (candidates.rules, candidates.listing.files)
    let isByLedger = candidates.listing.hasLedger
    _ = consume candidates  // Folder and ledger need not stay in memory.
    try refuseLocalKeys(among: entries, of: client)
    try hideKeys(of: &entries)
    let old = try options.since.map { path throws(ToolError) in
      try BundleDelta(path, client: client.identity, folder: Self.folder(of: cache))
    }
    old?.leaveOut(of: &entries, &report)
    if let most = options.maxSize {
      try BundleBudget(bytes: most, drop: options.drop).apply(to: &entries, &report)
    }
    var index = BundleIndex(
      client: client.identity.name, clientVersion: client.identity.release.description,
      folder: Self.folder(of: cache), keepsSweepDate: client.sweepStamp != nil, rules: rules,
      entries: entries.map(\.entry))
    let drawings = Set(entries.compactMap(\.drawn)).sorted()
    index.drawings = drawings.isEmpty ? nil : drawings
    entries = []
    old?.complete(&index, &report)
    signer?.complete(&index)
    // Of SOURCE_DATE_EPOCH only what a zip can say.
    let date = min(max(options.date, ZipEntry.dates.lowerBound), ZipEntry.dates.upperBound)
    index.date = date == ZipEntry.dates.lowerBound ? nil : date
    // Refused here is what an installer would refuse, because here it can still be corrected.
    do throws(BundleFailure) { try index.check(provesID: false) } catch {
      throw ToolError(.bundle(.input), "no app could install this: \(error.message)")
    }
    report.id = index.id
    report.signers = index.signers ?? []
    report.counter = index.counter
    try checkLimit(index, client: client, &report)
    for entry in index.entries where entry.isIncluded {
      report.files += 1
      report.bytes += entry.size
    }
    try BundleWriter(
      options: options, signer: signer, files: files, isByLedger: isByLedger, calls: calls
    ).write(index)
    return report
  }

  /// The files that may go in; nil for all.
  private func names(among listing: CacheListing) -> Set<ByteText>? {
    let named = options.takesAll ? nil : options.entries.map { Set($0.keys) }
    guard let shard = options.shard else { return named }
    let held = listing.ledger.entries.filter { shard.holds(sourceID: $0.sourceID) }.map { ByteText($0.file) }
    return named?.intersection(held) ?? Set(held)
  }

  private static func folder(of cache: String) -> String {
    URL(fileURLWithPath: PathText.absolute(cache)).lastPathComponent
  }

  /// The client would take the bundle for an entry, and the next bundle would hold this one.
  private func refuseOutput(in cache: String) throws(ToolError) {
    if let place = StateFolder(cache: cache).place(of: options.output) {
      throw ToolError(
        .bundle(.input), "\(options.output) is inside \(place)", advice: "put the bundle beside it")
    }
  }

  /// Such entries take room on every device and are never found there.
  private func refuseLocalKeys(
    among entries: [BundleCandidates.Candidate], of client: any ImageClient
  ) throws(ToolError) {
    guard !options.allowsLocalKeys else { return }
    let keys = entries.lazy.compactMap(\.entry.key).filter(client.isLocal).sorted()
    guard let first = keys.first else { return }
    throw ToolError(
      .bundle(.input),
      "\(NumberText.count(keys.count, "entry has", "entries have")) a path of this machine as the key, which no app on a "
        + "device asks for: \(first)",
      advice:
        "give such sources an id= in the job, or add --allow-local-keys if the app runs where these paths are"
    )
  }

  /// Takes the keys out of the index, where that is asked for.
  private func hideKeys(of entries: inout [BundleCandidates.Candidate]) throws(ToolError) {
    guard options.keys == .digests else { return }
    for position in entries.indices {
      // Without hashed names the key is the name, perhaps with an ending.
      if let key = entries[position].entry.key, entries[position].entry.file.hasPrefix(key) {
        throw ToolError(
          .bundle(.input), "the names of this cache's files are their keys, so that digests cannot hide them",
          advice: "let the app and the job hash names, or bundle it with --keys plain")
      }
      entries[position].entry.key = nil
      entries[position].entry.source = nil
    }
  }

  private func client(of listing: CacheListing, _ cache: String) throws(ToolError) -> any ImageClient {
    let clients = options.client.map { [$0] } ?? listing.clients
    guard let newest = clients.last, let client = ClientRegistry.make(newest) else {
      throw ToolError(
        .bundle(.client), "cannot tell which client \(cache) belongs to (no ledger found)",
        advice: ToolError.nameTheClient)
    }
    guard clients.allSatisfy({ $0.name == newest.name }) else {
      throw ToolError(
        .bundle(.client),
        "\(cache) has entries of \(clients.map(\.description).joined(separator: " and "))",
        advice: "give each client a folder of its own")
    }
    return client
  }

  private func checkLimit(
    _ index: BundleIndex, client: any ImageClient, _ report: inout BundleReport
  ) throws(ToolError) {
    let size = CacheSize(
      path: options.output, client: client.identity, rules: client.folder, sizeLimit: options.limit,
      fileSizes: index.entries.map(\.size))
    report.allocatedBytes = size.allocatedBytes
    guard options.limit != nil, size.isBeyondLimit else { return }
    throw ToolError(
      .bundle(.limit),
      "installed, the cache takes \(ByteCountText.text(size.allocatedBytes)) of the device "
        + "(\(ByteCountText.text(size.bytes)) of content), and the app allows it "
        + "\(ByteCountText.text(size.sizeLimit)): its first sweep would remove entries")
  }
}
