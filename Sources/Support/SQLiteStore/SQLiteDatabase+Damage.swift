import CSQLite
import FileStore
import Foundation
import Glibc
import Text

extension SQLiteDatabase.Failure {
  /// The file is not a database, or a damaged one. Preheat's own statements are right, so that what SQLite has
  /// against one of them lies in the file: a column that is missing, a rule that a row breaks, a schema it cannot read.
  package var isDamage: Bool {
    [
      SQLITE_NOTADB, SQLITE_CORRUPT, SQLITE_FORMAT, SQLITE_ERROR, SQLITE_CONSTRAINT, SQLITE_MISMATCH,
      SQLITE_TOOBIG, SQLITE_SCHEMA, SQLITE_RANGE,
    ].contains(code & 0xff)
  }

  /// Another process is just starting or ending its work on the database.
  package var isPassing: Bool {
    [SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL, SQLITE_READONLY].contains(code & 0xff)
  }

  package var isFull: Bool { code & 0xff == SQLITE_FULL }

  package static func damage(_ message: String) -> SQLiteDatabase.Failure {
    SQLiteDatabase.Failure(code: SQLITE_CORRUPT, message: message)
  }
}

/// A damaged database that has another name now, beside the place where it was.
package struct DamagedDatabase: Hashable, Sendable {
  /// What is wrong with it, as a sentence.
  package let fact: String
  package let path: String

  /// What was wrong, and where the file is now.
  package var message: String { "\(fact); it was moved to \(path) and a new one was made" }

  /// Opens a database. A damaged one is moved aside as a whole, and a new one is made in its place: nothing of its rows
  /// is used, since no check finds all that may be wrong with them.
  ///
  /// - Parameters:
  ///   - open: opens the file, or creates it where there is none.
  ///   - damage: what a failure says against the file; nil where the file is not damaged.
  ///   - unmovable: the failure where the file cannot be moved.
  /// - Returns: What was opened, and the damaged database if there was one.
  package static func replaced<Database, Failure: Error>(
    _ path: String, calls: FileCalls = .system, open: () throws(Failure) -> Database,
    damage: (Failure) -> String?, unmovable: (SystemCall.Failure) -> Failure
  ) throws(Failure) -> (database: Database, damaged: DamagedDatabase?) {
    do throws(Failure) { return (try open(), nil) } catch { if damage(error) == nil { throw error } }
    // Other processes may have met the same file: one of them moves it, the others find the new one.
    let folder = PathText.folder(of: path)
    let lock: Int32
    do throws(SystemCall.Failure) {
      lock = try calls.check(.open, "open", folder) { Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    } catch {
      throw unmovable(error)
    }
    defer { close(lock) }
    _ = SystemCall.repeated { flock(lock, LOCK_EX) }
    let fact: String
    do throws(Failure) { return (try open(), nil) } catch {
      guard let found = damage(error) else { throw error }
      fact = found
    }
    let aside: String
    do throws(SystemCall.Failure) { aside = try moveAside(path, calls: calls) } catch {
      throw unmovable(error)
    }
    return (try open(), DamagedDatabase(fact: fact, path: aside))
  }

  /// As many are kept of one place; then the oldest goes.
  package static let limit = 5

  /// The database comes last: without its log it would be another one, and a log without a database is thrown away.
  package static let suffixes = ["-wal", "-shm", "-journal", ""]

  /// Moves a database aside with all its bytes, and returns its new path. The caller keeps others from using it.
  package static func moveAside(
    _ path: String, calls: FileCalls = .system
  ) throws(SystemCall.Failure) -> String {
    let places = (1...limit).map { "\(path).damaged-\($0)" }
    let free = places.first { access($0, F_OK) != 0 && SystemCall.meansAbsence(errno) }
    let target = free ?? places.min { changed($0) < changed($1) } ?? places[0]
    // At a free place lies at most what a move that was broken off has moved already, and this goes on with it.
    for suffix in suffixes where free == nil {
      try ignoringAbsence { () throws(SystemCall.Failure) in
        try calls.check(.remove, "remove", target + suffix) { unlink(target + suffix) }
      }
    }
    for suffix in suffixes {
      try ignoringAbsence { () throws(SystemCall.Failure) in
        try calls.check(.rename, "move aside", path + suffix) { rename(path + suffix, target + suffix) }
      }
    }
    return target
  }

  /// When a file got its name: a rename sets this date and leaves the one of the bytes.
  private static func changed(_ path: String) -> Int64 {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_ctim.nanoseconds : .max
  }

  private static func ignoringAbsence(
    _ body: () throws(SystemCall.Failure) -> Int32
  ) throws(SystemCall.Failure) {
    do throws(SystemCall.Failure) { _ = try body() } catch {
      guard error.errno == ENOENT else { throw error }
    }
  }
}
