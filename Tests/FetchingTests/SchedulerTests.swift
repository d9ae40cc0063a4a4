import Testing

@testable import Fetching

/// How many connections a host gets over HTTP/1.1, with servers that are played: a request's end is known when it begins.
@Suite("Transfer scheduler", .timeLimit(.minutes(10)))
struct SchedulerTests {
  private typealias Action = TransferScheduler.Action

  private func scheduler(_ all: Int = 4, perHost: Int = 2) -> TransferScheduler {
    TransferScheduler(maxConcurrent: all, maxConcurrentPerHost: perHost)
  }

  /// Every start until the scheduler has nothing more to say, and what it said then.
  private func drain(
    _ scheduler: inout TransferScheduler, at now: Duration = .zero
  ) -> (started: [UInt64], last: TransferScheduler.Action) {
    var started: [UInt64] = []
    while true {
      let action = scheduler.next(at: now)
      guard case .start(let id) = action else { return (started, action) }
      started.append(id)
    }
  }

  @Test func anEmptySchedulerIsIdle() {
    var scheduler = scheduler()
    #expect(scheduler.next(at: .zero) == .idle)
  }

  @Test func noMoreStartThanThereArePlaces() {
    var scheduler = scheduler(3, perHost: 2)
    for id in 1...6 {
      scheduler.enqueue(UInt64(id), host: id.isMultiple(of: 2) ? "a" : "b", priority: .normal)
    }
    #expect(drain(&scheduler).started == [1, 2, 3])
    scheduler.finish(1, health: .reached)
    #expect(drain(&scheduler).started == [4])
  }

  @Test func aFullHostDoesNotHoldUpAnother() {
    var scheduler = scheduler(4, perHost: 2)
    for id in 1...5 { scheduler.enqueue(UInt64(id), host: "a", priority: .normal) }
    scheduler.enqueue(6, host: "b", priority: .low)
    #expect(drain(&scheduler).started == [1, 2, 6])
  }

  /// One request at a time, until it has given enough answers.
  @Test func aHostThatTookTooMuchTimeIsAskedBesideNoOther() {
    var scheduler = scheduler()
    scheduler["a"].noteFlood()
    for id in 1...2 { scheduler.enqueue(UInt64(id), host: "b", priority: .normal, due: .seconds(1)) }
    for id in 3...20 { scheduler.enqueue(UInt64(id), host: "a", priority: .high) }
    #expect(drain(&scheduler).started == [])
    #expect(drain(&scheduler, at: .seconds(1)).started == [1, 2])
    scheduler.finish(1, health: .reached)
    #expect(drain(&scheduler, at: .seconds(1)).started == [])
    scheduler.finish(2, health: .reached)
    for id in 3...10 {
      #expect(scheduler["a"].mustBeAlone && drain(&scheduler, at: .seconds(1)).started == [UInt64(id)])
      scheduler.finish(UInt64(id), health: .reached, answered: .kept)
    }
    #expect(drain(&scheduler, at: .seconds(1)).started == [11, 12])
  }

  /// Over HTTP/2 more transfers cost a host no connection more.
  @Test func aHostWhoseTransfersShareAConnectionHasMorePlaces() {
    var scheduler = TransferScheduler(maxConcurrent: 8, maxConcurrentPerHost: 2, maxStreamsPerHost: 4)
    let host = "https://a"
    for id in 1...20 { scheduler.enqueue(UInt64(id), host: host, priority: .normal) }
    #expect(drain(&scheduler).started == [1], "which shows whether they do")
    scheduler[host].turn(to: .shared)
    #expect(drain(&scheduler).started == [2, 3, 4])
    scheduler.finish(1, health: .reached, answered: .shared)
    #expect(drain(&scheduler).started == [5])
    scheduler.finish(2, health: .slow)
    #expect(drain(&scheduler).started == [], "in trouble it has one")
    scheduler.finish(3, health: .reached)
    #expect(drain(&scheduler).started == [6, 7])
    // A proxy before it, or another server of that name, has an older version; there is no way back.
    scheduler[host].turn(to: .kept)
    scheduler[host].turn(to: .shared)
    scheduler.finish(4, health: .reached)
    scheduler.finish(5, health: .reached)
    #expect(drain(&scheduler).started == [])
    scheduler.finish(6, health: .reached, answered: .kept)
    #expect(drain(&scheduler).started == [8])
  }

