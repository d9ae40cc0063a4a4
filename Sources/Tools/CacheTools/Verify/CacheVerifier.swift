import CacheBundleInstaller
import CacheStore
import ClientKit
import ContentDigests
import FileStore
import Foundation
import Pictures
import Planning
import Rendering

/// Checks every file of a cache or a bundle, and changes nothing.
package struct CacheVerifier: Sendable {
  let options: VerifyOptions

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
          ? await verifyBundle(path, check)
          : try await verifyFolder(path, check))
    } catch {
      result = .failure(error)
    }
    await pool?.shutdown()
    return try result.get()
  }

  /// A file is one, and a folder with an index; whatever else lies at the path is a cache or nothing.
  package static func isBundle(_ path: String) -> Bool {
    FileManager.default.fileExists(
      atPath: OutputFile.isFolder(path) ? path + "/" + BundleFormat.indexName : path)
  }

  private func verifyFolder(_ path: String, _ check: EntryCheck) async throws(ToolError) -> VerifyReport {
    let listing = try CacheListing.open(path, acceptsDamage: true)
    let client = try listing.client(options.client)
    var report = VerifyReport(path: listing.path, client: client.identity)
    report.findings = listing.findings(client, now: options.now)
    // Other files are not entries; they are neither checked nor repaired.
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

/// Findings about a cache folder that need no file's bytes: names, dates, missing and foreign files.
extension CacheListing {
  fileprivate func findings(_ client: any FolderClient, now: Date) -> [VerifyFinding] {
    var findings = entries.flatMap { self.findings(of: $0, client, now: now) }
    let present = Set(entries.map(\.name))
    for (name, row) in ledger where !present.contains(name) {
      findings.append(
        VerifyFinding(
          .missing, file: name, key: row.origin.key, "the ledger has it, but the folder does not")
      )
    }
    if let damage {
      let fact = damage.isDamage ? damage.fact : "\(damage.fact); the files are checked without it"
      findings.append(VerifyFinding(damage.isDamage ? .ledger : .unread, fact))
    }
    if !entries.isEmpty, let why = client.stampProblem(in: files, now: now) {
      findings.append(
        VerifyFinding(.stamp, "\(why): an app may sweep the folder a few seconds after its first launch"))
    }
    return findings
  }

  private func findings(of file: FileEntry, _ client: any FolderClient, now: Date) -> [VerifyFinding] {
    var findings: [VerifyFinding] = []
    let row = ledger[file.name]
    func found(_ code: VerifyFinding.Code, _ message: String) {
      findings.append(VerifyFinding(code, file: file.name, key: row?.origin.key, message))
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
    } else if let row, row.modified != CacheFileStatus(folder: path, name: file.name)?.modified ?? 0 {
      // To the nanosecond, as the ledger has it; a `Date` is a little coarser.
      found(.dates, "its modification date is not the one that was written")
    }
    return findings
  }
}

/// Proves the bytes of one file: structure, digest, decoding.
package struct EntryCheck: Sendable {
  /// Nil to decode nothing.
  package var pool: RenderPool?
  package var limits: RenderLimits
  package var formats: Set<ImageFormat>

  package struct Subject: Sendable {
    package var file: String
    package var key: String?
    /// SHA-256 that the bytes must have, where somebody knows it.
    package var digest: String?
  }

  package struct Result: Sendable {
    package var findings: [VerifyFinding] = []
    package var bytes = 0
    package var isDecoded = false
    var isDigested = false
  }

  /// One reason to distrust the bytes is enough: a wrong digest says that before any decoder does.
  func check(_ subject: Subject, _ bytes: [UInt8]) async -> Result {
    var result = Result(bytes: bytes.count)
    func found(_ code: VerifyFinding.Code, _ message: String) {
      result.findings.append(VerifyFinding(code, file: subject.file, key: subject.key, message))
    }
    guard !bytes.isEmpty else {
      found(.empty, "it is empty")
      return result
    }
    if let digest = subject.digest {
      result.isDigested = true
      if ContentDigest.sha256(bytes) != digest { found(.digest, "it is not what was stored") }
    }
    do throws(RenderFailure) {
      let header = try ImageHeader.read(bytes)
      guard header.isComplete else {
        found(.truncated, "the \(header.format.name) ends before its end mark")
        return result
      }
      guard let pool, formats.contains(header.format) else { return result }
      try await decode(bytes, pool)
      result.isDecoded = true
    } catch {
      let code = error.code.finding
      // A truncated file gets a finding besides that of its digest.
      found(code, error.message)
    }
    return result
  }

  private func decode(_ bytes: [UInt8], _ pool: RenderPool) async throws(RenderFailure) {
    let proof = RenderRequest.Output(steps: [], encoding: .original)
    let renderer = SourceRenderer(pool: pool, limits: limits, formats: formats)
    _ = try await renderer.render([proof], of: bytes).bytes(at: 0, source: [])
  }
}

extension RenderFailure.Code {
  fileprivate var finding: VerifyFinding.Code {
    switch self {
    case .format: .format
    case .truncated: .truncated
    case .damaged, .crash, .limit, .size, .encode: .undecodable
    case .memory, .timeout, .worker, .cancelled: .undecided
    }
  }
}
