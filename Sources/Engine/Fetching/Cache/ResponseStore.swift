import Bodies
import Concurrency
import FileStore
import Foundation
import SQLiteStore

/// Responses on disk: an index and a file for each body; the least recently used bodies go when they grow
/// too large.
///
/// A body's file is whole before a row names it, and its digest is checked when it is read. A cache may be
/// lost, so what goes wrong with the disk only means that something is not cached; a damaged index is moved aside
/// with all that it knew. Any number of processes may share the folder.
final class ResponseStore: Sendable {
  /// The largest group of changes, and how long its first one waits: at most so much is lost in a kill.
  private static let changesAtOnce = 4096
  private static let groupAge: Duration = .milliseconds(500)

  let damaged: DamagedDatabase?
  private let bodies: FileStore
  private let state: Locked<PendingIndex>
  /// The share of the capacity that an eviction leaves, so that not every store evicts.
  private static let trimRatio = 0.9
  /// A file that no row names may be one that another process is about to name.
  private static let orphanAge: TimeInterval = 3600

  /// - Parameter isShared: whether other processes may have it open; else none can.
  init(folder: URL, capacity: Int, isShared: Bool = true) throws(FileStoreError) {
    // Answers may be for one user alone.
    _ = try FileStore(folder: folder, isPrivate: true)
    bodies = try FileStore(folder: folder.appendingPathComponent("bodies"), isPrivate: true)
    try bodies.removeAbandonedTemporaries()
    let path = folder.appendingPathComponent("index.sqlite").path
    do throws(SQLiteDatabase.Failure) {
      let index = try PendingIndex(path: path, capacity: capacity, isShared ? .shared : .exclusive)
      damaged = index.damaged
      state = Locked(index)
    } catch {
      throw FileStoreError(.write, path: path, reason: Self.reason(error, path))
    }
    removeOrphans()
    if usage > capacity { trim() }
  }

  deinit { commit() }

  func commit() { state.withLock { $0.commit() } }

  /// From here on the index is not read or written. A task may still hold the store when the process ends.
  func close() { state.withLock { $0.close() } }

  private static func reason(_ failure: SQLiteDatabase.Failure, _ path: String) -> FileStoreError.Reason {
    if failure.isFull { return .noSpace }
    if failure.isPassing { return .locked(by: LockHolder.find([path])?.description) }
    return .failed(message: failure.message)
  }

  var capacity: Int {
    get { state.withLock { $0.capacity } }
    set {
      state.withLock { $0.capacity = newValue }
      trim()
    }
  }

  var usage: Int { state.withLock { $0.countedUsage() } }

  // MARK: Reading

  func version(_ name: String) -> ResponseIndex.Version? { state.withLock { $0.version(name) } }

  /// The record of a response, with or without a body.
  func head(_ name: String) -> StoredResponse? { state.withLock { $0.row(name)?.response } }

  func read(_ name: String) -> (response: StoredResponse, body: [UInt8])? {
    guard let row = state.withLock({ $0.row(name) }), let file = row.body else { return nil }
    let size = row.response.bodySize
    let found: Data?
    // What cannot be read now may be read later.
    do throws(FileStoreError) { found = try bodies.read(file, most: size) } catch {
      guard error.isTooLarge else { return nil }
      found = nil
    }
    guard let data = found, data.count == size, ContentDigest.sha256(data) == row.response.bodyDigest else {
      forgetBody(of: name, file)
      return nil
    }
    change { $0.use(name) }
    return (row.response, [UInt8](data))
  }

  private func forgetBody(of name: String, _ file: String) {
    change { state in
      // Another process may know better by now.
      state.commit()
      guard let row = state.row(name), row.body == file else { return }
      state.set(name, row.response, body: nil)
    }
    try? bodies.remove(file)
  }

  // MARK: Writing

  /// A response that cannot be written is only not cached; one whose body is too large keeps its head.
  ///
  /// - Parameter body: nil where it is kept elsewhere, so that only what was said about it is remembered.
  func write(_ response: StoredResponse, body: [UInt8]?, as name: String) {
    let file = "\(name)-\(response.bodyDigest.prefix(16))"
    let before = state.withLock { $0.row(name) }?.body
    let kept = body.flatMap { $0.count < capacity ? $0 : nil }
    let allocated = kept.flatMap { try? bodies.write(Data($0), as: file) }
    let isOver = change { state in
      state.set(name, response, body: allocated.map { (file, $0) })
      return state.isOver
    }
    if let before, before != file || allocated == nil { try? bodies.remove(before) }
    if isOver { trim() }
  }

  /// Renews what is known of a response; its body stays as it is, unless it is another one.
  ///
  /// - Parameter known: what it was renewed from.
  func write(_ head: StoredResponse, as name: String, renewing known: StoredResponse) {
    // With a time it is from the index.
    if known.responseTime > 0 { change { $0.renew(name, head) } } else { write(head, body: nil, as: name) }
  }

  func remove(_ name: String) {
    let body = state.withLock { $0.remove(name) }
    if let body { try? bodies.remove(body) }
  }

  func removeAll() {
    state.withLock { $0.removeAll() }
    for name in names where !FileStore.isHidden(name) { try? bodies.remove(name) }
  }

  func forget(before moment: Int64) { state.withLock { try? $0.index?.forget(before: moment) } }

  /// Changes what is known; the index is written in groups.
  @discardableResult
  private func change<Result: Sendable>(_ body: @Sendable (inout PendingIndex) -> Result) -> Result {
    let (result, isFirst) = state.withLock { state in
      let wasEmpty = state.isEmpty
      let result = body(&state)
      if state.count >= Self.changesAtOnce { state.commit() }
      return (result, wasEmpty && !state.isEmpty)
    }
    if isFirst {
      Task { [weak self] in
        try? await Task.sleep(for: Self.groupAge)
        self?.commit()
      }
    }
    return result
  }

  private func trim() {
    // fits: less than it was.
    let victims = state.withLock { $0.evict(keeping: Int(Double($0.capacity) * Self.trimRatio)) }
    for file in victims { try? bodies.remove(file) }
  }

  /// Files that no row names: of an index that was lost, or of a process that was killed.
  private func removeOrphans() {
    let (known, isNew) = state.withLock { (try? $0.index?.bodies(), $0.index?.isNew == true) }
    guard let known else { return }
    for name in names where !FileStore.isHidden(name) && !known.contains(name) {
      guard let entry = (try? bodies.entry(named: name)) ?? nil else { continue }
      if isNew || -entry.modificationDate.timeIntervalSinceNow > Self.orphanAge {
        try? bodies.remove(entry.name)
      }
    }
  }

  private var names: [String] { (try? bodies.names()) ?? [] }
}
