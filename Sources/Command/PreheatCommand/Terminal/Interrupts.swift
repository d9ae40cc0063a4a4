import Dispatch
import Foundation
import Synchronization
import Text

/// Turns the first SIGINT, SIGTERM or SIGHUP into a request to stop; a second SIGINT or SIGTERM ends
/// the process at once.
///
/// Whatever hangs then (the output is not read, no thread can be made), the process ends twenty seconds after the
/// first: what is in the caches is whole at any moment.
///
/// A second SIGHUP does not count: a closing terminal sends it from the kernel and from the shell.
/// A SIGHUP that was ignored when the program started stays ignored, which is what `nohup` is for. A
/// SIGINT does not: scripts start background jobs that way, and still interrupt them on purpose.
enum Interrupts {
  /// The signal that asked to stop, if one has arrived.
  static var received: StopSignal? { StopSignal(rawValue: firstSignal.load(ordering: .relaxed)) }

  /// Starts to catch signals. For commands that can stop half-way; others are better ended by the
  /// signal itself. To be called once in a process's life.
  ///
  /// - Returns: the first signal, once it arrives. The stream is for one reader.
  static func install() -> AsyncStream<StopSignal> {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return AsyncStream { $0.finish() } }
    let (reading, writing) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    wakeDescriptor.store(writing, ordering: .releasing)
    for stop in StopSignal.allCases { catchSignal(stop.rawValue, keepsIgnored: stop == .hangup) }
    catchSignal(SIGALRM, keepsIgnored: false)
    return AsyncStream { continuation in
      // Sleeps in `read` for the rest of the process's life, on a thread of its own.
      DispatchQueue(label: "interrupts").async {
        var byte: UInt8 = 0
        _ = SystemCall.repeated { read(reading, &byte, 1) }
        if let received { continuation.yield(received) }
        continuation.finish()
      }
    }
  }

  /// Interrupted system calls go on by themselves, as `signal` has it in every C library.
  private static func catchSignal(_ number: Int32, keepsIgnored: Bool) {
    let old = signal(number, SIG_IGN)
    // Function pointers cannot be compared in Swift; SIG_IGN is the address 1 on every Unix.
    let isIgnored = unsafeBitCast(old, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    if !keepsIgnored || !isIgnored { signal(number, handleSignal) }
  }
}

/// The number of the first signal; 0 before.
private let firstSignal = Atomic<Int32>(0)
private let wakeDescriptor = Atomic<Int32>(-1)

/// Runs in the middle of whatever a thread was doing: atomics and plain system calls only. The second
/// signal is acted on right here, so that it works when everything else hangs.
private func handleSignal(_ signal: Int32) {
  let saved = errno
  if signal == SIGALRM {
    // Only a first signal sets the alarm.
    let first = firstSignal.load(ordering: .relaxed)
    if first != 0 { _exit(first == SIGINT ? 130 : 143) }
  } else if firstSignal.compareExchange(expected: 0, desired: signal, ordering: .relaxed).exchanged {
    alarm(20)
    var byte: UInt8 = 0
    _ = write(wakeDescriptor.load(ordering: .relaxed), &byte, 1)
  } else if signal == SIGINT {
    _exit(130)
  } else if signal == SIGTERM {
    _exit(143)
  }
  errno = saved
}

/// A signal that asks the program to stop, by its number.
enum StopSignal: Int32, Sendable, CaseIterable {
  /// SIGHUP: the terminal has gone.
  case hangup = 1
  /// SIGINT: Ctrl-C.
  case interrupt = 2
  /// SIGTERM.
  case terminate = 15

  /// How a run that was stopped by it ends.
  var exitCode: ExitCode { self == .interrupt ? .interrupted : .terminated }
}
