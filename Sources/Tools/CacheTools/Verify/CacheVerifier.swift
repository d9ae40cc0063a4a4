import CacheBundleInstaller
import CacheStore
import ClientKit
import FileStore
import Foundation
import Pictures
import Rendering
import Text

/// Checks every file of a cache or a bundle, and changes nothing.
package struct CacheVerifier: Sendable {
  /// Needed where the cache has no ledger beside it.
  package var client: CacheClient?
  /// Path of the `preheat-render` executable; nil to decode nothing.
  package var renderer: String?
  /// Worker processes that decode.
  package var workers = ProcessInfo.processInfo.activeProcessorCount
  package var limits = RenderLimits()
  /// Formats that are decoded; of the others only the structure is checked.
  package var formats = ImageFormat.trusted
  /// Decode even where nothing confines the decoders.
  package var allowsUnconfined = false
  /// One of them must have signed a bundle; empty to check no signature.
  package var publicKeys: [BundlePublicKey] = []
  /// The moment that expiry dates are compared with.
  package var now = Date()
  private let calls: FileCalls

  package init(calls: FileCalls = .system) { self.calls = calls }

  /// - Parameters:
  ///   - path: a cache folder, or a bundle of any form.
  ///   - names: files of a folder to look at; nil for all.
  package func verify(
    _ path: String, only names: Set<ByteText>? = nil
  ) async throws -> VerifyReport {
    let listing =
      try Self.isBundle(path) ? nil : CacheListing.open(path, acceptsDamage: true, calls: calls)
    let client = try listing?.client(client)
    let pool = renderer.map {
      RenderPool(
        executable: $0, arguments: allowsUnconfined ? [RenderPool.allowUnconfined] : [], workers: workers)
    }
    let check = EntryCheck(pool: pool, limits: limits, formats: formats)
    let report =
      if let listing, let client {
        try await verify(listing, client, check, only: names)
      } else {
        await verifyBundle(path, check)
      }
    await pool?.shutdown()
    return report
  }

  /// A file is one, and a folder with an index; whatever else lies at the path is a cache or nothing.
  package static func isBundle(_ path: String) throws -> Bool {
    let calls = FileCalls.system
    return try calls.exists(calls.isFolder(path) ? path + "/" + BundleFormat.indexName : path)
  }

  private func verify(
    _ listing: CacheListing, _ client: any ImageClient, _ check: EntryCheck, only names: Set<ByteText>?
  ) async throws -> VerifyReport {
    var report = VerifyReport(path: listing.path, client: client.identity)
    report.findings = try listing.findings(client, now: now)
    let entries = names.map { names in listing.entries.filter { names.contains(ByteText($0.name)) } }
    await report.add(
      EntryCheck.batches(of: entries ?? listing.entries), window: 2 * max(1, workers)
    ) {
      [now] files in
      var findings: [Finding] = []
      var subjects: [EntryCheck.Subject] = []
      for file in files {
        let row = listing.ledger[file.name]
        findings += listing.findings(of: file, row, client, now: now)
        // Other files are not entries; they are neither checked nor repaired.
        guard row != nil || client.isName(file.name, ofKey: nil) else { continue }
        subjects.append(
          EntryCheck.Subject(
            file: file.name, key: row?.origin.key, source: row?.origin.source, digest: row?.digest,
            size: file.size, stored: row.map { Int($0.size) }))
      }
      return (findings, await check.check(subjects, in: listing.files))
    }
    report.sort()
    return report
  }
}

extension VerifyReport {
  /// Checks many batches at once, but no more than `window` at a time: each holds its bytes.
  fileprivate mutating func add(
    _ batches: [ArraySlice<FileEntry>], window: Int,
    _ check: @escaping @Sendable (ArraySlice<FileEntry>) async -> EntryCheck.Batch
  ) async {
    await withTaskGroup(of: EntryCheck.Batch.self) { group in
      for (index, batch) in batches.enumerated() {
        if Task.isCancelled { break }
        if index >= window, let batch = await group.next() { add(batch) }
        group.addTask { await check(batch) }
      }
      for await batch in group { add(batch) }
    }
  }

  private mutating func add(_ batch: EntryCheck.Batch) {
    findings += batch.findings
    for result in batch.results { add(result) }
  }

  mutating func add(_ result: EntryCheck.Result) {
    files += 1
    bytes += result.bytes
    decoded += result.isDecoded ? 1 : 0
    digested += result.isDigested ? 1 : 0
    findings += result.findings
  }
}

/// Findings about a cache folder that need no file's bytes.
extension CacheListing {
  /// About the folder as a whole, and what is missing in it.
  fileprivate func findings(_ client: any FolderClient, now: Date) throws -> [Finding] {
    var findings = missing.map { name in
      let origin = ledger[name]?.origin
      return Finding(
        code: .missing, file: name, key: origin?.key, source: origin?.source,
        message: "the ledger has it, but the folder does not")
    }
    if let damage {
      let fact = damage.isDamage ? damage.fact : "\(damage.fact); the files are checked without it"
      findings.append(Finding(code: damage.isDamage ? .ledger : .unread, message: fact))
    }
    if !entries.isEmpty, let why = try client.stampProblem(in: files, now: now) {
      findings.append(
        Finding(
          code: .stamp, message: "\(why): an app may sweep the folder a few seconds after its first launch"))
    }
    return findings
  }

  /// About one file: its name, its dates, whether it is foreign.
  fileprivate func findings(
    of file: FileEntry, _ row: LedgerEntry?, _ client: any FolderClient, now: Date
  ) -> [Finding] {
    var findings: [Finding] = []
    func found(_ code: Finding.Code, _ message: String) {
      findings.append(
        Finding(
          code: code, file: file.name, key: row?.origin.key, source: row?.origin.source, message: message))
    }
    if row == nil, !client.isName(file.name, ofKey: nil) {
      found(.foreign, "\(client.identity) gives no file such a name")
    } else if hasLedger, row == nil {
      found(.foreign, "the ledger does not know it")
    }
    if let key = row?.origin.key, !client.isName(file.name, ofKey: key) {
      found(.name, "\(client.identity) looks for the key of this entry under another name")
    }
    if let expires = client.folder.expiry(modified: file.modificationDate), expires <= now {
      found(.expired, "it expired at \(expires.formatted(.iso8601))")
    } else if let row, row.modified != file.status.modified {
      found(.dates, "its modification date is not the one that was written")
    }
    return findings
  }
}
