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

  static let table = SummedTable(
    "response",
    [
      .init("name", "TEXT NOT NULL PRIMARY KEY"), .init("fields", "TEXT NOT NULL"),
      .init("varying", "TEXT NOT NULL"), .init("request_time", "INTEGER NOT NULL"),
      .init("response_time", "INTEGER NOT NULL"), .init("fresh_until", "INTEGER NOT NULL"),
      .init("size", "INTEGER NOT NULL"), .init("digest", "TEXT NOT NULL"),
      // What these say of a body's file shows there, and changes with each use.
      .init("body", "TEXT"), .init("allocated", "INTEGER NOT NULL"), .init("used", "INTEGER NOT NULL"),
    ], summed: 8, version: 3,
    needed: ["name", "fields", "varying", "request_time", "response_time", "fresh_until", "size", "digest"])

  private let database: SQLiteDatabase
  private let select: SQLiteDatabase.Statement
  private let replace: SQLiteDatabase.Statement
  private let renew: SQLiteDatabase.Statement
  private let delete: SQLiteDatabase.Statement
  /// Whether the file is new, so that no row names the body files.
  let isNew: Bool

  /// - Throws: what `isDamage` says of the file: that it has to be moved aside.
  init(path: String, _ access: SQLiteDatabase.Access) throws(SQLiteDatabase.Failure) {
    database = try SQLiteDatabase(path: path, access)
    isNew = try Self.table.make(in: database) == .none
    if !isNew { try Self.table.read(database, .current) }
    select = try database.prepare(Self.table.selection("WHERE name = ?"))
    replace = try database.prepare(Self.table.replacement)
    renew = try database.prepare(
      """
      \(Self.table.insertion) ON CONFLICT (name) DO UPDATE SET
      (fields, varying, request_time, response_time, fresh_until, size, used, sum) = (excluded.fields,
      excluded.varying, excluded.request_time, excluded.response_time, excluded.fresh_until, excluded.size,
      excluded.used, excluded.sum) WHERE digest = excluded.digest
      """)
    delete = try database.prepare("DELETE FROM response WHERE name = ?")
  }

  // MARK: Looking

  private func find<Found>(
    _ name: String, _ read: (SQLiteDatabase.Statement) -> Found
  ) throws(SQLiteDatabase.Failure) -> Found? {
    var found: Found?
    try select.run([.text(name)]) { row throws(SQLiteDatabase.Failure) in
      try Self.table.prove(row)
      found = read(row)
    }
    return found
  }

  func row(_ name: String) throws(SQLiteDatabase.Failure) -> Row? {
    try find(name) { found in
      Row(
        response: StoredResponse(
          fields: found.text(1) ?? "", varying: found.text(2) ?? "", requestTime: found.integer(3),
          responseTime: found.integer(4), bodySize: Int(found.integer(6)), bodyDigest: found.text(7) ?? ""),
        body: found.text(8))
    }
  }

  func version(_ name: String) throws(SQLiteDatabase.Failure) -> Version? {
    try find(name) { found in
      Version(
        digest: found.text(7) ?? "", responseTime: found.integer(4), freshUntil: found.integer(5),
        varies: found.text(2) != "")
    }
  }

  // MARK: Changing

  /// Writes all rows, and when others were used, or nothing.
  func record(_ rows: [String: Row], uses: [String: Int64]) throws(SQLiteDatabase.Failure) {
    try database.transaction { () throws(SQLiteDatabase.Failure) in
      // In the order of the table, so that neighbours share a page.
      for (name, row) in rows.sorted(by: { $0.key < $1.key }) { try set(name, row) }
      let update = try database.prepare("UPDATE response SET used = ? WHERE name = ?")
      for (name, use) in uses { try update.run([.integer(use), .text(name)]) }
    }
  }

  private func set(_ name: String, _ row: Row) throws(SQLiteDatabase.Failure) {
    let response = row.response
    let values = Self.table.values([
      .text(name), .text(response.fieldText), .text(response.varyingText), .integer(response.requestTime),
      .integer(response.responseTime), .integer(response.freshUntil), .integer(Int64(response.bodySize)),
      .text(response.bodyDigest), .init(row.body), .integer(Int64(row.allocated)), .integer(row.used),
    ])
    try (row.isRenewal ? renew : replace).run(values)
  }

  func remove(_ name: String) throws(SQLiteDatabase.Failure) {
    try database.transaction { () throws(SQLiteDatabase.Failure) in try delete.run([.text(name)]) }
  }

  func removeAll() throws(SQLiteDatabase.Failure) {
    try database.transaction { () throws(SQLiteDatabase.Failure) in
      try database.execute("DELETE FROM response")
    }
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
    try database.transaction { () throws(SQLiteDatabase.Failure) in
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
    try database.transaction { () throws(SQLiteDatabase.Failure) in try old.run([.integer(moment)]) }
  }

  private func number(_ sql: String) throws(SQLiteDatabase.Failure) -> Int64 {
    var number: Int64 = 0
    try database.prepare(sql).run { number = $0.integer(0) }
    return number
  }
}
