import Foundation
import Planning

extension StateFolder {
  /// Runs what changes a cache while no run can be at work on it.
  ///
  /// - Parameter body: gets nil where the cache has no state folder; then no run has ever been there, and none is made
  ///   for the lock's sake.
  package static func whileLocked<T>(
    cache: String, waits: Bool, _ body: (StateFolder?) throws(StoreFailure) -> T
  ) throws(StoreFailure) -> T {
    let state = StateFolder(cache: cache)
    guard FileManager.default.fileExists(atPath: state.path) else { return try body(nil) }
    _ = try state.prepare()
    let lock = try RunLock(state, waits: waits)
    let result = try body(state)
    _ = consume lock
    return result
  }
}
