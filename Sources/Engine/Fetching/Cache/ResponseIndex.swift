import SQLiteStore

/// The SQLite file of an HTTP cache: what is known of each response, and which file holds its body.
///
/// A row outlives its body: what a server said about a picture's age, and what it can be asked with, take a
/// few hundred bytes. Not `Sendable`: its owner keeps others out.
final class ResponseIndex {
  struct Row {
    var response: StoredResponse
    /// Name of the body's file; nil where it had to make room, or is kept elsewhere.
    var body: String?
    /// Bytes on disk of the body's file.
    var allocated = 0
    /// The larger, the later the body is removed.
    var used: Int64 = 0
    /// It has no more than what is new about the response, of which the index has a row.
    var isRenewal = false

    var version: Version {
      Version(
        digest: response.bodyDigest, responseTime: response.responseTime, freshUntil: response.freshUntil,
        varies: !response.varying.isEmpty)
    }
  }

  /// The columns for a lookup that needs neither fields nor body.
  struct Version {
    var digest: String
    var responseTime: Int64
    var freshUntil: Int64
    var varies: Bool
  }

  /// Grows when the table changes; a file with another number counts as damaged.
  private static let schemaVersion: Int64 = 2
  private static let busyMilliseconds = 5000

  private let database: SQLiteDatabase
  private let select: SQLiteDatabase.Statement
  private let selectVersion: SQLiteDatabase.Statement
  private let upsert: SQLiteDatabase.Statement
  private let renew: SQLiteDatabase.Statement
  private let delete: SQLiteDatabase.Statement
  /// Looks in the open transaction; none is open at 0.
  private var looks = 0
  private static let looksAtOnce = 1024
  /// Whether the file is new, so that no row names the body files.
  let isNew: Bool

  /// - Throws: what `isDamage` says of the file: that it has to be moved aside.
  init(path: String) throws(SQLiteDatabase.Failure) {
    if let damage = SQLiteDatabase.headerDamage(path) { throw .damage(damage) }
    database = try SQLiteDatabase(path: path)
    // A body is checked against its digest whenever it is read, so nothing has to be forced to the device.
    try database.execute(
      """
      PRAGMA busy_timeout = \(Self.busyMilliseconds); PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
      """)
    isNew = try Self.makeTable(database)
    if !isNew { try database.proveWhole(Self.proved) }
    select = try database.prepare(
      """
      SELECT fields, varying, request_time, response_time, size, digest, body FROM response WHERE name = ?
      """)
    selectVersion = try database.prepare(
      "SELECT digest, response_time, fresh_until, varying <> '' FROM response WHERE name = ?")
    upsert = try database.prepare(
      "INSERT OR REPLACE INTO response \(Self.proved.values(of: Self.names))")
    renew = try database.prepare(
      """
      INSERT INTO response \(Self.proved.values(of: Self.names)) ON CONFLICT (name) DO UPDATE SET
      (fields, varying, request_time, response_time, fresh_until, used, mark) = (excluded.fields, excluded.varying,
      excluded.request_time, excluded.response_time, excluded.fresh_until, excluded.used, excluded.mark)
      WHERE digest = excluded.digest
      """)
    delete = try database.prepare("DELETE FROM response WHERE name = ?")
    // An index that is damaged, or does not belong to the table, shows here and not in the middle of the work.
    _ = try (usage(), lastUse())
  }

  private static let columns = [
    "name TEXT NOT NULL PRIMARY KEY", "fields TEXT NOT NULL", "varying TEXT NOT NULL",
    "request_time INTEGER NOT NULL",
    "response_time INTEGER NOT NULL", "fresh_until INTEGER NOT NULL", "size INTEGER NOT NULL",
    "digest TEXT NOT NULL", "body TEXT", "allocated INTEGER NOT NULL", "used INTEGER NOT NULL",
  ]

  private static let creation = [
    "CREATE TABLE response (\(columns.joined(separator: ", ")), \(MarkedTable.column))",
    "CREATE INDEX response_room ON response (used, allocated) WHERE body IS NOT NULL",
  ]
  private static let names = columns.compactMap { $0.split(separator: " ").first.map(String.init) }

  /// All that makes a response fresh, and what proves its body.
  static let proved = MarkedTable(
    "response", key: "name", marked: ["fields", "request_time", "response_time", "fresh_until", "digest"],
    others: [.init("response_room", columns: "used, allocated", where: "body IS NOT NULL")])

  /// - Returns: Whether there was none.
  private static func makeTable(_ database: SQLiteDatabase) throws(SQLiteDatabase.Failure) -> Bool {
    if try hasTable(database) { return false }
    var isNew = false
    try database.transaction { () throws(SQLiteDatabase.Failure) in
      // Another process may have been faster.
      isNew = try !hasTable(database)
      guard isNew else { return }
      // Names are digests: finding one touches few pages where the rows do not lie between them. The other index holds
      // the sizes, so that neither their sum nor the oldest rows need a look at all rows.
      try database.execute(
        """
        \(creation.joined(separator: "; ")); PRAGMA user_version = \(schemaVersion);
        """)
    }
    return isNew
  }

  /// False for a file that nothing has been written to.
  private static func hasTable(_ database: SQLiteDatabase) throws(SQLiteDatabase.Failure) -> Bool {
    let version = try database.userVersion()
    let found = try database.schema()
    if version == 0, found.isEmpty { return false }
    guard version == schemaVersion else { throw .damage("its schema version is \(version)") }
    guard found == creation else { throw .damage("it is a database of something else") }
    return true
  }

  // MARK: Looking

