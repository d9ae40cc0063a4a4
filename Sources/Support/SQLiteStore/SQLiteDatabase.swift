import CSQLite
import Glibc
import Text

/// The few calls of SQLite that Preheat needs, with errors as values.
///
/// Not `Sendable`: its owner decides on which thread it is used.
package final class SQLiteDatabase {
  package struct Failure: Error, Hashable, Sendable {
    package var code: Int32
    package var message: String
  }

  package enum Access: Hashable, Sendable {
    /// For one connection alone, which keeps the file locked. The log then needs no index (`-shm`): that would be mapped
    /// memory, and a cut of its file would end the process.
    case exclusive
    /// For any number of processes, by turns: with a journal, since a log that is shared needs its index.
    case shared
    /// Nothing is created, recovered, locked or written: for a file without a log. Its reader has to see for itself
    /// that no process wrote meanwhile.
    case immutable
  }

  private let handle: OpaquePointer
  private let watch: StatementWatch
  private let isReading: Bool

  package init(path: String, _ access: Access = .shared) throws(Failure) {
    isReading = access == .immutable
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(
      isReading ? Self.uri(path) + "?immutable=1" : path, &opened,
      SQLITE_OPEN_NOMUTEX
        | (isReading ? SQLITE_OPEN_READONLY | SQLITE_OPEN_URI : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE),
      nil)
    guard code == SQLITE_OK, let opened else {
      let failure = opened.map { Self.failure(code, of: $0) }
      sqlite3_close_v2(opened)
      throw failure ?? Failure(code: code, message: "out of memory")
    }
    handle = opened
    watch = StatementWatch(path)
    sqlite3_progress_handler(
      handle, StatementWatch.steps, { StatementWatch.isOver($0) }, Unmanaged.passUnretained(watch).toOpaque())
    // What is written here is synced by its owner, or may be lost: the log needs no more than its own order.
    if isReading { return }
    do throws(Failure) {
      try execute("PRAGMA locking_mode = EXCLUSIVE; PRAGMA busy_timeout = 5000; PRAGMA synchronous = NORMAL")
      try execute("PRAGMA journal_mode = \(access == .exclusive ? "WAL" : "DELETE")")
    } catch {
      guard error.isPassing, !Self.hasLocks(path) else { throw error }
      throw Failure(code: SQLITE_IOERR, message: "its file system has no locks")
    }
    // Of an earlier release that was killed.
    if access == .exclusive { unlink(path + "-shm") } else { try execute("PRAGMA locking_mode = NORMAL") }
  }

  deinit { sqlite3_close_v2(handle) }

  /// A path as SQLite's URIs spell it (<https://www.sqlite.org/uri.html>).
  private static func uri(_ path: String) -> String {
    let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-".utf8)
    // Two slashes for an authority that is empty, or the path's own first part would be taken for one.
    return (path.hasPrefix("/") ? "file://" : "file:")
      + PercentText.encoded(Array(path.utf8)[...], isPlain: plain.contains)
  }

  /// SQLite takes a file system without locks for another process. What is closed here takes the locks of this process
  /// with it, so that it must have none.
  private static func hasLocks(_ path: String) -> Bool {
    let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return true }
    defer { close(descriptor) }
    var lock = flock()
    (lock.l_type, lock.l_len) = (Int16(F_WRLCK), 1)
    return fcntl(descriptor, F_SETLK, &lock) == 0 || !SystemCall.isUnsupported(errno)
  }

  package func execute(_ sql: String) throws(Failure) {
    watch.begin()
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw failure(code) }
  }

  /// All that `body` changes, or nothing of it.
  package func transaction(_ body: () throws(Failure) -> Void) throws(Failure) {
    try execute("BEGIN IMMEDIATE")
    do throws(Failure) {
      try body()
      try execute("COMMIT")
    } catch {
      try? execute("ROLLBACK")
      throw error
    }
  }

  package func prepare(_ sql: String) throws(Failure) -> Statement {
    var prepared: OpaquePointer?
    watch.begin()
    let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let prepared else { throw failure(code) }
    return Statement(handle: prepared, database: self)
  }

  /// Whether the file asks for rules that only later releases of SQLite know: its own do not write it then.
  var isForeign: Bool {
    sqlite3_db_readonly(handle, "main") == 1 && !isReading && Glibc.access(watch.path, W_OK) == 0
  }

  fileprivate func failure(_ code: Int32) -> Failure { Self.failure(code, of: handle) }

  /// SQLite's "disk I/O error" keeps the cause to itself; the system's word says what to do.
  private static func failure(_ code: Int32, of handle: OpaquePointer) -> Failure {
    if code & 0xff == SQLITE_INTERRUPT { return .damage("a look at it does not end") }
    let message = String(cString: sqlite3_errmsg(handle))
    let cause = sqlite3_system_errno(handle)
    let isFile = [SQLITE_IOERR, SQLITE_CANTOPEN].contains(code & 0xff) && cause != 0
    return Failure(code: code, message: isFile ? "\(message) (\(SystemCall.words(cause)))" : message)
  }

  package enum Value: Hashable, Sendable {
    case text(String)
    case integer(Int64)
    case null

    package init(_ text: String?) { self = text.map { .text($0) } ?? .null }
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
    package func run(
      _ values: [Value] = [], row: (Statement) throws(Failure) -> Void = { _ in }
    ) throws(Failure) {
      try runUntil(values) { found throws(Failure) in
        try row(found)
        return false
      }
    }

    /// The same, until `row` is true.
    package func runUntil(
      _ values: [Value] = [], _ row: (Statement) throws(Failure) -> Bool
    ) throws(Failure) {
      database.watch.begin()
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
        case SQLITE_ROW: if try row(self) { return }
        case SQLITE_DONE: return
        case let code: throw database.failure(code)
        }
      }
    }

    package func text(_ column: Int32) -> String? {
      withBytes(column) { $0.map { String(decoding: $0, as: UTF8.self) } }
    }

    package func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    /// Calls `body` with a column's bytes where they lie; nil for none.
    package func withBytes<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer?) -> Result) -> Result {
      // SQLite wants to be asked in this order.
      let text = sqlite3_column_text(handle, column)
      return body(
        text.map { UnsafeRawBufferPointer(start: $0, count: Int(sqlite3_column_bytes(handle, column))) })
    }

    func value(_ column: Int32) -> Value {
      sqlite3_column_type(handle, column) == SQLITE_INTEGER ? .integer(integer(column)) : Value(text(column))
    }

    /// Adds columns to a sum.
    func add(_ columns: Range<Int32>, to sum: inout RowSum) {
      for column in columns {
        switch sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: sum.add(integer(column))
        case SQLITE_NULL: sum.add(nil)
        case SQLITE_TEXT: withBytes(column) { sum.add($0) }
        // Nothing that was written: bytes alone are not found by a text.
        default: sum.add(.max)
        }
      }
    }

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

  /// SQLite's version, such as `3.40.1`.
  package static var libraryVersion: String { String(cString: sqlite3_libversion()) }
}

/// Ends a statement that takes more steps than a file of its size can ask for: what lies in a file may be made to go on
/// for ever. Steps are counted, since no clock says how fast a machine is.
private final class StatementWatch {
  static let steps: Int32 = 1 << 20

  let path: String
  private var rounds: Int64 = 0

  init(_ path: String) { self.path = path }

  func begin() { rounds = 0 }

  /// A row takes two steps for each of its columns, and a hundred bytes at least. The file may grow meanwhile.
  static func isOver(_ watch: UnsafeMutableRawPointer?) -> Int32 {
    guard let watch else { return 0 }
    let found = Unmanaged<StatementWatch>.fromOpaque(watch).takeUnretainedValue()
    found.rounds += 1
    let bytes = ["", "-wal"].reduce(Int64(0)) { sum, suffix in
      var status = stat()
      return stat(found.path + suffix, &status) == 0 ? sum + Int64(status.st_size) : sum
    }
    return found.rounds > 10 + bytes / Int64(steps) ? 1 : 0
  }
}
