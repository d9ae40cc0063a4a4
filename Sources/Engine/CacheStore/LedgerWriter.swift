import Concurrency
import FileStore
import Glibc
import Planning
import SQLiteStore
import Text

/// The SQLite file in the state folder that says of every cache file what it was made from, open for changing it.
///
/// A row is written only after its file is in place, so a missing row costs a rendering and a
/// present one is checked against the file before it is believed. Whoever makes one holds the cache's lock;
/// all others use ``LedgerReader``.
package final class LedgerWriter: Sendable {
  private struct Connection {
    let database: SQLiteDatabase
    let select: SQLiteDatabase.Statement
    let upsert: SQLiteDatabase.Statement
    let delete: SQLiteDatabase.Statement
    /// Whether a transaction is open in which rows are looked up: locking the file for each costs as much as the row.
    private var isReading = false

    init(_ database: SQLiteDatabase) throws(SQLiteDatabase.Failure) {
      self.database = database
      select = try database.prepare(LedgerTable.lookup)
      upsert = try database.prepare(LedgerTable.replacement)
      delete = try database.prepare(LedgerTable.removal)
    }

    mutating func row(of file: String) throws(SQLiteDatabase.Failure) -> LedgerEntry? {
      if !isReading { try database.execute("BEGIN") }
      isReading = true
      var found: LedgerEntry?
      try select.run([.text(file)]) { found = LedgerTable.entry($0) }
      return found
    }

    /// All that `body` changes, or nothing.
    mutating func change(
      _ body: (borrowing Connection) throws(SQLiteDatabase.Failure) -> Void
    ) throws(SQLiteDatabase.Failure) {
      if isReading {
        isReading = false
        try database.execute("COMMIT")
      }
      try database.transaction { () throws(SQLiteDatabase.Failure) in try body(self) }
    }
  }

  /// Where a damaged ledger lies now that was found in the place; nil where there was none.
  package let setAside: String?
  private let path: String
  private let calls: FileCalls
  private let connection: Locked<Connection>

  /// Opens or creates the ledger. One of an earlier version is brought to the current one with all its rows. One that
  /// is damaged is moved aside, since a run can do without: it makes again what it knows nothing of.
  package init(path: String, calls: FileCalls = .system) throws(StoreFailure) {
    self.path = path
    self.calls = calls
    do throws(LedgerFailure) {
      connection = Locked(try Self.connect(path))
      setAside = nil
    } catch {
      guard error.isDamage else { throw StoreFailure(error) }
      setAside = try Self.moveAside(path, calls: calls)
      do throws(LedgerFailure) { connection = Locked(try Self.connect(path)) } catch {
        throw StoreFailure(error)
      }
    }
  }

  private static func connect(_ path: String) throws(LedgerFailure) -> Connection {
    // Looked at first without a change: what a later release wrote has to stay as it is.
    try LedgerReader(path: path).check()
    let database: SQLiteDatabase
    do throws(SQLiteDatabase.Failure) {
      database = try SQLiteDatabase(path: path)
      // The cache files are synced by their own group commit; the write-ahead log needs no more.
      try database.execute(
        """
        PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 2000;
        PRAGMA mmap_size = \(SQLiteDatabase.mappedBytes);
        """)
    } catch {
      throw LedgerFailure(error, path: path)
    }
    let table = try LedgerTable.find(in: database, path: path)
    do throws(SQLiteDatabase.Failure) {
      if table?.isCurrent != true {
        try database.transaction { () throws(SQLiteDatabase.Failure) in
          try LedgerTable.makeCurrent(table, in: database)
        }
      }
      return try Connection(database)
    } catch {
      throw LedgerFailure(error, path: path)
    }
  }

  /// Gives a damaged ledger and what belongs to it the first free name, so that nothing is lost which somebody may
  /// want to look at. Needs the cache's lock.
  ///
  /// - Returns: The new path.
  package static func moveAside(_ path: String, calls: FileCalls = .system) throws(StoreFailure) -> String {
    var number = 1
    while access("\(path).damaged-\(number)", F_OK) == 0 { number += 1 }
    let target = "\(path).damaged-\(number)"
    // The ledger comes last: without its log it would be another one, and a log without ledger is thrown away.
    for suffix in ["-wal", "-shm", "-journal", ""] {
      do throws(SystemCall.Failure) {
        try calls.check(.rename, "move aside", path + suffix) { rename(path + suffix, target + suffix) }
      } catch {
        guard error.errno == ENOENT else { throw StoreFailure(error) }
      }
    }
    return target
  }

  /// The row of a file, or nil.
  package func entry(file: String) throws(StoreFailure) -> LedgerEntry? {
    do throws(SQLiteDatabase.Failure) {
      return try connection.withLock { connection throws(SQLiteDatabase.Failure) in
        try connection.row(of: file)
      }
    } catch {
      throw failure("read", error)
    }
  }

  /// Forgets files that are no longer in the cache.
  package func remove(files: [String]) throws(StoreFailure) {
    try change { connection throws(SQLiteDatabase.Failure) in
      for file in files { try connection.delete.run([.text(file)]) }
    }
  }

  /// Writes all rows or none.
  package func record(_ entries: [LedgerEntry]) throws(StoreFailure) {
    try change { connection throws(SQLiteDatabase.Failure) in
      for entry in entries { try connection.upsert.run(LedgerTable.values(entry)) }
    }
  }

  /// Writes all rows in place of those that are there.
  package func replace(with entries: [LedgerEntry]) throws(StoreFailure) {
    try change { connection throws(SQLiteDatabase.Failure) in
      try connection.database.execute(LedgerTable.clearing)
      for entry in entries { try connection.upsert.run(LedgerTable.values(entry)) }
    }
  }

  /// Test hook: a disk that is full beyond so many pages.
  func limitPages(_ count: Int) throws(SQLiteDatabase.Failure) {
    try connection.withLock { connection throws(SQLiteDatabase.Failure) in
      try connection.database.execute("PRAGMA max_page_count = \(count)")
    }
  }

  private func change(
    _ body: @Sendable (borrowing Connection) throws(SQLiteDatabase.Failure) -> Void
  ) throws(StoreFailure) {
    do throws(SystemCall.Failure) { try calls.check(.commit, "write", path) { 0 } } catch {
      throw StoreFailure(error)
    }
    do throws(SQLiteDatabase.Failure) {
      try connection.withLock { connection throws(SQLiteDatabase.Failure) in try connection.change(body) }
    } catch {
      throw failure("written", error)
    }
  }

  private func failure(_ verb: String, _ failure: SQLiteDatabase.Failure) -> StoreFailure {
    let advice = failure.isDamage ? "; preheat verify --repair moves it aside" : ""
    return StoreFailure(
      failure.isFull ? .full : .ledger, "the ledger \(path) cannot be \(verb): \(failure.message)\(advice)")
  }
}
