/// The index of an HTTP cache, and the changes that still wait for it: a transaction for each response would cost more
/// than writing its body.
///
/// Changes that wait are lost with the process: then the responses are fetched once more.
struct PendingIndex {
  let index: ResponseIndex
  var capacity: Int
  /// Bytes of bodies, as far as this process knows.
  private(set) var usage: Int
  private(set) var lastUse: Int64
  private(set) var rows: [String: ResponseIndex.Row] = [:]
  private(set) var uses: [String: Int64] = [:]

  var count: Int { rows.count + uses.count }
  var isEmpty: Bool { rows.isEmpty && uses.isEmpty }
  var isOver: Bool { usage > capacity }

  // MARK: Looking

  func row(_ name: String) -> ResponseIndex.Row? { rows[name] ?? (try? index.row(name)) }

  func version(_ name: String) -> ResponseIndex.Version? {
    rows[name].map(\.version) ?? (try? index.version(name))
  }

  /// Bytes of bodies, those of other processes too.
  mutating func countedUsage() -> Int {
    commit()
    usage = (try? index.usage()) ?? usage
    return usage
  }

  // MARK: Changing

  mutating func set(_ name: String, _ response: StoredResponse, body: (name: String, allocated: Int)?) {
    rows[name] = ResponseIndex.Row(
      response: response, body: body?.name, allocated: body?.allocated ?? 0, used: nextUse())
    uses[name] = nil
    usage += body?.allocated ?? 0
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
    try? index.remove(name)
    return row.body
  }

  mutating func removeAll() {
    rows = [:]
    uses = [:]
    usage = 0
    try? index.removeAll()
  }

  /// Writes the waiting changes.
  mutating func commit() {
    guard !isEmpty else { return index.endReading() }
    try? index.record(rows, uses: uses)
    rows.removeAll(keepingCapacity: true)
    uses.removeAll(keepingCapacity: true)
  }

  /// - Returns: The files that no row names any more.
  mutating func evict(keeping limit: Int) -> [String] {
    commit()
    let victims = try? index.evict(keeping: limit)
    usage = (try? index.usage()) ?? 0
    return victims ?? []
  }
}
