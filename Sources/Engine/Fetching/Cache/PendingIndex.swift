import FileStore
import Glibc
import SQLiteStore
import Text

/// The index of an HTTP cache, and the changes that still wait for it: a transaction for each response would cost more
/// than writing its body.
///
/// Changes that wait are lost with the process: then the responses are fetched once more.
struct PendingIndex {
  let index: ResponseIndex
  /// The fate of a damaged index, for people; nil where there was none.
  let rebuilding: String?
  var capacity: Int
  /// Bytes of bodies, as far as this process knows.
  private(set) var usage: Int
  private(set) var lastUse: Int64
  private(set) var rows: [String: ResponseIndex.Row] = [:]
  private(set) var uses: [String: Int64] = [:]

  var count: Int { rows.count + uses.count }
  var isEmpty: Bool { rows.isEmpty && uses.isEmpty }
  var isOver: Bool { usage > capacity }

  init(
    folder: String, path: String, bodies: FileStore, capacity: Int
  ) throws(SQLiteDatabase.Failure) {
    do throws(SQLiteDatabase.Failure) { (index, rebuilding) = (try ResponseIndex(path: path), nil) } catch {
      guard error.isDamage else { throw error }
      // Other processes may have met the same file: one of them moves it, the others find the new one.
      let lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      defer { close(lock) }
      _ = SystemCall.repeated { flock(lock, LOCK_EX) }
      (index, rebuilding) = try Self.rebuilt(path, bodies)
    }
    self.capacity = capacity
    usage = try index.usage()
    lastUse = try index.lastUse()
  }

  private static func rebuilt(
    _ path: String, _ bodies: FileStore
  ) throws(SQLiteDatabase.Failure) -> (ResponseIndex, String?) {
    let damage: SQLiteDatabase.Failure
    do throws(SQLiteDatabase.Failure) { return (try ResponseIndex(path: path), nil) } catch { damage = error }
    guard damage.isDamage else { throw damage }
    let aside: String
    do throws(SystemCall.Failure) { aside = try DamagedDatabase.moveAside(path) } catch {
      throw SQLiteDatabase.Failure(code: damage.code, message: error.message)
    }
    let index = try ResponseIndex(path: path)
    try index.adopt(aside) { bodies.entry(named: $0)?.allocatedSize }
    let kept = (try? index.count()) ?? 0
    let fate = kept == 0 ? "it is filled again" : "\(NumberText.count(kept, "response")) could be kept"
    return (
      index,
      "the index of the HTTP cache \(path) is damaged (\(damage.message)) and was moved to \(aside); \(fate)"
    )
  }

  // MARK: Looking

  mutating func row(_ name: String) -> ResponseIndex.Row? {
    if rows[name]?.isRenewal == true { commit() }
    return rows[name] ?? (try? index.row(name))
  }

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
    try? index.remove(name)
    return row.body
  }

  mutating func removeAll() {
    (rows, uses, usage) = ([:], [:], 0)
    try? index.removeAll()
  }

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
