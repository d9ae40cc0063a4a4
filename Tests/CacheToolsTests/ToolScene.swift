import ClientKit
import ClientRegistry
import Foundation
import NukeCache
import TestSupport
import Testing
import Text

@testable import CacheStore
@testable import Digests
@testable import FileStore

/// A folder with caches that have ledgers, made without a run.
struct ToolScene {
  let temporary = TemporaryFolder.new

  func path(_ name: String) -> String { temporary.file(name).path }

  /// The name that Nuke gives a source's own entry.
  static func name(_ url: String) -> String { SHA1.hexadecimal(of: url) }

  /// The bytes of a small picture.
  static let picture = (try? Fixtures.image("logo.png")) ?? Data()

  /// Pictures under their names.
  static func pictures(_ names: some Sequence<String>) throws -> [String: Data] {
    Dictionary(uniqueKeysWithValues: try names.map { ($0, try Fixtures.image($0)) })
  }

  /// What asks for a client where there is no ledger.
  static let nuke = CacheClient(name: "nuke", release: Release(NukeVersion.latest))

  /// A cache with one entry for each key.
  @discardableResult
  func cache(
    _ name: String, _ entries: [String: Data], client: String = "nuke 12.9.0", modified: Date? = nil,
    stamp: Date? = .distantFuture
  ) throws -> String {
    let path = path(name)
    let state = StateFolder(cache: path)
    let files = try state.prepare()
    let ledger = try LedgerWriter(path: state.ledger)
    for (key, data) in entries {
      let file = try #require(ClientRegistry.client(client)).fileName(ofKey: key)
      try files.write(data, as: file, dates: FileDates(modification: modified))
      let status = try CacheFileStatus(folder: path, name: file)
      try ledger.record([
        LedgerEntry(
          file: file, sourceID: "s", identity: "i", size: Int64(data.count),
          digest: hexadecimal(SHA256.hash(data)), modified: status?.modified ?? 0, sourceDigest: "d",
          origin: EntryOrigin(
            client: client, job: "../app.job", key: key, source: key, chain: "original", content: "original"))
      ])
    }
    if let stamp { try files.write(DataCacheInfo(lastSweepDate: stamp).encoded, as: DataCacheInfo.fileName) }
    return path
  }

  /// Gives the entries of these keys rising priorities, as far as a cache has them.
  func rank(_ keys: [String], in name: String) throws {
    let ledger = try LedgerWriter(path: StateFolder(cache: path(name)).ledger)
    try ledger.record(
      try rows(name).map { row in
        var row = row
        row.origin.priority = (keys.firstIndex(of: row.origin.key ?? "") ?? 0) - keys.count / 2
        return row
      })
  }

  func rows(_ name: String) throws -> [LedgerEntry] {
    try LedgerReader(path: StateFolder(cache: path(name)).ledger).rows()?.entries ?? []
  }

  func names(_ name: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path(name)).filter { !$0.hasPrefix(".") }.sorted()
  }
}

extension CacheClient {
  /// The plain name of a key's file.
  func fileName(ofKey key: String) -> String {
    if name == "nuke" { return SHA1.hexadecimal(of: key) }
    return release.major >= 8 ? SHA256.hexadecimal(of: key) : MD5.hexadecimal(of: key)
  }
}
