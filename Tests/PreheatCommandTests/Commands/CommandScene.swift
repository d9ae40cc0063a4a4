import Digests
import FileStore
import Foundation
import Planning
import TestSupport
import Testing

@testable import CacheStore

/// A folder with a job, and the cache that a run of it leaves, made without a run.
struct CommandScene {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func path(_ name: String) -> String { folder.file(name).path }

  /// A job of two sources in two sizes.
  @discardableResult
  func job(
    _ name: String = "catalog.job", client: String = "nuke 12.9.0", cache: String = "out",
    lines: [String] = ["https://e.com/1.jpg original", "https://e.com/2.jpg original resize(width: 32)"]
  ) throws -> String {
    let text = "client \(client)\ncache \(cache)\n" + lines.joined(separator: "\n") + "\n"
    try folder.write(text, to: name)
    return path(name)
  }

  func write(_ text: String, to name: String) throws {
    try folder.write(text, to: name)
  }

  /// Files and ledger of everything that a job stores; each file is the same small picture.
  @discardableResult
  func cache(of job: String) throws -> String {
    let plan = try #require(Plan.make(.file(job)).plan)
    let picture = try Data(contentsOf: Fixtures.folder.appendingPathComponent("images/logo.png"))
    let state = StateFolder(cache: plan.settings.cache)
    let files = try state.prepare()
    let ledger = try LedgerWriter(path: state.ledger)
    for rendition in plan.renditions {
      for store in rendition.stores {
        try files.write(picture, as: store.fileName)
        let status = try CacheFileStatus(folder: state.cache, name: store.fileName)
        try ledger.record([
          LedgerEntry(
            file: store.fileName, sourceID: rendition.source, identity: "i", size: Int64(picture.count),
            digest: hexadecimal(SHA256.hash(picture)), modified: status?.modified ?? 0, sourceDigest: "d",
            origin: EntryOrigin(store, of: rendition, job: plan.jobName, client: rendition.client.description)
          )
        ])
      }
    }
    return state.cache
  }

  func names(_ cache: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: cache).filter { !$0.hasPrefix(".") }.sorted()
  }

  func preheat(_ arguments: String..., environment: [String: String] = [:]) async throws -> Outcome {
    try await Outcome(of: arguments, environment: environment)
  }
}
