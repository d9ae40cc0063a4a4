import Foundation
import Synchronization
import Testing

@testable import PreheatCommand

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

  func console(
    _ verbosity: Verbosity = .normal, isTerminal: Bool = true, isJournal: Bool = false,
    progress: ProgressStyle = .auto
  ) -> Console {
    let environment = ["COLUMNS": "30", "NO_COLOR": "1"]
    return Console(
      stream: capture.stream, terminal: Terminal(isTerminal: isTerminal, environment: environment),
      verbosity: verbosity, isJournal: isJournal, progress: progress, now: { [clock] in clock.now() })
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

  @Test func aTerminalHasColours() {
    let terminal = Terminal(isTerminal: true, environment: [:])
    Console(stream: capture.stream, terminal: terminal).error("bad")
    #expect(capture.text == "preheat: \u{1b}[1;31merror:\u{1b}[0m bad\n")
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

  @Test(arguments: [
    (Verbosity.quiet, true, ProgressStyle.bar), (.quiet, false, .plain), (.normal, true, .none),
  ])
  func thereIsNoProgressWhenQuietOrUnwanted(
    verbosity: Verbosity, isTerminal: Bool, style: ProgressStyle
  ) {
    let console = console(verbosity, isTerminal: isTerminal, progress: style)
    console.startProgress(total: 4)
    clock.advance(60_000)
    console.updateProgress { $0.done = 1 }
    console.finishProgress()
    #expect(console.progressStyle == .none)
    #expect(capture.text == "")
  }

  @Test(arguments: [(false, ""), (true, "<6>")])
  func withoutATerminalALineComesEveryTenSeconds(isJournal: Bool, mark: String) {
    let console = console(isTerminal: false, isJournal: isJournal)
    console.startProgress(total: 400)
    for second in 1...25 {
      clock.advance(1000)
      console.updateProgress { $0.done = 4 * second }
    }
    console.finishProgress()
    #expect(
      capture.text == "\(mark)\(Self.bar(40))0:90 left\n".replacing("0:90", with: "1:30")
        + "\(mark)\(Self.bar(80))1:20 left\n")
  }

  /// A line of 78 columns up to what is left.
  static func bar(_ done: Int) -> String {
    let filled = done / 10
    return
      "[\(String(repeating: "=", count: filled))>\(String(repeating: " ", count: 39 - filled))]  \(done)/400  "
  }

  @Test func aBarMayBeHadWithoutATerminalAndLinesOnOne() {
    #expect(console(isTerminal: false, progress: .bar).progressStyle == .bar)
    #expect(console(progress: .plain).progressStyle == .plain)
    #expect(console().progressStyle == .bar)
    #expect(console(isTerminal: false).progressStyle == .plain)
  }

  @Test func theJournalGetsAPriorityOnEveryLine() {
    let console = console(.verbose, isTerminal: false, isJournal: true)
    console.error("e\n<0>f")
    console.warning("w")
    console.note("n")
    console.detail("d")
    console.print("one\n\n  two\n", from: .normal)
    #expect(
      capture.text == "<3>preheat: error: e\\n<0>f\n<4>preheat: warning: w\n<6>n\n<7>d\n<6>one\n<6>  two\n")
  }

  @Test func theJournalIsRecognisedByItsSocket() throws {
    var status = stat()
    #expect(fstat(capture.stream.descriptor, &status) == 0)
    let place = "\(status.st_dev):\(status.st_ino)"
    #expect(capture.stream.isJournal(["JOURNAL_STREAM": place]))
    for other in ["1:2", "x", ""] { #expect(!capture.stream.isJournal(["JOURNAL_STREAM": other])) }
    #expect(!capture.stream.isJournal([:]))
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
