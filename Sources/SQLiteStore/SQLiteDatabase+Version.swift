import CSQLite

extension SQLiteDatabase {
  /// SQLite's version, such as `3.40.1`.
  public static var libraryVersion: String { String(cString: sqlite3_libversion()) }
}
