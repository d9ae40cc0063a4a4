import CacheCore

/// Finds keys that are asked for twice. Holds 64 bits a key, so a million keys cost little; what
/// looks equal is compared in full by the caller.
struct CollisionIndex {
  private var rows: [UInt64: Int32] = [:]

  /// Notes `row` under `key` unless the key is known; then answers who was first.
  mutating func firstRow(of key: String, adding row: Int32) -> Int32? {
    let short = Self.short(key)
    if let known = rows[short] { return known }
    rows[short] = row
    return nil
  }

  func row(of key: String) -> Int32? { rows[Self.short(key)] }

  private static func short(_ key: String) -> UInt64 {
    SHA1.hash(key.utf8).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }
}
