import Glibc
import Planning
import SQLiteStore
import Synchronization

/// The SQLite file in the state folder that says of every cache file what it was made from.
///
/// A row is written only after its file is in place, so a missing row costs a rendering and a
/// present one is checked against the file before it is believed.
package final class Ledger: Sendable {
  private struct Connection: ~Copyable {
    package let database: SQLiteDatabase
    package let select: SQLiteDatabase.Statement
    package let upsert: SQLiteDatabase.Statement
    /// Whether a transaction is open in which rows are looked up: locking the file for each costs as much as the row.
    var isReading = false

    mutating func beginReading() throws(SQLiteDatabase.Failure) {
      guard !isReading else { return }
      try database.execute("BEGIN")
      isReading = true
    }

    /// Before anything is written, which needs a transaction of its own.
    mutating func endReading() throws(SQLiteDatabase.Failure) {
      guard isReading else { return }
      isReading = false
      try database.execute("COMMIT")
    }
  }

  /// Grows when the table changes; another number on disk means the ledger is made anew.
  private static let schemaVersion: Int64 = 3

  private let connection: Mutex<Connection>

  /// Opens or creates the ledger. One that cannot be read as a ledger is replaced: it is only a memory.
  package init(path: String) throws(StoreFailure) {
    do throws(SQLiteDatabase.Failure) {
      connection = Mutex(try Self.connectOrReplace(path: path))
    } catch {
      throw StoreFailure(.ledger, "the ledger \(path) cannot be opened: \(error.message)")
    }
  }

  private static func connectOrReplace(path: String) throws(SQLiteDatabase.Failure) -> Connection {
    do throws(SQLiteDatabase.Failure) {
      return try connect(path: path)
    } catch  where error.isDamage {
      for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
      return try connect(path: path)
    }
  }

  private static func connect(path: String) throws(SQLiteDatabase.Failure) -> Connection {
    let database = try SQLiteDatabase(path: path)
    // The cache files are synced by their own group commit; the write-ahead log needs no more.
    try database.execute(
      """
      PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 2000;
      PRAGMA mmap_size = \(SQLiteDatabase.mappedBytes);
      """)
    var version: Int64 = 0
    try database.prepare("PRAGMA user_version").run { version = $0.integer(0) }
    if version != schemaVersion {
      try database.execute(
        """
        DROP TABLE IF EXISTS entry;
        CREATE TABLE entry (
          file TEXT PRIMARY KEY, source_id TEXT NOT NULL, identity TEXT NOT NULL, size INTEGER NOT NULL,
          digest TEXT NOT NULL, modified INTEGER NOT NULL, source_digest TEXT NOT NULL, etag TEXT,
          last_modified TEXT,
          client TEXT, entry_key TEXT, source TEXT, chain TEXT, content TEXT, expiry TEXT, priority INTEGER NOT NULL
        ) WITHOUT ROWID;
        PRAGMA user_version = \(schemaVersion);
        """)
    }
    return Connection(
      database: database,
      select: try database.prepare(
        "SELECT \(columns) FROM entry WHERE file = ?"),
      upsert: try database.prepare(
        "INSERT OR REPLACE INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"))
  }

  /// The row of a file, or nil.
  package func entry(file: String) throws(StoreFailure) -> LedgerEntry? {
    try connection.withLock { connection throws(StoreFailure) in
      var found: LedgerEntry?
      do throws(SQLiteDatabase.Failure) {
        try connection.beginReading()
        try connection.select.run([.text(file)]) { row in
          found = Self.entry(row)
        }
      } catch {
        throw Self.failure("read", error)
      }
      return found
    }
  }

  /// All rows in the order of their files' names.
  package func entries() throws(StoreFailure) -> [LedgerEntry] {
    try connection.withLock { connection throws(StoreFailure) in
      var entries: [LedgerEntry] = []
      do throws(SQLiteDatabase.Failure) {
        try connection.database.prepare("SELECT \(Self.columns) FROM entry ORDER BY file").run { row in
          entries.append(Self.entry(row))
        }
      } catch {
        throw Self.failure("read", error)
      }
      return entries
    }
  }

  /// Forgets files that are no longer in the cache.
  package func remove(files: [String]) throws(StoreFailure) {
    try connection.withLock { connection throws(StoreFailure) in
      do throws(SQLiteDatabase.Failure) {
        try connection.endReading()
        let delete = try connection.database.prepare("DELETE FROM entry WHERE file = ?")
        for file in files { try delete.run([.text(file)]) }
      } catch {
        throw Self.failure("written", error)
      }
    }
  }

  /// Writes all rows or none.
  package func record(_ entries: [LedgerEntry]) throws(StoreFailure) {
    try connection.withLock { connection throws(StoreFailure) in
      do throws(SQLiteDatabase.Failure) {
        try connection.endReading()
        try connection.database.execute("BEGIN IMMEDIATE")
        for entry in entries {
          try connection.upsert.run(Self.values(entry))
        }
        try connection.database.execute("COMMIT")
      } catch {
        try? connection.database.execute("ROLLBACK")
        throw Self.failure("written", error)
      }
    }
  }

  private static func failure(_ verb: String, _ failure: SQLiteDatabase.Failure) -> StoreFailure {
    let advice = failure.isDamage ? "; remove it, it is made anew with the cache" : ""
    return StoreFailure(
      failure.isFull ? .full : .ledger, "the ledger cannot be \(verb): \(failure.message)\(advice)")
  }
}
