import Glibc

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
        .memory, "rendering the picture took more memory than a worker may have (max-memory)\(words)")
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
      return RenderFailure(.memory, "the render worker found no more memory (max-memory)\(words)")
    case .signal(let signal):
      return RenderFailure(
        .crash, "the decoder crashed on this picture with \(Self.name(ofSignal: signal))\(words)")
    case .lingered:
      return RenderFailure(.worker, "the render worker hung up without an answer\(words)")
    }
  }

  /// GLib and the C++ runtime abort where they get no memory.
  private static func isAboutMemory(_ text: String) -> Bool {
    ["failed to allocate", "bad_alloc", "annot allocate memory", "ut of memory"].contains(
      where: text.contains)
  }

  private static func name(ofSignal signal: Int32) -> String {
    let names = [
      SIGSEGV: "SIGSEGV", SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGILL: "SIGILL", SIGFPE: "SIGFPE",
      SIGTRAP: "SIGTRAP", SIGSYS: "SIGSYS", SIGTERM: "SIGTERM", SIGXCPU: "SIGXCPU",
    ]
    return names[signal] ?? "signal \(signal)"
  }
}
