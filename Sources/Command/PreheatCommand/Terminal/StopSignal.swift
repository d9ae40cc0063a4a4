import Foundation

/// A signal that asks the program to stop.
package enum StopSignal: Sendable, Hashable, CaseIterable {
  /// SIGINT: Ctrl-C.
  case interrupt
  /// SIGTERM.
  case terminate
  /// SIGHUP: the terminal has gone.
  case hangup

  init?(number: Int32) {
    guard let signal = Self.allCases.first(where: { $0.number == number }) else { return nil }
    self = signal
  }

  package var number: Int32 {
    switch self {
    case .interrupt: SIGINT
    case .terminate: SIGTERM
    case .hangup: SIGHUP
    }
  }

  /// How a run that was stopped by it ends.
  package var exitCode: ExitCode { self == .interrupt ? .interrupted : .terminated }
}
