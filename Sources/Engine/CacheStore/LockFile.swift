import FileStore
import Glibc
import Text

/// A lock for file systems without `flock`: a file that only one process can make, which says who that is.
///
/// Unlike a lock of the kernel's it outlives its process, so that whoever finds one looks for its owner.
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
    guard lstat(path, &status) == 0 else { return false }
    guard let owner = owner(path) else {
      return time(nil) - status.st_mtim.tv_sec < writingSeconds
    }
    return owner.mayLive
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

/// A process, told apart from another one that has its number.
struct LockOwner: Hashable, Sendable {
  var process: Int32
  /// When it was started, in ticks since the machine was.
  var start: String
  var boot: String
  /// Numbers of processes mean something only within one of these.
  var namespace: String
  var host: String

  static let current = LockOwner(
    process: getpid(), start: start(of: getpid()) ?? "-", boot: SystemFile.boot, namespace: currentNamespace,
    host: SystemFile.text("/proc/sys/kernel/hostname") ?? "-")

  var description: String { "process \(process) on \(host)" }

  var text: String { "\(process)\n\(start)\n\(boot)\n\(namespace)\n\(host)\n" }

  /// False only where it is certain that it ended: another process has its number, or the machine was restarted.
  /// Of another machine or another container nobody knows.
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

  private static var currentNamespace: String {
    var buffer = [CChar](repeating: 0, count: 64)
    let count = readlink("/proc/self/ns/pid", &buffer, buffer.count)
    return count > 0
      ? String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self) : "-"
  }
}

extension LockOwner {
  init?(text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard lines.count >= 5, let process = Int32(lines[0]), process > 0 else { return nil }
    self.init(process: process, start: lines[1], boot: lines[2], namespace: lines[3], host: lines[4])
  }
}
