/// A table that shows damage of its rows and of its indexes: each row has a mark, a number made of those of its values
/// that must not change unseen.
package struct MarkedTable: Sendable {
  package struct Index: Sendable {
    let name: String
    let columns: String
    /// Which rows are in it; nil for all.
    let condition: String?
    let isUnique: Bool

    fileprivate var sum: String { "entries(\(isUnique ? 1 : 0), rowid, \(columns))" }
    fileprivate var filter: String { condition.map { " WHERE \($0)" } ?? "" }

    package init(_ name: String, columns: String, where condition: String? = nil, isUnique: Bool = false) {
      (self.name, self.columns, self.condition, self.isUnique) = (name, columns, condition, isUnique)
    }
  }

  /// The definition of the column that comes last in the table.
  package static let column = "mark INTEGER NOT NULL"

  let name: String
  fileprivate let indexes: [Index]
  private let key: String
  private let marked: [String]

  /// - Parameters:
  ///   - key: the primary key, a text.
  ///   - marked: the columns that the mark stands for; each costs time in each run.
  ///   - others: indexes besides that of the key.
  package init(_ name: String, key: String, marked: [String], others: [Index] = []) {
    self.name = name
    indexes = [Index("sqlite_autoindex_\(name)_1", columns: key, isUnique: true)] + others
    (self.key, self.marked) = (key, marked)
  }

  /// `VALUES (...)` with a parameter for each column, and the mark of them.
  package func values(of columns: [String]) -> String {
    "VALUES (\(columns.map { ":\($0), " }.joined())mark(\(marked.map { ":" + $0 }.joined(separator: ", "))))"
  }

  /// The mark as it has to be, in terms of the columns.
  package var mark: String { "mark(\(marked.joined(separator: ", ")))" }

  /// The sum of each index's entries as the rows have them, from one pass; null for the first where a mark is wrong.
  fileprivate var proof: String {
    let others = indexes.dropFirst().map {
      ", \($0.sum)\($0.condition.map { " FILTER (WHERE \($0))" } ?? "")"
    }
    return
      "SELECT proof(mark, rowid, \(key), \(marked.joined(separator: ", ")))\(others.joined()) FROM \(name) NOT INDEXED"
  }
}

extension SQLiteDatabase {
  package func checkPages() throws(Failure) {
    var finding: String?
    try prepare("PRAGMA quick_check(1)").run { finding = finding ?? $0.text(0) }
    if let finding, finding != "ok" { throw .damage(finding) }
  }

  /// Walks through all pages, rows and indexes, so that damage shows here: a tenth of a second for 100,000 entries.
  package func proveWhole(_ table: MarkedTable) throws(Failure) {
    // All looks are at one state, whatever other processes write.
    try execute("BEGIN")
    defer { try? execute("COMMIT") }
    try checkPages()
    // SQLite's own comparison of indexes with rows looks each row up, which takes twice as long.
    var sums: [Int64?] = []
    try prepare(table.proof).run { row in
      sums = table.indexes.indices.map { row.isNull(Int32($0)) ? nil : row.integer(Int32($0)) }
    }
    if sums.first == .some(nil) { throw .damage("a row is not as it was written") }
    for (index, sum) in zip(table.indexes, sums) {
      var found: Int64?
      try prepare("SELECT \(index.sum) FROM \(table.name) INDEXED BY \(index.name)\(index.filter)").run {
        row in
        found = row.isNull(0) ? nil : row.integer(0)
      }
      if found == nil || found != sum { throw .damage("index \(index.name) does not have each row once") }
    }
  }
}
