import Foundation
import TestSupport

@testable import CacheStore
@testable import Planning
@testable import SQLiteStore

/// Ledgers of all kinds in a folder.
struct LedgerScene {
  let temporary: TemporaryFolder

  init() throws {
    temporary = try TemporaryFolder()
  }

  var folder: URL { temporary.file("state") }
  var path: String { folder.appendingPathComponent("ledger.sqlite").path }
  var reader: LedgerReader { LedgerReader(path: path) }

  static let origin = EntryOrigin(
    client: "kingfisher 8.11.0", key: nil, source: "https://e.com/1.jpg", chain: "card", content: "encoded",
    expiry: "never", priority: 1)

  static func entry(_ file: String, size: Int = 3) -> LedgerEntry {
    LedgerEntry(
      file: file, sourceID: "s", identity: "i", size: Int64(size), digest: "d", modified: 7,
      sourceDigest: "b", etag: "\"e\"", lastModified: nil, origin: origin)
  }

  func entry(_ file: String, size: Int = 3) -> LedgerEntry { Self.entry(file, size: size) }

  /// How a ledger may be found.
  enum Kind: CaseIterable {
    case current, version1, version2WithOrigins, version2WithDigests, unnumbered
    /// A run was killed: rows are in the log, with or without the log's index.
    case killed, killedWithoutIndex
    case newer, garbage, truncated, foreign
    case empty, missing
  }

  /// The rows that each kind has, of files `aa` and `bb`.
  static func rows(_ kind: Kind) -> [LedgerEntry]? {
    let rows = [entry("aa"), entry("bb", size: 9)]
    return switch kind {
    case .current, .killed, .killedWithoutIndex, .unnumbered: rows
    case .version1:
      rows.map {
        with($0) {
          $0.sourceDigest = ""
          $0.origin = nil
        }
      }
    case .version2WithOrigins: rows.map { with($0) { $0.sourceDigest = "" } }
    case .version2WithDigests: rows.map { with($0) { $0.origin = nil } }
    case .newer, .garbage, .truncated, .foreign, .empty, .missing: nil
    }
  }

  private static func with(_ entry: LedgerEntry, _ change: (inout LedgerEntry) -> Void) -> LedgerEntry {
    var entry = entry
    change(&entry)
    return entry
  }

  private static let origins =
    "client TEXT, entry_key TEXT, source TEXT, chain TEXT, content TEXT, "
    + "expiry TEXT, priority INTEGER NOT NULL"
  private static let digests = "source_digest TEXT NOT NULL, "

  func make(_ kind: Kind) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    switch kind {
    case .missing: break
    case .empty: try Data().write(to: URL(fileURLWithPath: path))
    case .garbage: try Data(repeating: 65, count: 4096).write(to: URL(fileURLWithPath: path))
    case .foreign: try SQLiteDatabase(path: path).execute("CREATE TABLE other (a); PRAGMA user_version = 3")
    case .version1: try make(version: 1, digests: "", origins: "")
    case .version2WithOrigins: try make(version: 2, digests: "", origins: ", " + Self.origins)
    case .version2WithDigests: try make(version: 2, digests: Self.digests, origins: "")
    case .unnumbered: try make(version: 0, digests: Self.digests, origins: ", " + Self.origins)
    case .current: try make(version: 3, digests: Self.digests, origins: ", " + Self.origins)
    case .newer:
      try make(.current)
      try SQLiteDatabase(path: path).execute(
        "ALTER TABLE entry ADD COLUMN more TEXT; PRAGMA user_version = 99")
    case .truncated:
      try LedgerWriter(path: path).record((0..<500).map { entry("\($0)") })
      try FileHandle(forWritingTo: URL(fileURLWithPath: path)).truncate(atOffset: 20_000)
    case .killed, .killedWithoutIndex:
      let other = temporary.file("other.sqlite").path
      let writer = try LedgerWriter(path: other)
      try writer.record([entry("aa"), entry("bb", size: 9)])
      for suffix in ["", "-wal", "-shm"] where kind == .killed || suffix != "-shm" {
        try FileManager.default.copyItem(atPath: other + suffix, toPath: path + suffix)
      }
      withExtendedLifetime(writer) {}
    }
  }

  /// As the releases before this one made it.
  private func make(version: Int, digests: String, origins: String) throws {
    let database = try SQLiteDatabase(path: path)
    let origin =
      origins.isEmpty
      ? "" : ", 'kingfisher 8.11.0', NULL, 'https://e.com/1.jpg', 'card', 'encoded', 'never', 1"
    let digest = digests.isEmpty ? "" : "'b', "
    try database.execute(
      """
      PRAGMA journal_mode = WAL;
      CREATE TABLE entry (
        file TEXT PRIMARY KEY, source_id TEXT NOT NULL, identity TEXT NOT NULL, size INTEGER NOT NULL,
        digest TEXT NOT NULL, modified INTEGER NOT NULL, \(digests)etag TEXT, last_modified TEXT\(origins)
      ) WITHOUT ROWID;
      INSERT INTO entry VALUES ('bb', 's', 'i', 9, 'd', 7, \(digest)'"e"', NULL\(origin));
      INSERT INTO entry VALUES ('aa', 's', 'i', 3, 'd', 7, \(digest)'"e"', NULL\(origin));
      PRAGMA user_version = \(version);
      """)
  }
}
