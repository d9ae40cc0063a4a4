import Concurrency
import ContentDigests
import FileStore
import Foundation
import SQLiteStore

/// Responses on disk: an index and a file for each body; the least recently used bodies go when they grow
/// too large.
///
/// A body's file is whole before a row names it, and its digest is checked when it is read. A cache may be
/// lost, so what goes wrong with the disk only means that something is not cached; a damaged index is moved aside
/// and made anew from what is left of it. Any number of processes may share the folder.
final class ResponseStore: Sendable {
  private struct State {
    var index: ResponseIndex
    var capacity: Int
    /// Bytes of bodies, as far as this process knows.
    var usage: Int
    var lastUse: Int64
    /// Uses that the index has not been told yet: a write for each would cost more than the read.
    var uses: [String: Int64] = [:]

    mutating func nextUse() -> Int64 {
      lastUse += 1
      return lastUse
    }

    mutating func tellUses() {
      try? index.touch(uses)
      uses.removeAll(keepingCapacity: true)
    }
  }

  /// What became of a damaged index, for a person; nil where there was none.
  let rebuilding: String?
  private let bodies: FileStore
  private let state: Locked<State>
  /// What an eviction leaves, so that not every store evicts.
  private static let trimRatio = 0.9
  private static let usesAtOnce = 256
  /// A file that no row names may be one that another process is about to name.
  private static let orphanAge: TimeInterval = 3600

  init(folder: URL, capacity: Int) throws(FileStoreError) {
    // What a server gave to one user is for that user.
    _ = try FileStore(folder: folder, isPrivate: true)
    bodies = try FileStore(folder: folder.appendingPathComponent("bodies"), isPrivate: true)
    try bodies.removeAbandonedTemporaries()
    let path = folder.appendingPathComponent("index.sqlite").path
    do throws(SQLiteDatabase.Failure) {
      let opened = try OpenedIndex(folder: folder.path, path: path, bodies: bodies)
      let index = opened.index
      rebuilding = opened.rebuilding
      state = Locked(
        State(
          index: index, capacity: capacity, usage: try index.usage(), lastUse: try index.lastUse()))
    } catch {
      throw FileStoreError(.write, path: path, reason: Self.reason(error, path))
    }
    removeOrphans()
    if usage > capacity { trim() }
  }

  deinit { state.withLock { $0.tellUses() } }

  private static func reason(_ failure: SQLiteDatabase.Failure, _ path: String) -> FileStoreError.Reason {
    if failure.isFull { return .noSpace }
    if failure.isPassing { return .locked(by: LockHolder.find([path, path + "-shm"])?.description) }
    return .failed(message: failure.message)
  }

  var capacity: Int {
    get { state.withLock { $0.capacity } }
    set {
      state.withLock { $0.capacity = newValue }
      trim()
    }
  }

  /// Bytes that bodies take on disk.
  var usage: Int { state.withLock { (try? $0.index.usage()) ?? $0.usage } }

  // MARK: Reading

  func version(_ name: String) -> ResponseIndex.Version? {
    state.withLock { try? $0.index.version(name) }
  }

  /// What is known of a response, with or without a body.
  func head(_ name: String) -> StoredResponse? {
    state.withLock { try? $0.index.row(name)?.response }
  }

  func read(_ name: String) -> (response: StoredResponse, body: [UInt8])? {
    guard let row = state.withLock({ try? $0.index.row(name) }), let file = row.body else { return nil }
    guard let data = try? bodies.read(file), data.count == row.response.bodySize,
      ContentDigest.sha256(data) == row.response.bodyDigest
    else {
      forgetBody(of: name, row)
      return nil
    }
    state.withLock { state in
      state.uses[name] = state.nextUse()
      if state.uses.count >= Self.usesAtOnce { state.tellUses() }
    }
    return (row.response, [UInt8](data))
  }

  private func forgetBody(of name: String, _ row: ResponseIndex.Row) {
    state.withLock { state in
      try? state.index.set(name, row.response, body: nil, used: state.nextUse())
    }
    if let file = row.body { try? bodies.remove(file) }
  }

  // MARK: Writing

  /// A response that cannot be written is only not cached; one whose body is too large keeps its head.
  func write(_ response: StoredResponse, body: [UInt8], as name: String) {
    let file = "\(name)-\(response.bodyDigest.prefix(16))"
    let before = state.withLock { try? $0.index.row(name) }?.body
    let isWritten = body.count < capacity && (try? bodies.write(Data(body), as: file)) != nil
    let allocated = isWritten ? bodies.entry(named: file)?.allocatedSize ?? body.count : 0
    let isOver = state.withLock { state in
      do {
        try state.index.set(
          name, response, body: isWritten ? (file, allocated) : nil, used: state.nextUse())
        state.usage += allocated
      } catch {
        return false
      }
      return state.usage > state.capacity
    }
    if let before, before != file || !isWritten { try? bodies.remove(before) }
    if isOver { trim() }
  }

  /// Renews what is known of a response; its body stays as it is, unless it is another one.
  func write(_ head: StoredResponse, as name: String) {
    let stray = state.withLock { state -> String? in
      let row = try? state.index.row(name)
      let isSame = row?.response.bodyDigest == head.bodyDigest
      let kept = row?.body.flatMap { isSame ? ($0, bodies.entry(named: $0)?.allocatedSize ?? 0) : nil }
      try? state.index.set(name, head, body: kept, used: state.nextUse())
      return isSame ? nil : row?.body
    }
    if let stray { try? bodies.remove(stray) }
  }

  func remove(_ name: String) {
    let body = state.withLock { state in
      let row = try? state.index.row(name)
      if row != nil { try? state.index.remove(name) }
      return row?.body
    }
    if let body { try? bodies.remove(body) }
  }

  func removeAll() {
    state.withLock { state in
      try? state.index.removeAll()
      state.usage = 0
      state.uses = [:]
    }
    for name in names where !name.hasPrefix(".") { try? bodies.remove(name) }
  }

  /// Forgets responses without a body that were last heard of before a moment.
  func forget(before moment: Int64) { state.withLock { try? $0.index.forget(before: moment) } }

  private func trim() {
    let victims = state.withLock { state in
      state.tellUses()
      // fits: less than it was.
      let victims = try? state.index.evict(keeping: Int(Double(state.capacity) * Self.trimRatio))
      state.usage = (try? state.index.usage()) ?? 0
      return victims ?? []
    }
    for file in victims { try? bodies.remove(file) }
  }

  /// Files that no row names: of an index that was lost, or of a process that was killed.
  private func removeOrphans() {
    let (known, isNew) = state.withLock { (try? $0.index.bodies(), $0.index.isNew) }
    guard let known else { return }
    for name in names where !name.hasPrefix(".") && !known.contains(name) {
      guard let entry = bodies.entry(named: name) else { continue }
      if isNew || -entry.modificationDate.timeIntervalSinceNow > Self.orphanAge {
        try? bodies.remove(entry.name)
      }
    }
  }

  private var names: [String] {
    do { return try bodies.names() } catch { return [] }
  }
}
