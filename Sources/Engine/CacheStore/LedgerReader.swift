import FileStore
import Foundation
import SQLiteStore
import Text

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
      var entries: [LedgerEntry] = []
      try LedgerTable.table.read(database, form) { entries.append(LedgerTable.entry($0)) }
      return LedgerRows(entries)
    }
  }

  /// Proves that the ledger, if there is one, has the form of this release or of an earlier one, and is whole.
  ///
  /// - Returns: whether there is one.
  @discardableResult
  package func check() throws(LedgerFailure) -> Bool {
    try read { database, form throws(SQLiteDatabase.Failure) in
      try LedgerTable.table.read(database, form)
    } != nil
  }

  private typealias Body<T> = (SQLiteDatabase, SummedTable.Form) throws(SQLiteDatabase.Failure) -> T

  private static let attempts = 50
  private static let pause: UInt32 = 100_000

  private func read<T>(_ body: Body<T>) throws(LedgerFailure) -> T? {
    var last = LedgerFailure(.busy, "cannot be read: it changes all the time", path: path)
    for attempt in 0..<Self.attempts {
      if attempt > 0 { usleep(Self.pause) }
      let files = try LedgerFiles(path, calls)
      guard let kind = files.kind else { return nil }
      guard kind == S_IFREG else { throw LedgerFailure(.unreadable, "is not a plain file", path: path) }
      // No lock is taken: only this shows that no process wrote meanwhile. What it adds to the log does no harm.
      do throws(LedgerFailure) {
        let result = try read(files, body)
        if try LedgerFiles(path, calls) == files { return result }
      } catch {
        if error.reason != .busy, try LedgerFiles(path, calls) == files { throw error }
        last = error
      }
    }
    throw last
  }

  private func read<T>(_ files: LedgerFiles, _ body: Body<T>) throws(LedgerFailure) -> T? {
    // To read a log SQLite has to make an index of it, or to undo what a journal has, so that it gets a copy.
    guard !files.others.isEmpty else { return try use(path, .immutable, body) }
    let copy = try LedgerCopy(of: path, files.others)
    defer { withExtendedLifetime(copy) {} }
    return try use(copy.path, .exclusive, body)
  }

  private func use<T>(
    _ file: String, _ access: SQLiteDatabase.Access, _ body: Body<T>
  ) throws(LedgerFailure) -> T? {
    let (database, form) = try LedgerFailure.of(path) { () throws(SQLiteDatabase.Failure) in
      let database = try SQLiteDatabase(path: file, access)
      return (database, try LedgerTable.table.form(of: database))
    }
    if form == .none { return nil }
    if case .later(let version) = form {
      let own = LedgerTable.table.version
      throw LedgerFailure(.newer, "has form \(version), and this release uses form \(own)", path: path)
    }
    return try LedgerFailure.of(path) { () throws(SQLiteDatabase.Failure) in try body(database, form) }
  }
}

/// The files of a ledger as they lie on the disk.
private struct LedgerFiles: Equatable {
  /// `S_IFREG` and the like, nil for nothing.
  let kind: mode_t?
  /// The log and the journal, as far as they hold anything.
  let others: [String]
  private let number: UInt64
  private let size: Int
  private let modified: Int64
  /// A log that begins again has other numbers here.
  private let logHead: Data?

  init(_ path: String, _ calls: FileCalls) throws(LedgerFailure) {
    do throws(FileStoreError) {
      let status = try calls.status(of: path, followsLinks: true)
      kind = status.map { $0.st_mode & S_IFMT }
      number = status.map { UInt64($0.st_ino) } ?? 0
      size = status.map { Int($0.st_size) } ?? 0
      modified = status?.st_mtim.nanoseconds ?? 0
      var others: [String] = []
      for suffix in ["-wal", "-journal"] {
        if let status = try calls.status(of: path + suffix, followsLinks: true), status.st_size > 0 {
          others.append(suffix)
        }
      }
      self.others = others
    } catch {
      throw LedgerFailure(.unreadable, "cannot be read: \(error.reason)", path: path)
    }
    let log = others.contains("-wal") ? FileHandle(forReadingAtPath: path + "-wal") : nil
    logHead = try? log?.read(upToCount: 32)
    try? log?.close()
  }
}

/// A ledger with its log in a folder of its own, where SQLite may write; gone with the value.
private final class LedgerCopy {
  let path: String
  private let folder: URL

  init(of original: String, _ suffixes: [String]) throws(LedgerFailure) {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("preheat-\(UUID().uuidString)")
    path = folder.appendingPathComponent("ledger.sqlite").path
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      for suffix in [""] + suffixes {
        // Its bytes alone: the copy has to be writable where the original is not.
        try Data(contentsOf: URL(fileURLWithPath: original + suffix)).write(
          to: URL(fileURLWithPath: path + suffix))
      }
    } catch {
      try? FileManager.default.removeItem(at: folder)
      throw LedgerFailure(.unreadable, "cannot be copied to \(folder.path)", path: original)
    }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }
}

/// The rows of a ledger, found by the names of their files.
package struct LedgerRows: Sendable {
  /// In the order of their names' bytes.
  package let entries: [LedgerEntry]

  /// - Parameter entries: in the order of their names' bytes.
  package init(_ entries: [LedgerEntry] = []) { self.entries = entries }

  package var count: Int { entries.count }
  package var names: some RandomAccessCollection<String> { entries.lazy.map(\.file) }
  /// The clients that made the entries, as the rows say it.
  package var clients: Set<String> { Set(entries.lazy.map(\.origin.client)) }

  package subscript(file: String) -> LedgerEntry? {
    let name = ByteText(file)
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if ByteText(entries[middle].file) < name { low = middle + 1 } else { high = middle }
    }
    return low < entries.count && entries[low].file.hasBytes(of: file) ? entries[low] : nil
  }
}
