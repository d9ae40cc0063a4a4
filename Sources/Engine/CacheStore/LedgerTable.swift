import Planning
import SQLiteStore

/// The table of the ledger, as this release writes it and as earlier ones wrote it.
///
/// Version 1 knew files and their sources. Of version 2 there were two, one with what an entry is for those who look
/// into the cache, one with the digest of the source; version 3 has both. So the columns that are there decide, and the
/// number only says whether they are known.
struct LedgerTable: Hashable, Sendable {
  static let currentVersion: Int64 = 3
  static let oldestVersion: Int64 = 1

  let version: Int64
  private let columns: Set<String>

  private struct Column {
    var name: String
    var type: String
    /// What stands in for it in a table of an earlier version, as SQL; nil where all versions have it.
    var substitute: String?
  }

  private static let all = [
    Column(name: "file", type: "TEXT PRIMARY KEY"),
    Column(name: "source_id", type: "TEXT NOT NULL"),
    Column(name: "identity", type: "TEXT NOT NULL"),
    Column(name: "size", type: "INTEGER NOT NULL"),
    Column(name: "digest", type: "TEXT NOT NULL"),
    Column(name: "modified", type: "INTEGER NOT NULL"),
    // No digest is empty, so no original of an older ledger is taken for the source's own bytes.
    Column(name: "source_digest", type: "TEXT NOT NULL", substitute: "''"),
    Column(name: "etag", type: "TEXT"),
    Column(name: "last_modified", type: "TEXT"),
    Column(name: "client", type: "TEXT", substitute: "NULL"),
    Column(name: "entry_key", type: "TEXT", substitute: "NULL"),
    Column(name: "source", type: "TEXT", substitute: "NULL"),
    Column(name: "chain", type: "TEXT", substitute: "NULL"),
    Column(name: "content", type: "TEXT", substitute: "NULL"),
    Column(name: "expiry", type: "TEXT", substitute: "NULL"),
    Column(name: "priority", type: "INTEGER NOT NULL", substitute: "0"),
  ]

  private static let names = all.map(\.name).joined(separator: ", ")

  var isCurrent: Bool { version == Self.currentVersion && columns == Set(Self.all.map(\.name)) }

  /// - Returns: Nil for a database that nothing has been written to.
  static func find(
    in database: SQLiteDatabase, path: String
  ) throws(LedgerFailure) -> LedgerTable? {
    var version: Int64 = 0
    var tables: [String] = []
    var columns: Set<String> = []
    do throws(SQLiteDatabase.Failure) {
      version = try database.userVersion()
      try database.prepare("SELECT name FROM sqlite_master").run { tables.append($0.text(0) ?? "") }
      columns = try database.columns(of: "entry")
    } catch {
      throw LedgerFailure(error, path: path)
    }
    if version == 0, tables.isEmpty { return nil }
    guard version <= currentVersion else { throw LedgerFailure(.newer(version), path: path) }
    // Zero is what is left where an older release was killed between making the table and numbering it.
    let required = all.filter { $0.substitute == nil }.map(\.name)
    guard version >= 0, columns.isSuperset(of: required) else {
      throw LedgerFailure(.damaged("it is a database of something else"), path: path)
    }
    return LedgerTable(version: version, columns: columns)
  }

  /// The columns in the order of ``entry(_:)``, whatever version the table has.
  private var selection: String {
    Self.all.map { columns.contains($0.name) ? $0.name : $0.substitute ?? "NULL" }.joined(separator: ", ")
  }

  /// Rows in the order of their files' names.
  func entries(in database: SQLiteDatabase) throws(SQLiteDatabase.Failure) -> [LedgerEntry] {
    try Self.entries(selection, in: database) { _ in true }
  }

  private static func entries(
    _ selection: String, in database: SQLiteDatabase, where isWanted: (LedgerEntry) -> Bool
  ) throws(SQLiteDatabase.Failure) -> [LedgerEntry] {
    var entries: [LedgerEntry] = []
    try database.prepare("SELECT \(selection) FROM entry ORDER BY file").run {
      let entry = Self.entry($0)
      if isWanted(entry) { entries.append(entry) }
    }
    return entries
  }

  /// What can still be reached of a damaged table.
  func salvage(from database: SQLiteDatabase) -> [String: LedgerEntry] {
    var found: [String: LedgerEntry] = [:]
    database.salvage("SELECT \(selection) FROM entry", by: "file") { row in
      let entry = Self.entry(row)
      found[entry.file] = found[entry.file] ?? entry
    }
    return found
  }

  // What follows is for a table of the current version.

  private static var creation: String {
    let columns = all.map { "\($0.name) \($0.type)" }.joined(separator: ", ")
    return "CREATE TABLE entry (\(columns)) WITHOUT ROWID; PRAGMA user_version = \(currentVersion);"
  }

  /// Makes the table, or brings an older one to the current version with all its rows. In a transaction of the caller.
  static func makeCurrent(_ old: LedgerTable?, in database: SQLiteDatabase) throws(SQLiteDatabase.Failure) {
    guard let old else { return try database.execute(creation) }
    guard !old.isCurrent else { return }
    try database.execute(
      """
      ALTER TABLE entry RENAME TO older_entry;
      \(creation)
      INSERT INTO entry (\(names)) SELECT \(old.selection) FROM older_entry;
      DROP TABLE older_entry;
      """)
  }

  /// The rows that `isWanted` takes, in the order of their files' names.
  static func entries(
    in database: SQLiteDatabase, where isWanted: (LedgerEntry) -> Bool
  ) throws(SQLiteDatabase.Failure) -> [LedgerEntry] {
    try entries(names, in: database, where: isWanted)
  }

  static let lookup = "SELECT \(names) FROM entry WHERE file = ?"
  static let replacement =
    "INSERT OR REPLACE INTO entry (\(names)) VALUES (\(all.map { _ in "?" }.joined(separator: ", ")))"
  static let removal = "DELETE FROM entry WHERE file = ?"
  static let clearing = "DELETE FROM entry"

  static func entry(_ row: SQLiteDatabase.Statement) -> LedgerEntry {
    var entry = LedgerEntry(
      file: row.text(0) ?? "", sourceID: row.text(1) ?? "", identity: row.text(2) ?? "", size: row.integer(3),
      digest: row.text(4) ?? "", modified: row.integer(5), sourceDigest: row.text(6) ?? "",
      etag: row.text(7), lastModified: row.text(8))
    if let client = row.text(9) {
      entry.origin = EntryOrigin(
        client: client, key: row.text(10), source: row.text(11) ?? "", chain: row.text(12) ?? "",
        content: row.text(13) ?? "", expiry: row.text(14), priority: Int(row.integer(15)))
    }
    return entry
  }

  static func values(_ entry: LedgerEntry) -> [SQLiteDatabase.Value] {
    func text(_ text: String?) -> SQLiteDatabase.Value { text.map(SQLiteDatabase.Value.text) ?? .null }
    let origin = entry.origin
    return [
      .text(entry.file), .text(entry.sourceID), .text(entry.identity), .integer(entry.size),
      .text(entry.digest), .integer(entry.modified), .text(entry.sourceDigest), text(entry.etag),
      text(entry.lastModified), text(origin?.client), text(origin?.key), text(origin?.source),
      text(origin?.chain), text(origin?.content), text(origin?.expiry),
      .integer(Int64(origin?.priority ?? 0)),
    ]
  }
}
