import Concurrency
import Glibc
import Pictures
import Text

/// Ends the process of one worker from any thread, while the worker's own thread waits for it.
///
/// Killing and reaping exclude each other, so that the signal never hits a stranger that got the
/// number of a process already reaped.
final class KillSwitch: Sendable {
  private struct State {
    var pid: pid_t?
    /// Its socket, open for as long as there is a process.
    var socket: Int32 = -1
    /// The job at hand was cancelled.
    var isThrown = false
    /// The pool is shut down: nothing may start any more.
    var isFinal = false
  }

  private let state = Locked(State())

  /// Ends what runs now, or what is about to be started for the job at hand. The thread that waits for it wakes, and
  /// sees to it that the process ends.
  func pull(forGood: Bool = false) {
    state.withLock { state in
      state.isThrown = true
      if forGood { state.isFinal = true }
      Self.stop(state)
    }
  }

  /// At the beginning of a job.
  func reset() { state.withLock { $0.isThrown = $0.isFinal } }

  var isPulled: Bool { state.withLock { $0.isThrown } }

  func watch(_ pid: pid_t, socket: Int32) {
    state.withLock { state in
      state.pid = pid
      state.socket = socket
      if state.isThrown { Self.stop(state) }
    }
  }

  /// Only the process, without any word about the job. SIGTERM lets a supervisor wait for its copy first: the time of a
  /// process that is not waited for is in no account.
  func send(_ signal: Int32) {
    state.withLock { Self.send(signal, $0.pid) }
  }

  /// The wait status once the process has ended; from then on it is no longer ours.
  func reap() -> Int32? {
    state.withLock { state in
      guard let pid = state.pid else { return nil }
      var status: Int32 = 0
      let result = SystemCall.repeated { waitpid(pid, &status, WNOHANG) }
      if result == 0 { return nil }
      state.pid = nil
      // Another thread reaped it (SIGCHLD ignored by the host program): its end is not known.
      return result == pid ? status : 0
    }
  }

  private static func stop(_ state: State) {
    guard state.pid != nil else { return }
    send(SIGTERM, state.pid)
    _ = Glibc.shutdown(state.socket, Int32(SHUT_RDWR))
  }

  /// To the whole group, which the worker leads.
  private static func send(_ signal: Int32, _ pid: pid_t?) {
    if let pid { _ = Glibc.kill(-pid, signal) }
  }
}

/// An open file descriptor, closed with its owner.
struct Descriptor: ~Copyable {
  let raw: Int32

  init(_ raw: Int32) { self.raw = raw }

  consuming func close() {}

  deinit { _ = Glibc.close(raw) }

  fileprivate consuming func aboveStandardStreams() throws(RenderFailure) -> Descriptor {
    guard raw <= 2 else { return self }
    let moved = fcntl(raw, F_DUPFD_CLOEXEC, 3)
    guard moved >= 0 else { throw Self.failure("fcntl", errno) }
    return Descriptor(moved)
  }

  fileprivate static func failure(_ call: String, _ code: Int32) -> RenderFailure {
    let isLack = code == EMFILE || code == ENFILE
    return RenderFailure(
      isLack ? .processes : .worker,
      "a render worker could not be connected: \(call): \(SystemCall.words(code))",
      advice: isLack ? "raise `ulimit -n` or use fewer workers" : nil)
  }
}

/// Two ends of a stream socket, close-on-exec from the first moment on, so that a process started by
/// another thread never holds them. Both lie above 2: a parent that was started without standard
/// streams would otherwise get its own sockets in their place.
struct DescriptorPair: ~Copyable {
  let ours: Descriptor
  let theirs: Descriptor

  /// - Throws: ``RenderFailure`` with the code `worker`.
  init(isBlocking: Bool) throws(RenderFailure) {
    var ends: [Int32] = [-1, -1]
    let type = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | (isBlocking ? 0 : SOCK_NONBLOCK.rawValue)
    // fits: a constant of the system's.
    guard socketpair(AF_UNIX, Int32(type), 0, &ends) == 0 else {
      throw Descriptor.failure("socketpair", errno)
    }
    let first = Descriptor(ends[0])
    let second = Descriptor(ends[1])
    let ours = try first.aboveStandardStreams()
    let theirs = try second.aboveStandardStreams()
    self.ours = ours
    self.theirs = theirs
  }
}
