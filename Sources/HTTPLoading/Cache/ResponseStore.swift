import CacheCore
import Foundation

/// Responses on disk: a file each, the least recently used ones go when it grows too large.
///
/// A file is a line of our own, a line of JSON and the body. Files are whole or absent; one that a disk
/// has damaged all the same is removed when it is read.
final class ResponseStore: Sendable {
  private struct State {
    var capacity: Int
    /// Bytes on disk; nil until they were counted.
    var usage: Int?
  }

  private let files: FileStore
  private let state: Locked<State>
  private static let magic = Array("preheat http cache 1\n".utf8)
  private static let newline = UInt8(ascii: "\n")
  /// What a sweep leaves, so that not every store sweeps.
  private static let trimRatio = 0.9

  init(folder: URL, capacity: Int) throws(FileStoreError) {
    files = try FileStore(folder: folder)
    try files.removeAbandonedTemporaries()
    state = Locked(State(capacity: capacity))
  }

  var capacity: Int {
    get { state.withLock { $0.capacity } }
    set {
      state.withLock { $0.capacity = newValue }
      trim()
    }
  }

  var usage: Int { allocated(entries) }

  func read(_ name: String) -> (response: StoredResponse, body: [UInt8])? {
    guard let data = try? files.read(name, updatingAccessDate: true) else { return nil }
    guard let found = Self.parse(data) else {
      remove(name)
      return nil
    }
    return found
  }

  /// A response that cannot be written is only not cached.
  func write(_ response: StoredResponse, body: [UInt8], as name: String) {
    guard let header = try? JSONEncoder().encode(response), body.count < capacity else { return remove(name) }
    var data = Data(capacity: Self.magic.count + header.count + 1 + body.count)
    data.append(contentsOf: Self.magic)
    data.append(header)
    data.append(Self.newline)
    data.append(contentsOf: body)
    let replaced = files.entry(named: name)?.allocatedSize ?? 0
    do { try files.write(data, as: name) } catch { return }
    let added = (files.entry(named: name)?.allocatedSize ?? data.count) - replaced
    let isOver = state.withLock { state in
      state.usage = state.usage.map { $0 + added }
      return state.usage.map { $0 > state.capacity } ?? true
    }
    if isOver { trim() }
  }

  func remove(_ name: String) { try? files.remove(name) }

  func removeAll() {
    for entry in entries { remove(entry.name) }
    state.withLock { $0.usage = nil }
  }

  private func trim() {
    let all = entries
    let sweep = SizeSweep(sizeLimit: capacity, trimRatio: Self.trimRatio)
    let victims = sweep.victims(among: all)
    for victim in victims { remove(victim.name) }
    state.withLock { $0.usage = allocated(all) - allocated(victims) }
  }

  private var entries: [FileEntry] {
    do { return try files.entries() } catch { return [] }
  }

  private func allocated(_ entries: [FileEntry]) -> Int { entries.reduce(0) { $0 + $1.allocatedSize } }

  /// Nil where anything does not fit.
  private static func parse(_ data: Data) -> (response: StoredResponse, body: [UInt8])? {
    guard data.starts(with: magic) else { return nil }
    let rest = data.dropFirst(magic.count)
    guard let end = rest.firstIndex(of: newline),
      let response = try? JSONDecoder().decode(StoredResponse.self, from: rest[..<end])
    else { return nil }
    let body = [UInt8](rest[(end + 1)...])
    guard body.count == response.bodySize, hexadecimal(SHA256.hash(body)) == response.bodyDigest else {
      return nil
    }
    return (response, body)
  }
}
