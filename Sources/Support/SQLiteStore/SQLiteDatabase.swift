import CSQLite
import Glibc

/// The few calls of SQLite that Preheat needs, with errors as values.
///
/// Not `Sendable`: whoever owns it decides on which thread it is used.
package final class SQLiteDatabase {
  package struct Failure: Error, Hashable, Sendable {
    package var code: Int32
    package var message: String
  }

  /// How much of a large database may be read by mapping it: names are digests, so that every look is at another
  /// page, and asking the kernel for each costs more than the look.
  package static let mappedBytes = 128 << 20

  private let handle: OpaquePointer

  package init(path: String) throws(Failure) {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(path, &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      let failure = opened.map { Self.failure(code, of: $0) }
      sqlite3_close_v2(opened)
      throw failure ?? Failure(code: code, message: "out of memory")
    }
    handle = opened
  }

  deinit { sqlite3_close_v2(handle) }

  /// Runs statements that return no rows.
  package func execute(_ sql: String) throws(Failure) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw failure(code) }
  }

  package func prepare(_ sql: String) throws(Failure) -> Statement {
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let prepared else { throw failure(code) }
    return Statement(handle: prepared, database: self)
  }

  fileprivate func failure(_ code: Int32) -> Failure { Self.failure(code, of: handle) }

  /// SQLite's "disk I/O error" keeps the cause to itself; the system's word says what to do.
  private static func failure(_ code: Int32, of handle: OpaquePointer) -> Failure {
    let message = String(cString: sqlite3_errmsg(handle))
    let cause = sqlite3_system_errno(handle)
    let isFile = [SQLITE_IOERR, SQLITE_CANTOPEN].contains(code & 0xff) && cause != 0
    return Failure(code: code, message: isFile ? "\(message) (\(String(cString: strerror(cause))))" : message)
  }
}

extension SQLiteDatabase {
  package enum Value: Hashable, Sendable {
    case text(String)
    case integer(Int64)
    case null
  }

  /// A prepared statement; it keeps its database open.
  package final class Statement {
    private let handle: OpaquePointer
    private let database: SQLiteDatabase

    fileprivate init(handle: OpaquePointer, database: SQLiteDatabase) {
      self.handle = handle
      self.database = database
    }

    deinit { sqlite3_finalize(handle) }

    /// Runs the statement; `row` is called for each row of its result.
    package func run(_ values: [Value] = [], row: (Statement) -> Void = { _ in }) throws(Failure) {
      defer {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
      }
      for (index, value) in values.enumerated() {
        let code = bind(value, at: Int32(index + 1))
        guard code == SQLITE_OK else { throw database.failure(code) }
      }
      while true {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: row(self)
        case SQLITE_DONE: return
        case let code: throw database.failure(code)
        }
      }
    }

    package func text(_ column: Int32) -> String? {
      sqlite3_column_text(handle, column).map { String(cString: $0) }
    }

    package func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    private func bind(_ value: Value, at index: Int32) -> Int32 {
      switch value {
      case .null: return sqlite3_bind_null(handle, index)
      case .integer(let number): return sqlite3_bind_int64(handle, index, number)
      case .text(let text):
        // SQLITE_TRANSIENT (a C cast, not imported): SQLite copies before the call returns.
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        return sqlite3_bind_text(handle, index, text, Int32(text.utf8.count), transient)
      }
    }
  }
}

extension SQLiteDatabase.Failure {
  /// The file is no database, or one that is damaged.
  package var isDamage: Bool { [SQLITE_NOTADB, SQLITE_CORRUPT].contains(code & 0xff) }
  package var isFull: Bool { code & 0xff == SQLITE_FULL }
}

extension SQLiteDatabase {
  /// SQLite's version, such as `3.40.1`.
  package static var libraryVersion: String { String(cString: sqlite3_libversion()) }
}
