import CacheCore
import Glibc

/// A cache folder while a run works on it: locked, its ledger open.
final class CacheSession: Sendable {
  let state: StateFolder
  let ledger: Ledger
  let writer: CacheWriter
  private let lock: RunLock

  /// Fails before anything is fetched where the cache cannot be written or is in use.
  init(cache: String, waitsForLock: Bool) throws(StoreFailure) {
    state = StateFolder(cache: cache)
    try state.prepare()
    lock = try RunLock(state, waits: waitsForLock)
    try state.removeLeftovers()
    ledger = try Ledger(path: state.ledger)
    writer = try CacheWriter(state: state, ledger: ledger)
  }

  /// Whether the file is what an earlier run made from the same source in the same way, untouched since.
  func isCurrent(file: String, sourceID: String, identity: String) throws(StoreFailure) -> Bool {
    guard let entry = try ledger.entry(file: file), entry.sourceID == sourceID, entry.identity == identity
    else { return false }
    var info = stat()
    guard lstat(state.cache + "/" + file, &info) == 0 else { return false }
    return info.st_mode & S_IFMT == S_IFREG && Int64(info.st_size) == entry.size && info.modified == entry.modified
  }
}
