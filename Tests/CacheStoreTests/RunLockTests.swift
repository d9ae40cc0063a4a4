import FileStore
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CacheStore
@testable import Planning

/// The lock of a run, on file systems with and without locks.
@Suite(.timeLimit(.minutes(5)))
struct RunLockTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    _ = try StateFolder(cache: folder.file("cache").path).prepare()
  }

  @Test(arguments: [ENOLCK, EOPNOTSUPP, ENOSYS]) func withoutLocksNoneIsHeld(code: Int32) throws {
    let calls = FileCalls { call, _ in call == .lock ? .fail(code) : .perform }
    let state = StateFolder(cache: folder.file("cache").path, calls: calls)
    for isShared in [false, true] {
      let isHeld = try RunLock(state, waits: false, isShared: isShared).isHeld
      #expect(!isHeld)
    }
  }

  /// A process that is being started has the lock of its parent, which may have been killed meanwhile.
  @Test func aLockThatIsHeldForAMomentIsTaken() throws {
    let tries = Mutex(0)
    let calls = FileCalls { call, _ in
      guard call == .lock else { return .perform }
      let count = tries.withLock { count in
        count += 1
        return count
      }
      return count < 3 ? .fail(EWOULDBLOCK) : .perform
    }
    let state = StateFolder(cache: folder.file("cache").path, calls: calls)
    _ = try Self.take(state)
    #expect(tries.withLock { $0 } == 3)
  }

  @Test func anyOtherFailureIsOne() throws {
    let calls = FileCalls { call, _ in call == .lock ? .fail(EIO) : .perform }
    let state = StateFolder(cache: folder.file("cache").path, calls: calls)
    let failure = #expect(throws: StoreFailure.self) { try Self.take(state) }
    #expect(failure?.code == .notWritable)
  }

  private static func take(_ state: StateFolder) throws(StoreFailure) {
    try StoreFailure.storing { _ = try RunLock(state, waits: false) }
  }
}
