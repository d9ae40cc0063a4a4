import Testing

@testable import Fetching

/// How many connections a host gets over HTTP/1.1, with servers that are played: a request's end is known when it begins.
@Suite struct HostWidthTests {
  private struct Server {
    /// When a request ends that begins now as one of so many, and whether it is refused with 429.
    var answer: (_ now: Duration, _ running: Int) -> (end: Duration, isRefused: Bool)
  }

  private struct Outcome {
    var time: Duration = .zero
    var refusals = 0
    var most = 0
    /// The most in the second half.
    var late = 0
  }

  /// Asks until there are so many answers; a refused request is asked again.
  private func ask(
    _ server: Server, times: Int, usual: Int = 6, most: Int? = 16
  ) -> (outcome: Outcome, width: HostWidth?) {
    var scheduler = TransferScheduler(maxConcurrent: 64, maxConcurrentPerHost: usual, mostPerHost: most)
    var (outcome, now, last, answers) = (Outcome(), Duration.zero, UInt64(times), 0)
    var running: [(id: UInt64, end: Duration, isRefused: Bool)] = []
    for id in 1...times { scheduler.enqueue(UInt64(id), host: "a", priority: .normal) }
    while answers < times {
      while case .start(let id) = scheduler.next(at: now) {
        let (end, isRefused) = server.answer(now, running.count + 1)
        running.append((id, end, isRefused))
      }
      outcome.most = max(outcome.most, running.count)
      if answers > times / 2 { outcome.late = max(outcome.late, running.count) }
      running.sort { ($0.end, $0.id) < ($1.end, $1.id) }
      guard let done = running.first else { break }
      running.removeFirst()
      now = max(now, done.end)
      scheduler.finish(
        done.id, health: .reached, answered: .kept, asksForLess: done.isRefused, at: now)
      if done.isRefused {
        outcome.refusals += 1
        last += 1
        scheduler.enqueue(last, host: "a", priority: .normal)
      } else {
        answers += 1
      }
    }
    outcome.time = now
    return (outcome, scheduler.widths["a"])
  }

  /// As fast as sixteen connections from the beginning would be, but for a third of a second.
  @Test func aHostThatIsFarAwayGetsMoreConnections() {
    let far = Server { now, _ in (now + .milliseconds(50), false) }
    let (outcome, width) = ask(far, times: 600)
    #expect(outcome.most == 16 && width?.widest == 16 && width?.halvings == 0)
    #expect(outcome.time < .milliseconds(1_875 + 330), "\(outcome.time)")
    let six = ask(far, times: 600, most: nil)
    #expect(six.outcome.most == 6 && six.outcome.time == .seconds(5) && six.width == nil)
  }

  /// More connections only wait longer there.
  @Test func aHostThatIsNoFasterWithMoreKeepsSix() {
    var free = Duration.zero
    let busy = Server { now, _ in
      free = max(free, now) + .milliseconds(10)
      return (free, false)
    }
    let (outcome, _) = ask(busy, times: 2_000)
    #expect(outcome.time == .seconds(20))
    #expect(outcome.most <= 12 && outcome.late <= 7, "\(outcome)")
  }

  /// It finds the twelve, and is refused seldom.
  @Test func aHostThatRefusesMoreThanTwelveGetsAlmostTwelve() {
    let strict = Server { now, running in (now + .milliseconds(50), running > 12) }
    let (outcome, width) = ask(strict, times: 4_000)
    #expect(outcome.refusals < 20, "\(outcome)")
    #expect((width?.halvings ?? 0) > 0 && (width?.now ?? 0) <= 12)
    // With six it would take 33 s.
    #expect(outcome.time < .seconds(24), "\(outcome.time)")
  }

  /// Some that run when one is refused are refused too: that is one sign and not several.
  @Test func aHostThatRefusesAllGetsHalfOnceForEachRound() {
    var width = HostWidth(usual: 6, most: 16)
    width.noteTrouble(running: 5)
    for _ in 0..<5 { width.noteTrouble(running: 5) }
    #expect(width.now == 3 && width.halvings == 1)
    for _ in 0..<5 { width.noteAnswer(at: .seconds(1), isFull: true) }
    width.noteTrouble(running: 2)
    #expect(width.now == 1 && width.halvings == 2)
    for answer in 0..<200 { width.noteAnswer(at: .seconds(2) + .milliseconds(10) * answer, isFull: true) }
    #expect(width.now >= 5, "it comes back to what is usual")
  }
}
