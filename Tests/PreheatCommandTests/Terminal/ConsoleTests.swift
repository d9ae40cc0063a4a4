import PreheatCommand
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10))) struct ConsoleTests {
  /// A clock that stands still until it is told to move.
  final class StillClock: Sendable {
    private let instant = Mutex(ContinuousClock.now)
    func now() -> ContinuousClock.Instant { instant.withLock { $0 } }
    func advance(_ milliseconds: Int) { instant.withLock { $0 += .milliseconds(milliseconds) } }
  }

  let capture: Capture
  let clock = StillClock()

  init() throws {
    capture = try Capture()
  }

  func console(_ verbosity: Verbosity = .normal, isTerminal: Bool = true) -> Console {
    let environment = ["COLUMNS": "30", "NO_COLOR": "1"]
    return Console(
      stream: capture.stream, terminal: Terminal(isTerminal: isTerminal, environment: environment),
      verbosity: verbosity, now: { [clock] in clock.now() })
  }

  @Test(arguments: [
    (Verbosity.quiet, "preheat: error: e\n"),
    (.normal, "preheat: error: e\npreheat: warning: w\nn\n"),
    (.verbose, "preheat: error: e\npreheat: warning: w\nn\nd\n"),
  ]) func verbosityDecidesWhatIsSaid(verbosity: Verbosity, text: String) {
    let console = console(verbosity)
    console.error("e")
    console.warning("w")
    console.note("n")
    console.detail("d")
    #expect(capture.text == text)
  }

  @Test func messagesAreMadeSafe() {
    console().error("no \u{1b}[2J\rtricks\n")
    #expect(capture.text == "preheat: error: no \\u{1b}[2J\\rtricks\\n\n")
  }

  @Test func theLineIsRewrittenAtMostTenTimesASecond() {
    let console = console()
    console.startProgress(total: 4)
    console.updateProgress { $0.done = 1 }
    clock.advance(99)
    console.updateProgress { $0.done = 2 }
    clock.advance(1)
    console.updateProgress { $0.done = 3 }
    #expect(
      capture.text == "\r[>                     ]  0/4\u{1b}[K" + "\r[================>     ]  3/4\u{1b}[K")
  }

  @Test func aMessageTakesTheLineAwayAndTheNextUpdateBringsItBack() {
    let console = console()
    console.startProgress(total: 4)
    console.note("hello")
    console.updateProgress { $0.done = 1 }
    console.finishProgress()
    console.note("end")
    #expect(
      capture.text == "\r[>                     ]  0/4\u{1b}[K" + "\r\u{1b}[Khello\n"
        + "\r[=====>                ]  1/4\u{1b}[K" + "\r\u{1b}[K" + "end\n")
  }

  @Test(arguments: [(Verbosity.quiet, true), (.normal, false), (.verbose, false)])
  func thereIsNoProgressWithoutATerminalOrWhenQuiet(verbosity: Verbosity, isTerminal: Bool) {
    let console = console(verbosity, isTerminal: isTerminal)
    console.startProgress(total: 4)
    clock.advance(1000)
    console.updateProgress { $0.done = 1 }
    console.finishProgress()
    #expect(!console.showsProgress)
    #expect(capture.text == "")
  }

  @Test func updatesWithoutAStartAreIgnored() {
    console().updateProgress { $0.done = 1 }
    #expect(capture.text == "")
  }

  @Test func manyThreadsCountCorrectlyAndDoNotMixTheirMessages() async {
    let console = console(isTerminal: false)
    console.startProgress(total: 400)
    await withTaskGroup { group in
      for worker in 0..<8 {
        group.addTask {
          for _ in 0..<50 {
            console.updateProgress { $0.done += 1 }
            console.note(String(repeating: "\(worker)", count: 40))
          }
        }
      }
    }
    let done = Mutex(0)
    console.updateProgress { state in done.withLock { $0 = state.done } }
    #expect(done.withLock { $0 } == 400)
    let lines = capture.text.split(separator: "\n")
    #expect(lines.count == 400)
    #expect(lines.allSatisfy { $0.count == 40 && Set($0).count == 1 })
  }
}
