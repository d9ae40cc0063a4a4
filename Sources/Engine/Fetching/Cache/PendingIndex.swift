import SQLiteStore

/// The index of an HTTP cache, and the changes that still wait for it: a transaction for each response would cost more
/// than writing its body.
///
/// Changes that wait are lost with the process: then the responses are fetched once more.
struct PendingIndex {
  /// Nil once it is closed.
  private(set) var index: ResponseIndex?
  /// The damaged index that was there; nil where there was none.
  let damaged: DamagedDatabase?
  var capacity: Int
  /// Bytes of bodies, as far as this process knows.
  private(set) var usage: Int
  private(set) var lastUse: Int64
  private(set) var rows: [String: ResponseIndex.Row] = [:]
  private(set) var uses: [String: Int64] = [:]

  var count: Int { rows.count + uses.count }
  var isEmpty: Bool { rows.isEmpty && uses.isEmpty }
  var isOver: Bool { usage > capacity }

  init(path: String, capacity: Int, _ access: SQLiteDatabase.Access) throws(SQLiteDatabase.Failure) {
    let (index, damaged) = try DamagedDatabase.replaced(
      path, open: { () throws(SQLiteDatabase.Failure) in try ResponseIndex(path: path, access) },
      damage: { $0.isDamage ? "the index of the HTTP cache \(path) is damaged: \($0.message)" : nil },
      unmovable: { .damage($0.message) })
    (self.index, self.damaged, self.capacity) = (index, damaged, capacity)
    usage = try index.usage()
    lastUse = try index.lastUse()
  }

  // MARK: Looking

  mutating func row(_ name: String) -> ResponseIndex.Row? {
    if rows[name]?.isRenewal == true { commit() }
    return rows[name] ?? (try? index?.row(name))
  }

  func version(_ name: String) -> ResponseIndex.Version? {
    rows[name].map(\.version) ?? (try? index?.version(name))
  }

  /// Bytes of bodies, those of other processes too.
  mutating func countedUsage() -> Int {
    commit()
    usage = (try? index?.usage()) ?? usage
    return usage
  }

  // MARK: Changing

  mutating func set(_ name: String, _ response: StoredResponse, body: (name: String, allocated: Int)?) {
    rows[name] = ResponseIndex.Row(
      response: response, body: body?.name, allocated: body?.allocated ?? 0, used: nextUse())
    uses[name] = nil
    usage += body?.allocated ?? 0
  }

  /// Renews what is known of a response that was looked up; its body stays.
  mutating func renew(_ name: String, _ response: StoredResponse) {
    var row = rows[name] ?? ResponseIndex.Row(response: response, isRenewal: true)
    // Another answer may have come since.
    guard row.isRenewal || row.response.bodyDigest == response.bodyDigest else { return }
    (row.response, row.used) = (response, nextUse())
    (rows[name], uses[name]) = (row, nil)
  }

  mutating func use(_ name: String) {
    let use = nextUse()
    if rows[name] == nil { uses[name] = use } else { rows[name]?.used = use }
  }

  private mutating func nextUse() -> Int64 {
    lastUse += 1
    return lastUse
  }

  /// - Returns: The file that no row names any more.
  mutating func remove(_ name: String) -> String? {
    guard let row = row(name) else { return nil }
    rows[name] = nil
    uses[name] = nil
    try? index?.remove(name)
    return row.body
  }

  mutating func removeAll() {
    (rows, uses, usage) = ([:], [:], 0)
    try? index?.removeAll()
  }

  mutating func commit() {
    guard !isEmpty else { return }
    try? index?.record(rows, uses: uses)
    rows.removeAll(keepingCapacity: true)
    uses.removeAll(keepingCapacity: true)
  }

  /// SQLite removes its log when the last process closes the file.
  mutating func close() {
    commit()
    index = nil
  }

  /// - Returns: The files that no row names any more.
  mutating func evict(keeping limit: Int) -> [String] {
    commit()
    let victims = try? index?.evict(keeping: limit)
    usage = (try? index?.usage()) ?? 0
    return victims ?? []
  }
}
