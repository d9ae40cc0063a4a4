import FileStore
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CacheStore
@testable import Planning

/// The lock on a file system that has none.
@Suite(.timeLimit(.minutes(5)))
struct LockFileTests {
  private let folder: TemporaryFolder
  private let state: StateFolder

  init() throws {
    folder = try TemporaryFolder()
    let calls = FileCalls { call, _ in call == .lock ? .fail(EOPNOTSUPP) : .perform }
    state = StateFolder(cache: folder.file("cache").path, calls: calls)
    _ = try state.prepare()
  }

  private func isLocked(isShared: Bool = false) -> Bool {
    do {
      let lock = try RunLock(state, waits: false, isShared: isShared)
      _ = consume lock
      return false
    } catch {
      return error.code == .locked && error.message.contains("another run is working on")
    }
  }

  @Test(arguments: [ENOLCK, EOPNOTSUPP, ENOSYS]) func aFileStandsInForTheLock(code: Int32) throws {
    let calls = FileCalls { call, _ in call == .lock ? .fail(code) : .perform }
    let state = StateFolder(cache: folder.file("cache").path, calls: calls)
    let lock = try RunLock(state, waits: false)
    #expect(isLocked() && isLocked(isShared: true))
    _ = consume lock
    #expect(!FileManager.default.fileExists(atPath: state.lockFile))
    #expect(!isLocked() && !isLocked(isShared: true))
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

  private static func take(_ state: StateFolder) throws(StoreFailure) { _ = try RunLock(state, waits: false) }

  /// Owners that ended, and such of whom nobody can know.
  @Test func onlyAnOwnerThatCertainlyEndedLosesTheLock() throws {
    let own = LockOwner.current
    func owner(_ change: (inout LockOwner) -> Void) -> LockOwner {
      var owner = own
      change(&owner)
      return owner
    }
    let cases: [(LockOwner, Bool)] = [
      (own, true), (owner { $0.start = "1" }, false), (owner { $0.process = 4_000_000 }, false),
      (owner { $0.boot = "another" }, false),
      (owner { ($0.boot, $0.host) = ("another", "elsewhere") }, true),
      (owner { ($0.process, $0.namespace) = (4_000_000, "pid:[1]") }, true),
    ]
    // Who only reads needs the lock's own file.
    #expect(!isLocked())
    for (owner, isHeld) in cases {
      try Data(owner.text.utf8).write(to: URL(fileURLWithPath: state.lockFile))
      #expect(LockOwner(text: owner.text) == owner)
      #expect(isLocked(isShared: true) == isHeld, "\(owner)")
      #expect(isLocked() == isHeld, "\(owner)")
    }
  }

  @Test func aFileThatSaysNothingIsBeingWrittenUntilItIsOld() throws {
    let file = URL(fileURLWithPath: state.lockFile)
    for text in ["", "12", "no number\n1\n1\n1\n1\n"] {
      try Data(text.utf8).write(to: file)
      #expect(isLocked())
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -60)], ofItemAtPath: file.path)
      #expect(!isLocked())
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: state.path).sorted() == ["lock", "tmp"])
  }

  @Test func ofManyThatFindAStaleFileOneGetsTheLock() async throws {
    var stale = LockOwner.current
    stale.start = "1"
    try Data(stale.text.utf8).write(to: URL(fileURLWithPath: state.lockFile))
    let (path, calls) = (state.lockFile, state.calls)
    let taken = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 { group.addTask { (try? LockFile(taking: path, calls: calls)) != nil } }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(taken == 1)
  }
}
