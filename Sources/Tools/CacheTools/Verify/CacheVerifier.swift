import CacheBundleInstaller
import CacheStore
import ClientKit
import FileStore
import Foundation
import Rendering

/// Checks every file of a cache or a bundle, and changes nothing.
package struct CacheVerifier: Sendable {
  private let options: VerifyOptions

  package init(_ options: VerifyOptions = VerifyOptions()) {
    self.options = options
  }

  /// - Parameter path: a cache folder, or a bundle of any form.
  package func verify(_ path: String) async throws(ToolError) -> VerifyReport {
    let pool = options.renderer.map {
      RenderPool(
        executable: $0, arguments: options.allowsUnconfined ? [RenderPool.allowUnconfined] : [],
        workers: options.workers)
    }
    let check = EntryCheck(pool: pool, limits: options.limits, formats: options.formats)
    let result: Result<VerifyReport, ToolError>
    do throws(ToolError) {
      result = .success(
        Self.isBundle(path)
          ? await BundleVerification(path: path, check: check, publicKeys: options.publicKeys).report()
          : try await verifyFolder(path, check))
    } catch {
      result = .failure(error)
    }
    await pool?.shutdown()
    return try result.get()
  }

  /// A file is one, and a folder with an index; whatever else lies at the path is a cache or nothing.
  package static func isBundle(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return false }
    return !isFolder.boolValue
      || FileManager.default.fileExists(atPath: path + "/" + BundleFormat.indexName)
  }

  private func verifyFolder(_ path: String, _ check: EntryCheck) async throws(ToolError) -> VerifyReport {
    let listing = try CacheListing.open(path, acceptsDamage: true)
    let client = try listing.client(options.client)
    var report = VerifyReport(path: listing.path, client: client.identity)
    let facts = FolderFacts(listing: listing, client: client, now: options.now)
    report.findings = facts.findings()
    // Whatever else lies there is nobody's entry, and nobody's to judge or to repair.
    let subjects = listing.entries.filter {
      listing.ledger[$0.name] != nil || client.isName($0.name, ofKey: nil)
    }
    .map { file in
      EntryCheck.Subject(
        file: file.name, key: listing.ledger[file.name]?.origin.key,
        digest: listing.ledger[file.name]?.digest)
    }
    let files = listing.files
    await report.add(subjects, window: 2 * max(1, options.workers)) { subject in
      do throws(FileStoreError) {
        guard let data = try files.read(subject.file, keepingAccessDate: true) else {
          // It went away since the folder was listed, as a cache's files may.
          return EntryCheck.Result()
        }
        return await check.check(subject, [UInt8](data))
      } catch {
        return EntryCheck.Result(
          findings: [VerifyFinding(.unreadable, file: subject.file, key: subject.key, "\(error)")])
      }
    }
    report.sort()
    return report
  }
}

extension VerifyReport {
  /// Checks many files at once, but no more than `window` at a time: each holds its bytes.
  package mutating func add(
    _ subjects: [EntryCheck.Subject], window: Int,
    _ check: @escaping @Sendable (EntryCheck.Subject) async -> EntryCheck.Result
  ) async {
    let results = await withTaskGroup(of: EntryCheck.Result.self) { group in
      var results: [EntryCheck.Result] = []
      for (index, subject) in subjects.enumerated() {
        if Task.isCancelled { break }
        if index >= window, let result = await group.next() { results.append(result) }
        group.addTask { await check(subject) }
      }
      for await result in group { results.append(result) }
      return results
    }
    for result in results { add(result) }
  }

  mutating func add(_ result: EntryCheck.Result) {
    files += 1
    bytes += result.bytes
    decoded += result.isDecoded ? 1 : 0
    digested += result.isDigested ? 1 : 0
    findings += result.findings
  }
}
