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
    case readWrite
    /// Nothing is created, recovered or written. Where the write-ahead log has anything, its index (`-shm`) has to be
    /// there: with it the database can be read while another process writes.
    case readOnly
    /// The same, and neither the log nor any lock is looked at: for files that no process is writing.
    case immutable
  }

  private let handle: OpaquePointer
  private let watch: StatementWatch

  package init(path: String, _ access: Access = .readWrite) throws(Failure) {
    var opened: OpaquePointer?
    _ = Self.isSetUp
    let code =
      switch access {
      case .readWrite:
        sqlite3_open_v2(
          path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil)
      case .readOnly: Self.open(path, "readonly_shm=1", &opened)
      case .immutable: Self.open(path, "immutable=1", &opened)
      }
    guard code == SQLITE_OK, let opened else {
      let failure = opened.map { Self.failure(code, of: $0) }
      sqlite3_close_v2(opened)
      throw failure ?? Failure(code: code, message: "out of memory")
    }
    handle = opened
    watch = StatementWatch(path)
    sqlite3_progress_handler(
      handle, StatementWatch.steps, { StatementWatch.isOver($0) }, Unmanaged.passUnretained(watch).toOpaque())
    cs_keep_pieces(handle, 512, 256)
    guard cs_add_functions(handle) == SQLITE_OK else { throw failure(SQLITE_NOMEM) }
  }

  /// Once in a process, before any database is opened; without effect where SQLite was used before.
  private static let isSetUp = cs_count_no_memory() == SQLITE_OK

  deinit { sqlite3_close_v2(handle) }

  private static func open(_ path: String, _ option: String, _ opened: inout OpaquePointer?) -> Int32 {
    guard ReadOnlyFiles.isRegistered else { return SQLITE_ERROR }
    let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
    return sqlite3_open_v2(
      "\(uri(path))?\(option)", &opened, flags, ReadOnlyFiles.name)
  }

  /// A path as SQLite's URIs spell it (<https://www.sqlite.org/uri.html>).
  private static func uri(_ path: String) -> String {
    let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-".utf8)
    // Two slashes for an authority that is empty, or the path's own first part would be taken for one.
    return (path.hasPrefix("/") ? "file://" : "file:")
      + PercentText.encoded(path.utf8, isPlain: plain.contains)
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
      try runUntil(values) { found in
        row(found)
        return false
      }
    }

    /// The same, until `row` is true.
    package func runUntil(_ values: [Value] = [], _ row: (Statement) -> Bool) throws(Failure) {
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
        case SQLITE_ROW: if row(self) { return }
        case SQLITE_DONE: return
        case let code: throw database.failure(code)
        }
      }
    }

    package func text(_ column: Int32) -> String? {
      sqlite3_column_text(handle, column).map { String(cString: $0) }
    }

    package func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    package func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    /// Calls `body` with a column's bytes where they lie; nil for none.
    package func withBytes<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer?) -> Result) -> Result {
      // SQLite wants to be asked in this order.
      let text = sqlite3_column_text(handle, column)
      return body(
        text.map { UnsafeRawBufferPointer(start: $0, count: Int(sqlite3_column_bytes(handle, column))) })
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

  private let path: String
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

/// SQLite's own way to the files, except for opening: nothing is created or opened for writing.
///
/// A read-only connection of SQLite creates the log of a database that has one, and the log's index, in any folder
/// that can be written.
private enum ReadOnlyFiles {
  static let name = "preheat-read-only"

  static let isRegistered: Bool = {
    guard let system = sqlite3_vfs_find(nil), let text = strdup(name) else { return false }
    // SQLite keeps both for as long as the process lives.
    let files = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    files.initialize(to: system.pointee)
    files.pointee.zName = UnsafePointer(text)
    files.pointee.xOpen = { _, path, file, flags, taken in
      guard let system = sqlite3_vfs_find(nil), let open = system.pointee.xOpen else {
        return SQLITE_CANTOPEN
      }
      // A file without a name is SQLite's own, for sorting.
      let reading = flags & ~(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE) | SQLITE_OPEN_READONLY
      return open(system, path, file, path == nil ? flags : reading, taken)
    }
    files.pointee.xDelete = { _, _, _ in SQLITE_READONLY }
    return sqlite3_vfs_register(files, 0) == SQLITE_OK
  }()
}
