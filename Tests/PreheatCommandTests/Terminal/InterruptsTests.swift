import Foundation
import Testing

@testable import PreheatCommand

/// Signals concern a whole process, so each of these has one of its own.
@Suite(.timeLimit(.minutes(10))) struct InterruptsTests {
  @Test func aTerminationAfterAnInterruptEndsTheProcessAtOnce() async {
    await #expect(processExitsWith: .exitCode(143)) {
      _ = Interrupts.install()
      Self.sendAndWait(SIGINT)
      Self.sendForEver(SIGTERM)
    }
  }

  @Test func aTerminalThatGoesTwiceAsksOnlyOnce() async {
    await #expect(processExitsWith: .exitCode(41)) {
      _ = Interrupts.install()
      Self.sendAndWait(SIGHUP)
      for _ in 0..<10 {
        kill(getpid(), SIGHUP)
        usleep(2000)
      }
      exit(Interrupts.received == .hangup ? 41 : 1)
    }
  }

  @Test func aHangupThatWasIgnoredStaysIgnored() async {
    await #expect(processExitsWith: .exitCode(42)) {
      signal(SIGHUP, SIG_IGN)
      _ = Interrupts.install()
      kill(getpid(), SIGHUP)
      usleep(20_000)
      exit(Interrupts.received == nil ? 42 : 1)
    }
  }

  /// Sends the first signal. Threads of tasks block signals, so another one handles it, a little later.
  static func sendAndWait(_ signal: Int32) {
    kill(getpid(), signal)
    while Interrupts.received == nil { usleep(1000) }
  }

  static func sendForEver(_ signal: Int32) {
    while true {
      kill(getpid(), signal)
      usleep(1000)
    }
  }

  @Test func anInterruptThatWasIgnoredIsHeardNevertheless() async {
    await #expect(processExitsWith: .exitCode(43)) {
      signal(SIGINT, SIG_IGN)
      _ = Interrupts.install()
      Self.sendAndWait(SIGINT)
      exit(Interrupts.received == .interrupt ? 43 : 1)
    }
  }

  @Test func signalsEndARunWithTheirExitCodes() {
    #expect(StopSignal.interrupt.exitCode == .interrupted)
    #expect(StopSignal.terminate.exitCode == .terminated)
    #expect(StopSignal.hangup.exitCode == .terminated)
    #expect(StopSignal(rawValue: SIGUSR1) == nil)
  }
}
