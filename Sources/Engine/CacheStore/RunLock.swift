import FileStore
import Foundation
import Planning
import Text

/// Keeps a second run off the same cache. The kernel releases it however the process ends, so a
/// lock is never stale. On a file system without such locks a ``LockFile`` stands in for it.
package struct RunLock: ~Copyable {
  private let descriptor: Int32
  private let file: LockFile?

  /// - Parameters:
  ///   - waits: wait for the other run to end instead of failing with `.locked`. A task that is cancelled
  ///     meanwhile fails with it, too.
  ///   - isShared: for those who only read; the lock's file must be there.
  package init(_ state: StateFolder, waits: Bool, isShared: Bool = false) throws(StoreFailure) {
    let path = state.lock
    let descriptor: Int32
    do throws(SystemCall.Failure) {
      descriptor = try state.calls.check(.open, "open", path) {
        let access = isShared ? O_RDONLY : O_RDWR | O_CREAT
        return open(path, access | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o644)
      }
    } catch {
      throw StoreFailure(error)
    }
    let taken: LockFile?
    do throws(SystemCall.Failure) {
      taken = try Self.take(descriptor, isShared: isShared, state: state, waits: waits)
    } catch {
      close(descriptor)
      guard error.errno == EWOULDBLOCK else { throw StoreFailure(error) }
      let holder = LockHolder.find([path])?.description ?? LockFile.owner(state.lockFile)?.description
      throw StoreFailure(
        .locked,
        "another run is working on \(state.cache)\(holder.map { ": \($0)" } ?? ""); "
          + "wait for it to end, or use --wait")
    }
    self.descriptor = descriptor
    file = taken
  }

  /// A lock that is held is tried this often. A process that is being started has its parent's lock until it runs its
  /// own program, so the lock of a run that was killed may outlive it for a moment.
  private static let attempts = 5

  /// Asks again and again: a wait inside the kernel would go on after Ctrl-C.
  private static func take(
    _ descriptor: Int32, isShared: Bool, state: StateFolder, waits: Bool
  ) throws(SystemCall.Failure) -> LockFile? {
    var attempt = 1
    while true {
      do throws(SystemCall.Failure) {
        return try takeOnce(descriptor, isShared: isShared, state: state)
      } catch {
        guard waits || attempt < attempts, error.errno == EWOULDBLOCK, !Task.isCancelled else { throw error }
      }
      attempt += 1
      usleep(50_000)
    }
  }

  private static func takeOnce(
    _ descriptor: Int32, isShared: Bool, state: StateFolder
  ) throws(SystemCall.Failure) -> LockFile? {
    do throws(SystemCall.Failure) {
      try state.calls.check(.lock, "lock", state.lock) {
        flock(descriptor, (isShared ? LOCK_SH : LOCK_EX) | LOCK_NB)
      }
      return nil
    } catch {
      guard error.errno != EWOULDBLOCK, SystemCall.isUnsupported(error.errno) else { throw error }
    }
    guard isShared else { return try LockFile(taking: state.lockFile, calls: state.calls) }
    // A reader makes no file: it sees whether a process writes, but excludes none.
    guard !LockFile.isHeld(state.lockFile) else {
      throw SystemCall.Failure(errno: EWOULDBLOCK, call: "lock", path: state.lockFile)
    }
    return nil
  }

  deinit {
    file?.release()
    close(descriptor)
  }
}

/// A lock for file systems without `flock`: a file that only one process can make, which says who that is.
///
/// Unlike a lock of the kernel's it outlives its process, so that a process that finds one looks for its owner.
struct LockFile: Sendable {
  private let path: String
  private let calls: FileCalls

  /// A file without an owner is one that is being written, unless it is older than this.
  private static let writingSeconds = 10

  /// Makes the file, in place of one whose process is gone.
  ///
  /// - Throws: with `EWOULDBLOCK` where its owner lives, or may live.
  init(taking path: String, calls: FileCalls) throws(SystemCall.Failure) {
    self.path = path
    self.calls = calls
    // Two may find the same stale file; the one that comes second finds a fresh one.
    for _ in 0..<3 {
      let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
      let descriptor = calls.make(.open, path) { open(path, flags, 0o644) }
      if descriptor >= 0 {
        defer { close(descriptor) }
        let text = Array(LockOwner.current.text.utf8)
        if text.withUnsafeBytes({ SystemCall.write(descriptor, $0) }) { return }
        let failure = SystemCall.Failure(errno: errno, call: "write", path: path)
        unlink(path)
        throw failure
      }
      guard errno == EEXIST else { throw SystemCall.Failure(errno: errno, call: "make", path: path) }
      guard !Self.isHeld(path) else { break }
      Self.removeStale(path)
    }
    throw SystemCall.Failure(errno: EWOULDBLOCK, call: "lock", path: path)
  }

  func release() { _ = calls.make(.remove, path) { unlink(path) } }

  static func isHeld(_ path: String) -> Bool {
    var status = stat()
    guard lstat(path, &status) == 0 else { return !SystemCall.meansAbsence(errno) }
    // What cannot be read may be held.
    guard let text = SystemFile.text(path) else {
      return access(path, F_OK) == 0 || !SystemCall.meansAbsence(errno)
    }
    return LockOwner(text: text)?.mayLive ?? (status.st_mtim.tv_sec > time(nil) - writingSeconds)
  }

  static func owner(_ path: String) -> LockOwner? { SystemFile.text(path).flatMap(LockOwner.init(text:)) }

  /// Only one at a time takes a stale file away: the second one would take away the file of the first.
  private static func removeStale(_ path: String) {
    let turn = path + ".turn"
    let descriptor = open(turn, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o644)
    guard descriptor >= 0 else {
      // Of a process that was killed here.
      if errno == EEXIST, !isHeld(turn) { unlink(turn) }
      return
    }
    defer {
      close(descriptor)
      unlink(turn)
    }
    if !isHeld(path) { unlink(path) }
  }
}

/// A process, distinguished from another one that has its number.
struct LockOwner: Hashable, Sendable {
  var process: Int32
  /// When it was started, in ticks since the machine was.
  var start: String
  var boot: String
  /// Numbers of processes mean something only within one of these.
  var namespace: String
  var host: String

  static let current = LockOwner(
    process: getpid(), start: start(of: getpid()) ?? "-", boot: SystemFile.boot,
    namespace: (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/pid")) ?? "-",
    host: SystemFile.text("/proc/sys/kernel/hostname") ?? "-")

  var description: String { "process \(process) on \(host)" }

  var text: String { "\(process)\n\(start)\n\(boot)\n\(namespace)\n\(host)\n" }

  /// False only where it is certain that it ended: another process has its number, or the machine was restarted.
  /// Unknown for another machine or another container.
  var mayLive: Bool {
    let own = Self.current
    if boot != own.boot { return host != own.host }
    return namespace != own.namespace || Self.start(of: process) == start
  }

  /// Behind the name, which may hold anything, twenty words on (proc(5)).
  private static func start(of process: Int32) -> String? {
    guard let text = SystemFile.text("/proc/\(process)/stat"), let end = text.lastIndex(of: ")") else {
      return nil
    }
    let words = text[text.index(after: end)...].split(separator: " ")
    return words.count > 19 ? String(words[19]) : nil
  }
}

extension LockOwner {
  init?(text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard lines.count >= 5, let process = Int32(lines[0]), process > 0 else { return nil }
    self.init(process: process, start: lines[1], boot: lines[2], namespace: lines[3], host: lines[4])
  }
}
