import Glibc
import Pictures
import Text

/// A running worker: its socket, what it says on standard error, and its end. Its actor alone uses it.
final class WorkerProcess {
  /// Bytes of standard error kept for the message about a crash.
  private static let tailSize = 2048
  /// For a process that is asked to end, before it is made to.
  private static let lastGrace = Duration.seconds(1)

  let socket: Descriptor
  /// Requests it has answered.
  var answered = 0

  private let errors: Descriptor
  private let killSwitch: KillSwitch
  private var tail: [UInt8] = []
  private var exit: WorkerExit?

  /// - Throws: ``RenderFailure`` with the code `worker`.
  init(_ launch: WorkerLaunch, killSwitch: KillSwitch) throws(RenderFailure) {
    let main = try DescriptorPair(isBlocking: true)
    // A worker that says more than fits loses the rest instead of waiting for a reader.
    let errors = try DescriptorPair(isBlocking: false)
    let pid = try launch.start(socket: main.theirs.raw, errors: errors.theirs.raw)
    self.socket = main.ours
    self.errors = errors.ours
    self.killSwitch = killSwitch
    main.theirs.close()
    errors.theirs.close()
    killSwitch.watch(pid, socket: socket.raw)
  }

  deinit { _ = end(within: .zero) }

  /// Waits for the process to end by itself, asks it to where it does not, and kills it where that is of no use.
  func end(within grace: Duration) -> WorkerExit {
    if let exit { return exit }
    var pause: UInt32 = 200
    var deadline = ContinuousClock.now + grace
    var signals = [SIGTERM, SIGKILL][...]
    while true {
      if let status = killSwitch.reap() {
        let seen = WorkerExit(waitStatus: status)
        let isOurs = signals.count < 2 && [.signal(SIGTERM), .signal(SIGKILL)].contains(seen)
        let exit = isOurs ? .lingered : seen
        self.exit = exit
        return exit
      }
      if ContinuousClock.now >= deadline, let signal = signals.popFirst() {
        killSwitch.send(signal)
        deadline += Self.lastGrace
      }
      usleep(pause)
      pause = min(pause * 2, 10_000)
    }
  }

  /// The last lines of standard error on one line, without anything a terminal would obey.
  func lastWords() -> String {
    listen()
    let lines = String(decoding: tail, as: UTF8.self).split(whereSeparator: \.isNewline).suffix(3)
    let text = lines.joined(separator: "; ").unicodeScalars.map { SafeText.isDangerous($0) ? " " : $0 }
    return String(String(String.UnicodeScalarView(text)).suffix(300))
  }

  /// What has been is no longer true of it.
  func startOver() {
    answered = 0
    tail = []
  }

  /// Takes what has come on standard error, so that there is room for what may be needed later.
  func listen() {
    while true {
      let chunk = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
        count = max(0, read(errors.raw, buffer.baseAddress, buffer.count))
      }
      if chunk.isEmpty { return }
      tail = (tail + chunk).suffix(Self.tailSize)
    }
  }
}

extension RenderFailure {
  /// - Parameter words: what the system or the worker says about it, in parentheses.
  static func noProcesses(_ words: String) -> RenderFailure {
    RenderFailure(
      .processes, "a render worker has reached the limit of processes and threads\(words)",
      advice:
        "raise the limit (pids.max of the container or TasksMax of the unit, ulimit -u), or use fewer workers"
    )
  }
}

/// How a worker process ended.
enum WorkerExit: Hashable, Sendable {
  case status(Int32)
  case signal(Int32)
  /// It had closed its socket but did not end by itself, so it was killed.
  case lingered

  init(waitStatus: Int32) {
    let signal = waitStatus & 0x7F
    self = signal == 0 ? .status(waitStatus >> 8 & 0xFF) : .signal(signal)
  }

  /// What to say about the picture that was being rendered.
  ///
  /// - Parameter tail: The last that the worker wrote to its standard error.
  func failure(executable: String, tail: String) -> RenderFailure {
    let words = tail.isEmpty ? "" : " (\(tail))"
    switch self {
    case .status(RenderPool.outOfMemoryStatus):
      return RenderFailure(
        .memory, "rendering the picture took more memory than a worker may have\(words)")
    case .status(RenderPool.outOfProcessesStatus): return .noProcesses(words)
    case .status(126), .status(127):  // from a shell, `env` or the dynamic linker
      return RenderFailure(
        .worker,
        "the render worker \(executable) does not start\(words); try \(executable) --version"
      )
    case .status(let status):
      return RenderFailure(.crash, "the render worker stopped with status \(status)\(words)")
    case .signal(SIGKILL):
      return RenderFailure(
        .memory, "the system killed the render worker, most likely for the memory it took\(words)")
    case .signal where Self.isAboutMemory(tail):
      return RenderFailure(.memory, "the render worker found no more memory\(words)")
    case .signal where tail.firstRange(of: SystemCall.words(EAGAIN)) != nil: return .noProcesses(words)
    case .signal(let signal):
      return RenderFailure(
        .crash, "the decoder crashed on this picture: \(String(cString: strsignal(signal)))\(words)")
    case .lingered:
      return RenderFailure(.worker, "the render worker closed its connection without replying\(words)")
    }
  }

  /// GLib and the C++ runtime abort where they get no memory.
  private static func isAboutMemory(_ text: String) -> Bool {
    ["failed to allocate", "bad_alloc", "annot allocate memory", "ut of memory"].contains {
      text.firstRange(of: $0) != nil
    }
  }
}
