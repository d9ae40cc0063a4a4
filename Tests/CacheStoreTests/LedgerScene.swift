import Foundation
import TestSupport

@testable import CacheStore
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
    client: "kingfisher 8.11.0", job: "../app.job", key: nil, source: "https://e.com/1.jpg", chain: "card",
    content: "encoded",
    expiry: "never", priority: 1)

  static func entry(_ file: String, size: Int = 3) -> LedgerEntry {
    LedgerEntry(
      file: file, sourceID: "s", identity: "i", size: Int64(size), digest: "d", modified: 7,
      sourceDigest: "b", etag: "\"e\"", lastModified: nil, origin: origin)
  }

  func entry(_ file: String, size: Int = 3) -> LedgerEntry { Self.entry(file, size: size) }

  /// How a ledger may be found.
  enum Kind: CaseIterable {
    case current
    /// The form before this one, and one that had fewer columns.
    case earlier, older
    /// A run was killed: rows are in the log. With what an earlier release's run leaves besides.
    case killed, killedWithIndex
    case newer, garbage, truncated, foreign
    /// A view without end has the table's name and its columns, in this form and in an earlier one.
    case endless, olderEndless
    case empty, missing
  }

  /// The rows that each kind has, of files `aa` and `bb`.
  static func rows(_ kind: Kind) -> [LedgerEntry]? {
    let rows = [entry("aa"), entry("bb", size: 9)]
    return switch kind {
    case .current, .earlier, .killed, .killedWithIndex: rows
    case .older:
      rows.map { row in
        var row = row
        (row.drawing, row.origin.job) = (0, "")
        return row
      }
    case .newer, .garbage, .truncated, .foreign, .endless, .olderEndless, .empty, .missing: nil
    }
  }

  func make(_ kind: Kind) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    switch kind {
    case .missing: break
    case .empty: try Data().write(to: URL(fileURLWithPath: path))
    case .garbage: try Data(repeating: 65, count: 4096).write(to: URL(fileURLWithPath: path))
    case .foreign: try SQLiteDatabase(path: path).execute("CREATE TABLE other (a); PRAGMA user_version = 3")
    case .current: try LedgerWriter(path: path).record([entry("aa"), entry("bb", size: 9)])
    case .earlier:
      try make(.current)
      try SQLiteDatabase(path: path).execute(
        """
        ALTER TABLE entry RENAME TO other; ALTER TABLE other DROP COLUMN sum;
        CREATE TABLE entry (file TEXT NOT NULL PRIMARY KEY, source_id TEXT NOT NULL, identity TEXT NOT NULL,
        drawing INTEGER NOT NULL, size INTEGER NOT NULL, digest TEXT NOT NULL, modified INTEGER NOT NULL,
        source_digest TEXT NOT NULL, etag TEXT, last_modified TEXT, client TEXT NOT NULL, job TEXT NOT NULL,
        entry_key TEXT, source TEXT NOT NULL, chain TEXT NOT NULL, content TEXT NOT NULL, expiry TEXT,
        priority INTEGER NOT NULL, mark INTEGER NOT NULL);
        INSERT INTO entry SELECT *, 7 FROM other; DROP TABLE other; PRAGMA user_version = 5;
        """)
    case .endless, .olderEndless:
      let columns = (LedgerTable.table.columns.map(\.name) + ["sum"]).map { "x AS \($0)" }.joined(
        separator: ", ")
      try SQLiteDatabase(path: path).execute(
        """
        CREATE VIEW entry AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT \(columns) FROM c;
        PRAGMA user_version = \(LedgerTable.table.version - (kind == .endless ? 0 : 1));
        """)
    case .older:
      try make(.current)
      try SQLiteDatabase(path: path).execute(
        "ALTER TABLE entry DROP COLUMN job; ALTER TABLE entry DROP COLUMN drawing; PRAGMA user_version = 3")
    case .newer:
      try make(.current)
      try SQLiteDatabase(path: path).execute(
        "ALTER TABLE entry ADD COLUMN more TEXT; PRAGMA user_version = 99")
    case .truncated:
      try LedgerWriter(path: path).record((0..<500).map { entry("\($0)") })
      try FileHandle(forWritingTo: URL(fileURLWithPath: path)).truncate(atOffset: 20_000)
    case .killed, .killedWithIndex:
      let other = temporary.file("other.sqlite").path
      let writer = try LedgerWriter(path: other)
      try writer.record([entry("aa"), entry("bb", size: 9)])
      for suffix in ["", "-wal"] {
        try FileManager.default.copyItem(atPath: other + suffix, toPath: path + suffix)
      }
      if kind == .killedWithIndex { try Data(count: 32768).write(to: URL(fileURLWithPath: path + "-shm")) }
      withExtendedLifetime(writer) {}
    }
  }
}

extension LedgerReader {
  /// Rows in the order of their files' names; nil where no ledger has been written.
  func entries() throws(LedgerFailure) -> [LedgerEntry]? { try rows()?.entries }
}