  /// Locking the file for each look costs as much as the look: looks share a transaction.
  private func beginReading() throws(SQLiteDatabase.Failure) {
    // Now and then, so that what other processes write is seen.
    if looks >= Self.looksAtOnce { endReading() }
    if looks == 0 { try database.execute("BEGIN") }
    looks += 1
  }

  func endReading() {
    if looks > 0 { try? database.execute("COMMIT") }
    looks = 0
  }

  func row(_ name: String) throws(SQLiteDatabase.Failure) -> Row? {
    try beginReading()
    var row: Row?
    try select.run([.text(name)]) { row = Self.row($0) }
    return row
  }

  private static func row(_ found: SQLiteDatabase.Statement) -> Row {
    Row(
      response: StoredResponse(
        fields: found.text(0) ?? "", varying: found.text(1) ?? "", requestTime: found.integer(2),
        responseTime: found.integer(3), bodySize: Int(found.integer(4)), bodyDigest: found.text(5) ?? ""),
      body: found.text(6))
  }

  func version(_ name: String) throws(SQLiteDatabase.Failure) -> Version? {
    try beginReading()
    var version: Version?
    try selectVersion.run([.text(name)]) { found in
      version = Version(
        digest: found.text(0) ?? "", responseTime: found.integer(1), freshUntil: found.integer(2),
        varies: found.integer(3) != 0)
    }
    return version
  }

  // MARK: Changing

  private func change(_ body: () throws(SQLiteDatabase.Failure) -> Void) throws(SQLiteDatabase.Failure) {
    endReading()
    try database.transaction(body)
  }

  /// Writes all rows, and when others were used, or nothing.
  func record(_ rows: [String: Row], uses: [String: Int64]) throws(SQLiteDatabase.Failure) {
    try change { () throws(SQLiteDatabase.Failure) in
      // New ones in the order of the names' index, so that neighbours share a page. Renewals leave that index alone and
      // go in the order in which they came, as their rows once did.
      func place(_ row: Row) -> Int64 { row.isRenewal ? row.used : 0 }
      let sorted = rows.sorted { (place($0.value), $0.key) < (place($1.value), $1.key) }
      for (name, row) in sorted { try set(name, row) }
      let update = try database.prepare("UPDATE response SET used = ? WHERE name = ?")
      for (name, use) in uses { try update.run([.integer(use), .text(name)]) }
    }
  }

  private func set(_ name: String, _ row: Row) throws(SQLiteDatabase.Failure) {
    let response = row.response
    try (row.isRenewal ? renew : upsert).run([
      .text(name), .text(response.fieldText), .text(response.varyingText), .integer(response.requestTime),
      .integer(response.responseTime), .integer(response.freshUntil), .integer(Int64(response.bodySize)),
      .text(response.bodyDigest), row.body.map { .text($0) } ?? .null, .integer(Int64(row.allocated)),
      .integer(row.used),
    ])
  }

  func remove(_ name: String) throws(SQLiteDatabase.Failure) {
    try change { () throws(SQLiteDatabase.Failure) in try delete.run([.text(name)]) }
  }

  func removeAll() throws(SQLiteDatabase.Failure) {
    try change { () throws(SQLiteDatabase.Failure) in try database.execute("DELETE FROM response") }
  }

  // MARK: - Use and room

  /// Beyond every real count, and far below an overflow.
  private static let mostUses: Int64 = 1 << 60
  /// At most a tebibyte of each body counts, so that no sum of what a disk says overflows.
  private static let allocated = "min(max(allocated, 0), 1099511627776)"

  func usage() throws(SQLiteDatabase.Failure) -> Int {
    Int(
      min(try number("SELECT total(\(Self.allocated)) FROM response WHERE body IS NOT NULL"), Self.mostUses))
  }

  /// The largest mark of use that was ever given; others can follow it.
  func lastUse() throws(SQLiteDatabase.Failure) -> Int64 {
    min(max(0, try number("SELECT max(used) FROM response WHERE body IS NOT NULL")), Self.mostUses)
  }

  func bodies() throws(SQLiteDatabase.Failure) -> Set<String> {
    var names: Set<String> = []
    try database.prepare("SELECT body FROM response WHERE body IS NOT NULL").run { row in
      if let name = row.text(0) { names.insert(name) }
    }
    return names
  }

  /// Takes the bodies of the least recently used responses off until the others fit.
  ///
  /// - Returns: The files that no row names any more.
  func evict(keeping limit: Int) throws(SQLiteDatabase.Failure) -> [String] {
    var victims: [(name: String, body: String)] = []
    try change { () throws(SQLiteDatabase.Failure) in
      var excess = try usage() - limit
      let oldest = "SELECT name, body, \(Self.allocated) FROM response WHERE body IS NOT NULL ORDER BY used"
      try database.prepare(oldest).runUntil { row in
        guard excess > 0, let name = row.text(0), let body = row.text(1) else { return true }
        victims.append((name, body))
        excess -= Int(row.integer(2))
        return false
      }
      let update = try database.prepare("UPDATE response SET body = NULL, allocated = 0 WHERE name = ?")
      for victim in victims { try update.run([.text(victim.name)]) }
    }
    return victims.map(\.body)
  }

  /// Forgets responses without a body whose last answer came before a moment.
  func forget(before moment: Int64) throws(SQLiteDatabase.Failure) {
    let old = try database.prepare("DELETE FROM response WHERE body IS NULL AND response_time < ?")
    try change { () throws(SQLiteDatabase.Failure) in try old.run([.integer(moment)]) }
  }

  private func number(_ sql: String) throws(SQLiteDatabase.Failure) -> Int64 {
    var number: Int64 = 0
    try database.prepare(sql).run { number = $0.integer(0) }
    return number
  }
}
