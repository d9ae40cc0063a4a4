import CSQLite

extension SQLiteDatabase.Failure {
  /// The file is no database, or one that is damaged.
  public var isDamage: Bool { [SQLITE_NOTADB, SQLITE_CORRUPT].contains(code & 0xff) }
  public var isFull: Bool { code & 0xff == SQLITE_FULL }
}
