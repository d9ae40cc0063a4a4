import Digests
import Glibc

/// The one table of a database: a row is found by its first column, a text, and its last column has a sum of the others, so
/// that damage shows when the row is read.
package struct SummedTable: Sendable {
  package struct Column: Sendable {
    package let name: String
    /// Empty for what a table of an earlier form lacks.
    package let type: String

    package init(_ name: String, _ type: String) { (self.name, self.type) = (name, type) }
  }

  package enum Form: Hashable, Sendable {
    case none, current
    /// Of an earlier release, whose table did not have these columns.
    case earlier(lacking: [String])
    case later(Int64)
  }

  let name: String
  package let columns: [Column]
  /// Number of columns, from the first, that are in the sum.
  private let summed: Int
  /// Grows when the columns change.
  package let version: Int64
  /// Columns without which a table of an earlier form is of no use.
  private let needed: [String]

  package init(_ name: String, _ columns: [Column], summed: Int? = nil, version: Int64, needed: [String]) {
    (self.name, self.columns, self.version, self.needed) = (name, columns, version, needed)
    self.summed = summed ?? columns.count
  }

  private var creation: String {
    "CREATE TABLE \(name) (\(columns.map { "\($0.name) \($0.type), " }.joined())sum INTEGER NOT NULL) WITHOUT ROWID"
  }

  /// All rows, or those of a condition: their columns in order, and the sum.
  package func selection(_ condition: String = "") -> String {
    "SELECT \(columns.map(\.name).joined(separator: ", ")), sum FROM \(name) \(condition)"
  }

  package var insertion: String { "INSERT INTO \(name) VALUES (\(columns.map { _ in "?, " }.joined())?)" }
  package var replacement: String {
    insertion.replacing("INSERT", with: "INSERT OR REPLACE", maxReplacements: 1)
  }

  /// What ``insertion`` and ``replacement`` take.
  package func values(_ values: [SQLiteDatabase.Value]) -> [SQLiteDatabase.Value] {
    var sum = RowSum()
    for value in values.prefix(summed) { sum.add(value) }
    return values + [.integer(sum.value)]
  }

  /// Fails where a row of ``selection(_:)`` is not as it was written.
  package func prove(_ row: SQLiteDatabase.Statement) throws(SQLiteDatabase.Failure) {
    var sum = RowSum()
    row.add(0..<Int32(summed), to: &sum)
    guard row.integer(Int32(columns.count)) == sum.value else {
      throw .damage("a row is not as it was written")
    }
  }

  /// The form of what is there. What is not a plain table may do anything when it is read, so that a database is damaged
  /// that has a view or a trigger, or another table.
  package func form(of database: SQLiteDatabase) throws(SQLiteDatabase.Failure) -> Form {
    var (found, schema, names): (Int64, [String], Set<String>) = (0, [], [])
    try database.prepare("PRAGMA user_version").run { found = $0.integer(0) }
    try database.prepare("SELECT type || sql FROM sqlite_master WHERE sql IS NOT NULL").run {
      schema.append($0.text(0) ?? "")
    }
    if found == 0, schema.isEmpty { return .none }
    if found > version { return .later(found) }
    if found == version, schema == ["table" + creation] { return .current }
    try database.prepare("PRAGMA table_info(\(name))").run { names.insert($0.text(1) ?? "") }
    guard found > 0, found < version, schema.first?.hasPrefix("tableCREATE TABLE \(name) (") == true,
      schema.dropFirst().allSatisfy({ $0.hasPrefix("index") }), names.isSuperset(of: needed)
    else { throw .damage("it does not have this release's form") }
    return .earlier(lacking: columns.map(\.name).filter { !names.contains($0) })
  }

  /// Walks through all pages and rows, so that damage shows here; `body` gets each row.
  package func read(
    _ database: SQLiteDatabase, _ form: Form, _ body: (SQLiteDatabase.Statement) -> Void = { _ in }
  ) throws(SQLiteDatabase.Failure) {
    // All looks are at one state, whatever other processes write.
    try database.execute("BEGIN")
    defer { try? database.execute("COMMIT") }
    try checkPages(of: database)
    if case .earlier(let lacking) = form {
      return try database.prepare(selection(lacking: lacking, from: name)).run { body($0) }
    }
    var last: [UInt8] = []
    try database.prepare(selection()).run { row throws(SQLiteDatabase.Failure) in
      try prove(row)
      // A row that is not behind the one before would not be found by its name.
      let isBehind = row.withBytes(0) { key in
        guard let key, last.isEmpty || last.lexicographicallyPrecedes(key) else { return false }
        last.removeAll(keepingCapacity: true)
        last.append(contentsOf: key)
        return true
      }
      guard isBehind else { throw .damage("its rows are not in their order") }
      body(row)
    }
  }

  private func checkPages(of database: SQLiteDatabase) throws(SQLiteDatabase.Failure) {
    var finding: String?
    try database.prepare("PRAGMA quick_check(1)").run { finding = finding ?? $0.text(0) }
    if let finding, finding != "ok" { throw .damage(finding) }
    if database.isForeign { throw .damage("file is not a database") }
  }

  /// The columns as a table of an earlier form has them; what it lacks is empty.
  private func selection(lacking: [String], from table: String) -> String {
    let found = columns.map { column in
      guard lacking.contains(column.name) else { return column.name }
      return column.type.hasPrefix("TEXT NOT") ? "''" : column.type.hasPrefix("TEXT") ? "NULL" : "0"
    }
    return "SELECT \(found.joined(separator: ", ")) FROM \(table) ORDER BY \(columns[0].name)"
  }

  /// Makes the table where there is none, and gives one of an earlier form this one, with all its rows.
  ///
  /// - Returns: what was there.
  package func make(in database: SQLiteDatabase) throws(SQLiteDatabase.Failure) -> Form {
    if try form(of: database) == .current { return .current }
    var found = Form.current
    try database.transaction { () throws(SQLiteDatabase.Failure) in
      // Another process may have been faster.
      found = try form(of: database)
      switch found {
      case .current: return
      case .later(let version): throw .damage("its form is \(version), of a later release")
      case .none: try database.execute("\(creation); PRAGMA user_version = \(version)")
      case .earlier(let lacking):
        try checkPages(of: database)
        try database.execute(
          "ALTER TABLE \(name) RENAME TO earlier; \(creation); PRAGMA user_version = \(version)")
        let insertion = try database.prepare(replacement)
        try database.prepare(selection(lacking: lacking, from: "earlier")).run {
          row throws(SQLiteDatabase.Failure) in
          try insertion.run(values(columns.indices.map { row.value(Int32($0)) }))
        }
        try database.execute("DROP TABLE earlier")
      }
    }
    return found
  }
}

/// CRC-32 of a row's values, each with its kind and its length.
struct RowSum {
  private var bytes: [UInt8] = []

  init() { bytes.reserveCapacity(1024) }

  var value: Int64 { bytes.withUnsafeBytes { Int64(CRC32.sum($0)) } }

  mutating func add(_ number: Int64) {
    bytes.append(1)
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func add(_ text: UnsafeRawBufferPointer?) {
    guard let text else { return bytes.append(0) }
    bytes.append(2)
    withUnsafeBytes(of: Int64(text.count).littleEndian) { bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: text)
  }

  mutating func add(_ value: SQLiteDatabase.Value) {
    switch value {
    case .null: add(nil)
    case .integer(let number): add(number)
    case .text(var text): text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
    }
  }
}
