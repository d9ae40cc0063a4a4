import Glibc
import Planning
import Text

/// Keeps a second run off the same cache. The kernel lets go of it however the process ends, so a
/// lock is never stale.
package struct RunLock: ~Copyable {
  private let descriptor: Int32

  /// - Parameters:
  ///   - waits: wait for the other run to end instead of failing with `.locked`. A task that is cancelled
  ///     meanwhile fails with it, too.
  ///   - isShared: for those who only read; the lock's file must be there.
  package init(_ state: StateFolder, waits: Bool, isShared: Bool = false) throws(StoreFailure) {
    let path = state.lock
    let descriptor: Int32
    do throws(SystemCall.Failure) {
      descriptor = try SystemCall.check("open", path) {
        let access = isShared ? O_RDONLY : O_RDWR | O_CREAT
        return open(path, access | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o644)
      }
    } catch {
      throw StoreFailure(error)
    }
    do throws(SystemCall.Failure) {
      try Self.take(descriptor, isShared ? LOCK_SH : LOCK_EX, path: path, waits: waits)
    } catch {
      close(descriptor)
      guard error.errno == EWOULDBLOCK else { throw StoreFailure(error) }
      throw StoreFailure(
        .locked, "another run is working on \(state.cache); wait for it to end, or use --wait")
    }
    self.descriptor = descriptor
  }

  /// Asks again and again: a wait inside the kernel would go on after Ctrl-C.
  private static func take(
    _ descriptor: Int32, _ kind: Int32, path: String, waits: Bool
  ) throws(SystemCall.Failure) {
    while true {
      do throws(SystemCall.Failure) {
        try SystemCall.check("lock", path) { flock(descriptor, kind | LOCK_NB) }
        return
      } catch {
        guard waits, error.errno == EWOULDBLOCK, !Task.isCancelled else { throw error }
      }
      usleep(50_000)
    }
  }

  deinit { close(descriptor) }
}