  @Test func priorityGoesFirstAndAgeDecidesWithinOne() {
    var scheduler = scheduler(1)
    let priorities: [HTTPRequest.Priority] = [.low, .normal, .veryHigh, .normal, .veryLow, .high, .veryHigh]
    for (index, priority) in priorities.enumerated() {
      scheduler.enqueue(UInt64(index), host: "a", priority: priority)
    }
    var order: [UInt64] = []
    while case .start(let id) = scheduler.next(at: .zero) {
      order.append(id)
      scheduler.finish(id, health: .reached)
    }
    #expect(order == [2, 6, 5, 1, 3, 0, 4])
  }

  @Test func aThousandRequestsKeepTheirOrder() {
    var scheduler = scheduler(1)
    for id in (1...1000).shuffled() { scheduler.enqueue(UInt64(id), host: "a", priority: .normal) }
    var order: [UInt64] = []
    while case .start(let id) = scheduler.next(at: .zero) {
      order.append(id)
      scheduler.finish(id, health: .reached)
    }
    #expect(order == (1...1000).map(UInt64.init))
  }

  @Test func aBlockedHostWaitsAndOthersDoNot() {
    var scheduler = scheduler()
    scheduler.enqueue(1, host: "a", priority: .normal)
    scheduler.enqueue(2, host: "b", priority: .normal)
    scheduler["a"].block(until: .seconds(5))
    scheduler["a"].block(until: .seconds(3))
    let first = drain(&scheduler)
    #expect(first.started == [2])
    #expect(first.last == .wait(until: .seconds(5)))
    #expect(drain(&scheduler, at: .milliseconds(4999)).started.isEmpty)
    #expect(drain(&scheduler, at: .seconds(5)).started == [1])
  }

  @Test func aDelayedRequestWaitsAndItsHostDoesNot() {
    var scheduler = scheduler()
    scheduler.enqueue(1, host: "a", priority: .high, due: .seconds(2))
    scheduler.enqueue(2, host: "a", priority: .low)
    let first = drain(&scheduler)
    #expect(first.started == [2])
    #expect(first.last == .wait(until: .seconds(2)))
    #expect(drain(&scheduler, at: .seconds(2)).started == [1])
  }

  @Test func aHostInTroubleGetsOnePlaceUntilItAnswers() {
    var scheduler = scheduler(8, perHost: 4)
    for id in 1...9 { scheduler.enqueue(UInt64(id), host: "a", priority: .normal) }
    #expect(drain(&scheduler).started == [1, 2, 3, 4])
    for id in 1...4 { scheduler.finish(UInt64(id), health: id == 4 ? .slow : .unreachable) }
    #expect(scheduler["a"].failuresInARow == 3)
    #expect(drain(&scheduler).started == [5])
    scheduler.finish(5, health: .reached)
    #expect(scheduler["a"].failuresInARow == 0)
    #expect(drain(&scheduler).started == [6, 7, 8, 9])
  }

  @Test func aHostGivenUpRefusesUntilTheTimeIsOver() {
    var scheduler = scheduler(1)
    scheduler.enqueue(1, host: "a", priority: .normal)
    scheduler.enqueue(2, host: "b", priority: .normal)
    scheduler.enqueue(3, host: "a", priority: .normal)
    #expect(scheduler.next(at: .zero) == .start(1))
    scheduler["a"].downUntil = .seconds(30)
    // Refused although every place is taken.
    #expect(scheduler.next(at: .zero) == .refuse(3))
    scheduler.finish(1, health: .unreachable)
    #expect(scheduler.next(at: .zero) == .start(2))
    scheduler.finish(2, health: .reached)
    scheduler.enqueue(4, host: "a", priority: .normal)
    #expect(scheduler.next(at: .seconds(29)) == .refuse(4))
    scheduler.enqueue(5, host: "a", priority: .normal)
    #expect(scheduler.next(at: .seconds(30)) == .start(5))
  }

  @Test func aRemovedRequestNeverStartsAndFreesItsPlace() {
    var scheduler = scheduler(1)
    for id in 1...3 { scheduler.enqueue(UInt64(id), host: "a", priority: .normal) }
    scheduler.enqueue(4, host: "a", priority: .high, due: .seconds(1))
    #expect(scheduler.next(at: .zero) == .start(1))
    scheduler.remove(2)
    scheduler.remove(4)
    scheduler.remove(1)
    #expect(scheduler.next(at: .seconds(2)) == .start(3))
    scheduler.remove(3)
    #expect(scheduler.next(at: .seconds(2)) == .idle)
  }

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
        done.id, health: .reached, answered: .kept, sign: done.isRefused ? .lessWanted : nil, at: now)
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
