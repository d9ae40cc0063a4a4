import Dispatch
import Foundation

/// A value that one thread at a time can use.
///
/// It does what `Synchronization.Mutex` does, by a POSIX mutex: on Linux the thread sanitizer does not see
/// the locking of the former (Swift 6.3.1) and reports every use as a race, which would hide the real ones.
package final class Locked<Value>: @unchecked Sendable {
  // Unchecked because the compiler cannot know that `value` is only touched while `mutex` is held; it is
  // private, and `withLock` is the only access. `sending` keeps parts of it from being used outside.
  private let value: UnsafeMutablePointer<Value>
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  package init(_ value: sending Value) {
    self.value = .allocate(capacity: 1)
    self.value.initialize(to: value)
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  /// Calls `body` with the value while no other thread has it. Not to be nested.
  package func withLock<Result, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value.pointee)
  }

  deinit {
    value.deinitialize(count: 1)
    value.deallocate()
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }
}

extension RandomAccessCollection where Self: Sendable, Index: Sendable, Element: Sendable {
  /// What `map` gives, made on all cores.
  ///
  /// - Parameter least: number of elements from which a core of their own pays.
  package func concurrentMap<Made: Sendable>(
    least: Int = 1, _ transform: @Sendable (Element) -> Made
  ) -> [Made] {
    // A few more parts than cores: no core waits long for the last.
    let parts = Swift.min(ProcessInfo.processInfo.activeProcessorCount * 4, count / Swift.max(1, least))
    if parts < 2 { return map(transform) }
    let size = (count + parts - 1) / parts
    let made = Locked([[Made]](repeating: [], count: parts))
    DispatchQueue.concurrentPerform(iterations: parts) { part in
      let piece = dropFirst(part * size).prefix(size).map(transform)
      made.withLock { $0[part] = piece }
    }
    return made.withLock { $0 }.flatMap { $0 }
  }
}
