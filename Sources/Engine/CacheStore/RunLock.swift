import FileStore
import Foundation
import Planning
import Text

/// Keeps a second run off the same cache. The kernel releases it however the process ends, so a
/// lock is never stale.
package struct RunLock: ~Copyable {
  private let descriptor: Int32
  /// False on a file system that has no locks: nothing keeps a second run off then.
  package let isHeld: Bool

  /// - Parameters:
  ///   - waits: wait for the other run to end instead of failing with `.locked`. A task that is cancelled
  ///     meanwhile fails with it, too.
  ///   - isShared: for those who only read; the lock's file must be there.
  package init(_ state: StateFolder, waits: Bool, isShared: Bool = false) throws {
    let path = state.lock
    let descriptor = try state.calls.check(.open, "open", path) {
      let access = isShared ? O_RDONLY : O_RDWR | O_CREAT
      return open(path, access | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o644)
    }
    do throws(SystemCall.Failure) {
      isHeld = try Self.take(descriptor, isShared: isShared, state: state, waits: waits)
    } catch {
      close(descriptor)
      guard error.errno == EWOULDBLOCK else { throw error }
      let holder = LockHolder.find([path])?.description
      throw StoreFailure(
        .locked,
        "another run is working on \(state.cache)\(holder.map { ": \($0)" } ?? ""); "
          + "wait for it to end, or use --wait")
    }
    self.descriptor = descriptor
  }

  /// A lock that is held is tried this often. A process that is being started has its parent's lock until it runs its
  /// own program, so the lock of a run that was killed may outlive it for a moment.
  private static let attempts = 5

  /// Asks again and again: a wait inside the kernel would go on after Ctrl-C.
  private static func take(
    _ descriptor: Int32, isShared: Bool, state: StateFolder, waits: Bool
  ) throws(SystemCall.Failure) -> Bool {
    var attempt = 1
    while true {
      do throws(SystemCall.Failure) {
        try state.calls.check(.lock, "lock", state.lock) {
          flock(descriptor, (isShared ? LOCK_SH : LOCK_EX) | LOCK_NB)
        }
        return true
      } catch {
        if error.errno != EWOULDBLOCK, SystemCall.isUnsupported(error.errno) { return false }
        guard waits || attempt < attempts, error.errno == EWOULDBLOCK, !Task.isCancelled else { throw error }
      }
      attempt += 1
      usleep(50_000)
    }
  }

  deinit { close(descriptor) }
}
