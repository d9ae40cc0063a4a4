import Testing

@testable import Fetching

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
    scheduler.noteFlood(of: "a")
    for id in 1...2 { scheduler.enqueue(UInt64(id), host: "b", priority: .normal, due: .seconds(1)) }
    for id in 3...20 { scheduler.enqueue(UInt64(id), host: "a", priority: .high) }
    #expect(drain(&scheduler).started == [])
    #expect(drain(&scheduler, at: .seconds(1)).started == [1, 2])
    scheduler.finish(1, health: .reached)
    #expect(drain(&scheduler, at: .seconds(1)).started == [])
    scheduler.finish(2, health: .reached)
    for id in 3...10 {
      #expect(scheduler.mustBeAlone("a") && drain(&scheduler, at: .seconds(1)).started == [UInt64(id)])
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
    scheduler.turn(host, to: .shared)
    #expect(drain(&scheduler).started == [2, 3, 4])
    scheduler.finish(1, health: .reached, answered: .shared)
    #expect(drain(&scheduler).started == [5])
    scheduler.finish(2, health: .slow)
    #expect(drain(&scheduler).started == [], "in trouble it has one")
    scheduler.finish(3, health: .reached)
    #expect(drain(&scheduler).started == [6, 7])
    // A proxy before it, or another server of that name, has an older version; there is no way back.
    scheduler.turn(host, to: .kept)
    scheduler.turn(host, to: .shared)
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
    scheduler.block("a", until: .seconds(5))
    scheduler.block("a", until: .seconds(3))
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
    #expect(scheduler.failuresInARow("a") == 3)
    #expect(drain(&scheduler).started == [5])
    scheduler.finish(5, health: .reached)
    #expect(scheduler.failuresInARow("a") == 0)
    #expect(drain(&scheduler).started == [6, 7, 8, 9])
  }

  @Test func aHostGivenUpRefusesUntilTheTimeIsOver() {
    var scheduler = scheduler(1)
    scheduler.enqueue(1, host: "a", priority: .normal)
    scheduler.enqueue(2, host: "b", priority: .normal)
    scheduler.enqueue(3, host: "a", priority: .normal)
    #expect(scheduler.next(at: .zero) == .start(1))
    scheduler.giveUp("a", until: .seconds(30))
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
}
