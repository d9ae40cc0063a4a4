import FileStore
import Glibc
import Text

/// Gives a damaged database another name, beside the place where it was.
package enum DamagedDatabase {
  /// As many are kept of one place; then the oldest goes.
  package static let limit = 5

  /// The database and what belongs to it. The database comes last: without its log it would be another one, and a log
  /// without a database is thrown away.
  package static let suffixes = ["-wal", "-shm", "-journal", ""]

  /// Moves a database aside with all its bytes. Whoever calls keeps others from using it meanwhile.
  ///
  /// - Returns: The new path.
  package static func moveAside(
    _ path: String, calls: FileCalls = .system
  ) throws(SystemCall.Failure) -> String {
    let places = (1...limit).map { "\(path).damaged-\($0)" }
    let free = places.first { access($0, F_OK) != 0 }
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
