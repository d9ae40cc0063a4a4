import ClientKit
import Concurrency
import FileStore
import Foundation
import Glibc
import Planning
import SQLiteStore

/// The SQLite file in the state folder that says of every cache file what it was made from, open for changing it.
///
/// A row is written only after its file is in place, so a missing row costs a rendering and a
/// present one is checked against the file before it is used. The maker of one holds the cache's lock;
/// all others use ``LedgerReader``.
package final class LedgerWriter: Sendable {
  private struct Connection {
    let database: SQLiteDatabase
    let select: SQLiteDatabase.Statement
    let replace: SQLiteDatabase.Statement
    let delete: SQLiteDatabase.Statement

    init(_ database: SQLiteDatabase) throws(SQLiteDatabase.Failure) {
      self.database = database
      select = try database.prepare(LedgerTable.table.selection("WHERE file = ?"))
      replace = try database.prepare(LedgerTable.table.replacement)
      delete = try database.prepare("DELETE FROM entry WHERE file = ?")
    }
  }

  /// The damaged ledger that was there; nil where there was none.
  package let damaged: DamagedDatabase?
  /// Of a ledger of an earlier release that did not say all of its entries; nil where there was none.
  package let notice: String?
  private let path: String
  private let calls: FileCalls
  private let connection: Locked<Connection>

  /// All rows as they were when the ledger was opened, where its maker wants them.
  package let rows: LedgerRows?

  /// Opens or creates the ledger. A damaged one is moved aside, and the run makes all entries again.
  ///
  /// - Parameter keepsRows: for those who will look most rows up.
  package init(path: String, calls: FileCalls = .system, keepsRows: Bool = false) throws {
    self.path = path
    self.calls = calls
    let (opened, damaged) = try DamagedDatabase.replaced(
      path, calls: calls,
      open: { () throws(LedgerFailure) in try Self.connect(path, keepsRows: keepsRows) },
      damage: { $0.isDamage ? $0.fact : nil },
      unmovable: { LedgerFailure(.unreadable, "is damaged, and \($0.message)", path: path) })
    (notice, rows, self.damaged) = (opened.notice, opened.rows, damaged)
    connection = Locked(opened.connection)
  }

  private static func connect(
    _ path: String, keepsRows: Bool
  ) throws(LedgerFailure) -> (connection: Connection, notice: String?, rows: LedgerRows?) {
    // Looked at first without a change: what a later release wrote, or what is damaged, has to stay as it is.
    let reader = LedgerReader(path: path)
    let rows = keepsRows ? try reader.rows() : nil
    if !keepsRows { try reader.check() }
    return try LedgerFailure.of(path) { () throws(SQLiteDatabase.Failure) in
      let database = try SQLiteDatabase(path: path, .exclusive)
      let form = try LedgerTable.table.make(in: database)
      var notice: String?
      if case .earlier(let lacking) = form, !lacking.isEmpty {
        notice = "the ledger \(path) is of an earlier release and was carried over"
      }
      return (try Connection(database), notice, rows)
    }
  }

  /// Takes what a killed process left in the log into the database, so that no log stays. What cannot be opened is for
  /// those to report who need it.
  static func settle(_ path: String) {
    guard access(path + "-wal", F_OK) == 0, (try? LedgerReader(path: path).check()) != nil else { return }
    try? SQLiteDatabase(path: path, .exclusive).execute("PRAGMA wal_checkpoint")
  }

  package func entry(file: String) throws -> LedgerEntry? {
    try use("read") { connection throws(SQLiteDatabase.Failure) in
      var found: LedgerEntry?
      try connection.select.run([.text(file)]) { row throws(SQLiteDatabase.Failure) in
        try LedgerTable.table.prove(row)
        found = LedgerTable.entry(row)
      }
      return found
    }
  }

  /// The rows that `isWanted` takes, in the order of their files' names.
  package func entries(where isWanted: @Sendable (LedgerEntry) -> Bool) throws -> [LedgerEntry] {
    try use("read") { connection throws(SQLiteDatabase.Failure) in
      var entries: [LedgerEntry] = []
      try connection.database.prepare(LedgerTable.table.selection()).run {
        row throws(SQLiteDatabase.Failure) in
        try LedgerTable.table.prove(row)
        let entry = LedgerTable.entry(row)
        if isWanted(entry) { entries.append(entry) }
      }
      return entries
    }
  }

  package func remove(files: [String]) throws {
    try change { connection throws(SQLiteDatabase.Failure) in
      for file in files { try connection.delete.run([.text(file)]) }
    }
  }

  /// Writes all rows or none.
  package func record(_ entries: [LedgerEntry]) throws {
    try change { connection throws(SQLiteDatabase.Failure) in
      for entry in entries { try connection.replace.run(LedgerTable.values(entry)) }
    }
  }

  /// Writes rows, each made of an item when its turn comes, in place of all that are there.
  package func replace<Items: Sequence & Sendable>(
    with items: Items, _ row: @Sendable (Items.Element) -> LedgerEntry?
  ) throws {
    try change { connection throws(SQLiteDatabase.Failure) in
      try connection.database.execute("DELETE FROM entry")
      for item in items { if let entry = row(item) { try connection.replace.run(LedgerTable.values(entry)) } }
    }
  }

  /// Takes what the log holds into the database; closing tries again what fails here.
  func checkpoint() {
    connection.withLock { try? $0.database.execute("PRAGMA wal_checkpoint") }
  }

  private func change(
    _ body: @Sendable (borrowing Connection) throws(SQLiteDatabase.Failure) -> Void
  ) throws {
    try calls.check(.commit, "write", path) { 0 }
    try use("written") { connection throws(SQLiteDatabase.Failure) in
      try connection.database.transaction { () throws(SQLiteDatabase.Failure) in try body(connection) }
    }
  }

  /// - Parameter verb: what cannot be done where it fails.
  private func use<Result: Sendable>(
    _ verb: String, _ body: @Sendable (borrowing Connection) throws(SQLiteDatabase.Failure) -> Result
  ) throws -> Result {
    do throws(SQLiteDatabase.Failure) {
      return try connection.withLock { connection throws(SQLiteDatabase.Failure) in try body(connection) }
    } catch {
      if error.isPassing { throw LedgerFailure(error, path: path) }
      let advice = error.isDamage ? "; the next run moves it aside and makes a new one" : ""
      throw StoreFailure(
        error.isFull ? .full : .ledger, "the ledger \(path) cannot be \(verb): \(error.message)\(advice)")
    }
  }

  /// The last step of a run: gives a folder the dates and the stamp that its client wants, and keeps the ledger in step.
  ///
  /// - Parameters:
  ///   - plans: those that write into this folder, of one client.
  ///   - listing: the folder, where it was just listed.
  /// - Returns: what is in the folder, with the dates of before.
  @discardableResult
  package func finish(
    _ plans: [Plan], in files: FileStore, _ listing: FolderListing? = nil, date: RunDate
  ) throws -> FolderListing? {
    guard let client = plans.first?.client else { return listing }
    let found = try listing ?? files.listing()
    let upkeep = client.upkeep(found: found, at: date) { body in
      for plan in plans { plan.forEachFinishedEntry(body) }
    }
    try setDates(upkeep.dates, in: files)
    try write(upkeep.stamp, to: files)
    return found
  }

  /// The same after a stream of sources, whose entries were not kept: dates are those of when they came.
  package func finishStream(_ plan: Plan, in files: FileStore, date: RunDate) throws {
    let name = try files.names().first { !FileStore.isHidden($0) }
    let found = try name.flatMap { name in try files.entry(named: name) }
    let upkeep = plan.client.upkeep(found: FolderListing(found.map { [$0] } ?? []), at: date) { _ in }
    try write(upkeep.stamp, to: files)
  }

  private func write(_ stamp: FolderStamp?, to files: FileStore) throws {
    guard let stamp, try files.read(stamp.name) != stamp.bytes else { return }
    try files.write(stamp.bytes, as: stamp.name)
  }

  private func setDates(_ changes: [(file: String, dates: FileDates)], in files: FileStore) throws {
    var moved: [LedgerEntry] = []
    try files.separate(changes.filter { $0.dates.modification != nil }.map(\.file))
    let failures = changes.filter { $0.dates.modification == nil }.concurrentMap(least: 500) {
      (file, dates) -> FileStoreError? in
      do throws(FileStoreError) { try files.setDates(dates, of: file) } catch {
        // Dates of use alone decide what a full cache gives up first; some shares let no program set them.
        return error.reason == .notPermitted ? nil : error
      }
      return nil
    }
    if let failure = failures.compactMap({ $0 }).first { throw failure }
    for (file, dates) in changes where dates.modification != nil {
      // A file that the ledger does not know keeps the date that another program gave it.
      guard var row = try entry(file: file) else { continue }
      try files.setDates(dates, of: file)
      row.modified = try CacheFileStatus(folder: files.path, name: file, calls: calls)?.modified ?? 0
      moved.append(row)
    }
    // A run that is killed before this makes those entries again, to the same bytes.
    if !moved.isEmpty { try record(moved) }
  }
}
