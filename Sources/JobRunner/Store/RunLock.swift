import Glibc

/// Keeps a second run off the same cache. The kernel lets go of it however the process ends, so a
/// lock is never stale.
struct RunLock: ~Copyable {
  private let descriptor: Int32

  /// - Parameter waits: wait for the other run to end instead of failing with `.locked`. A task that is
  ///   cancelled meanwhile fails with it, too.
  init(_ state: StateFolder, waits: Bool) throws(StoreFailure) {
    let path = state.lock
    let descriptor: Int32
    do throws(SystemCall.Failure) {
      descriptor = try SystemCall.check("open", path) {
        open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o644)
      }
    } catch {
      throw StoreFailure(error)
    }
    do throws(SystemCall.Failure) {
      try Self.take(descriptor, path: path, waits: waits)
    } catch {
      close(descriptor)
      guard error.errno == EWOULDBLOCK else { throw StoreFailure(error) }
      throw StoreFailure(
        .locked, "another run is working on \(state.cache); wait for it to end, or use --wait")
    }
    self.descriptor = descriptor
  }

  /// Asks again and again: a wait inside the kernel would go on after Ctrl-C.
  private static func take(_ descriptor: Int32, path: String, waits: Bool) throws(SystemCall.Failure) {
    while true {
      do throws(SystemCall.Failure) {
        try SystemCall.check("lock", path) { flock(descriptor, LOCK_EX | LOCK_NB) }
        return
      } catch {
        guard waits, error.errno == EWOULDBLOCK, !Task.isCancelled else { throw error }
      }
      usleep(50_000)
    }
  }

  deinit { close(descriptor) }
}
