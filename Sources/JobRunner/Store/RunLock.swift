import Glibc

/// Keeps a second run off the same cache. The kernel lets go of it however the process ends, so a
/// lock is never stale.
struct RunLock: ~Copyable {
  private let descriptor: Int32

  /// - Parameter waits: wait for the other run to end instead of failing with `.locked`.
  init(_ state: StateFolder, waits: Bool) throws(StoreFailure) {
    let path = state.lock
    let descriptor: Int32
    do throws(SystemCall.Failure) {
      descriptor = try SystemCall.check("open", path) {
        open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644)
      }
    } catch {
      throw StoreFailure(error)
    }
    do throws(SystemCall.Failure) {
      try SystemCall.check("lock", path) { flock(descriptor, waits ? LOCK_EX : LOCK_EX | LOCK_NB) }
    } catch {
      close(descriptor)
      guard error.errno == EWOULDBLOCK else { throw StoreFailure(error) }
      throw StoreFailure(
        .locked, "another run is working on \(state.cache); wait for it to end, or use --wait")
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }
}
