import FileStore
import Foundation
import Planning
import SQLiteStore

/// Reads a ledger and changes nothing: neither the file nor what lies beside it, also where a killed process left it
/// behind, where another release wrote it, or where it is not a ledger at all. It needs no lock, and may read while a
/// run writes.
package struct LedgerReader: Sendable {
  package let path: String
  private let calls: FileCalls

  package init(path: String, calls: FileCalls = .system) {
    self.path = path
    self.calls = calls
  }

  /// Nil where no ledger has been written.
  package func rows() throws(LedgerFailure) -> LedgerRows? {
    try read { database, form throws(SQLiteDatabase.Failure) in
      try LedgerTable.prove(database, form)
      var rows = LedgerRows()
      try LedgerTable.forEach(in: database, form) { rows.append($0) }
      rows.finish()
      return rows
    }
  }

  /// Proves that the ledger, if there is one, has the form of this release or of an earlier one, and is whole.
  ///
  /// - Returns: whether there is one.
  @discardableResult
  package func check() throws(LedgerFailure) -> Bool {
    try read { database, form throws(SQLiteDatabase.Failure) in try LedgerTable.prove(database, form) } != nil
  }

  private typealias Body<T> = (SQLiteDatabase, LedgerTable.Form) throws(SQLiteDatabase.Failure) -> T

  private static let attempts = 100
  private static let attemptsWithIndex = 20
  /// With a damaged index SQLite tries again by itself, for some ten seconds.
  private static let patienceWithIndex: Duration = .seconds(1)
  private static let patience: Duration = .seconds(5)
  private static let pause: UInt32 = 10_000

  private func read<T>(_ body: Body<T>) throws(LedgerFailure) -> T? {
    var last = LedgerFailure(.busy("it changes all the time"), path: path)
    let begin = ContinuousClock.now
    for attempt in 0..<Self.attempts {
      if attempt > 0 { usleep(Self.pause) }
      let waited = ContinuousClock.now - begin
      let usesIndex = attempt < Self.attemptsWithIndex && waited < Self.patienceWithIndex
      if attempt > Self.attemptsWithIndex, waited > Self.patience { break }
      let files = try LedgerFiles(path, calls)
      guard let kind = files.kind else { return nil }
      guard kind == S_IFREG else { throw LedgerFailure(.unreadable("it is not a plain file"), path: path) }
      do throws(LedgerFailure) {
        // An index that stays unreadable for so long is damaged; the log can be read without it.
        let way = usesIndex ? files.way : files.wayWithoutIndex
        let result = try read(files, way, body)
        // Where no lock was taken, only this shows that no process wrote meanwhile.
        if way == .withLog { return result }
        if try LedgerFiles(path, calls) == files { return result }
      } catch {
        // A process that begins or ends its work makes and removes files between two looks.
        let isChanged = try LedgerFiles(path, calls) != files
        guard error.isBusy || isChanged else { throw error }
        last = error
      }
    }
    throw last
  }

  private func read<T>(
    _ files: LedgerFiles, _ way: LedgerFiles.Way, _ body: Body<T>
  ) throws(LedgerFailure) -> T? {
    if !files.isRolledBack, let damage = SQLiteDatabase.headerDamage(path) {
      throw LedgerFailure(.damaged(damage), path: path)
    }
    switch way {
    case .alone: return try use(path, .immutable, body)
    case .withLog: return try use(path, .readOnly, body)
    case .copied:
      let folder = try LedgerCopy(of: files, at: path)
      return try use(folder.path, .readWrite, body)
    }
  }

  private func use<T>(
    _ file: String, _ access: SQLiteDatabase.Access, _ body: Body<T>
  ) throws(LedgerFailure) -> T? {
    let database = try LedgerFailure.of(path) { () throws(SQLiteDatabase.Failure) in
      let database = try SQLiteDatabase(path: file, access)
      try database.execute("PRAGMA busy_timeout = 200")
      return database
    }
    let form = try LedgerTable.form(of: database, path: path)
    if form == .none { return nil }
    return try LedgerFailure.of(path) { () throws(SQLiteDatabase.Failure) in try body(database, form) }
  }
}

/// The files of a ledger as they lie on the disk, and the way to read them.
private struct LedgerFiles: Equatable {
  struct Mark: Equatable {
    var kind: mode_t
    var number: UInt64
    var size: Int
    var seconds: Int
    var nanoseconds: Int
  }

  enum Way {
    /// All of it is in the file itself.
    case alone
    /// A process writes, or was killed: part of it is in the write-ahead log, and the log has its index.
    case withLog
    /// There is a log without index, or a journal to be rolled back: SQLite would have to write.
    case copied
  }

  private let database: Mark?
  let log: Mark?
  let journal: Mark?
  private let hasIndex: Bool

  init(_ path: String, _ calls: FileCalls) throws(LedgerFailure) {
    do throws(FileStoreError) {
      database = try Self.mark(path, calls)
      log = try Self.mark(path + "-wal", calls)
      journal = try Self.mark(path + "-journal", calls)
    } catch {
      throw LedgerFailure(.unreadable("\(error.reason)"), path: path)
    }
    hasIndex = Self.isIndex(path + "-shm")
  }

  /// `S_IFREG` and the like, nil for nothing.
  var kind: mode_t? { database?.kind }

  /// Whether a journal has yet to undo what a process left half done.
  var isRolledBack: Bool { (journal?.size ?? 0) > 0 }

  var wayWithoutIndex: Way { way == .withLog ? .copied : way }

  var way: Way {
    if isRolledBack { return .copied }
    guard let log, log.size > 0 else { return .alone }
    return hasIndex ? .withLog : .copied
  }

  /// The index begins with two equal headers of 48 bytes, and each with its format's number and, behind two more numbers,
  /// a mark that it is in use (SQLite's WAL-mode file format, 2.1).
  private static func isIndex(_ path: String) -> Bool {
    guard let file = FileHandle(forReadingAtPath: path) else { return false }
    defer { try? file.close() }
    guard let head = try? file.read(upToCount: 96), head.count == 96, head.prefix(48) == head.suffix(48)
    else {
      return false
    }
    let format = head.prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return format == 3_007_000 && head[12] == 1
  }

  private static func mark(_ path: String, _ calls: FileCalls) throws(FileStoreError) -> Mark? {
    guard let status = try calls.status(of: path, followsLinks: true) else { return nil }
    return Mark(
      kind: status.st_mode & S_IFMT, number: UInt64(status.st_ino), size: Int(status.st_size),
      seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec)
  }
}

/// A ledger with its log in a folder of its own, where SQLite may write; gone with the value.
private struct LedgerCopy: ~Copyable {
  let path: String
  private let folder: URL

  init(of files: LedgerFiles, at original: String) throws(LedgerFailure) {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("preheat-\(UUID().uuidString)")
    path = folder.appendingPathComponent("ledger.sqlite").path
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      for suffix in ["", files.log.map { _ in "-wal" }, files.journal.map { _ in "-journal" }].compactMap({
        $0
      }) {
        // Its bytes alone: the copy has to be writable where the original is not.
        try Data(contentsOf: URL(fileURLWithPath: original + suffix)).write(
          to: URL(fileURLWithPath: path + suffix))
      }
    } catch {
      try? FileManager.default.removeItem(at: folder)
      throw LedgerFailure(.unreadable("it cannot be copied to \(folder.path)"), path: original)
    }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }
}
