import Foundation
import Testing

@testable import Fetching

/// Who may go when: a bucket of tokens and a line by priority.
@Suite(.timeLimit(.minutes(10)))
struct SchedulingTests {
  @Test func aFullBucketLetsABurstThroughAndThenSoManyASecond() {
    var bucket = TokenBucket(perSecond: 80, burst: 25)
    let delays = (0..<65).map { _ in bucket.take(at: .zero) / .seconds(1) }
    #expect(delays.prefix(25).allSatisfy { $0 == 0 })
    for (index, delay) in delays.dropFirst(25).enumerated() {
      #expect(abs(delay - Double(index + 1) / 80) < 1e-9)
    }
  }

  @Test func aBucketFillsAgainButNeverBeyondItsBurst() {
    var bucket = TokenBucket(perSecond: 10, burst: 2)
    for _ in 0..<2 { #expect(bucket.take(at: .zero) == .zero) }
    #expect(bucket.take(at: .seconds(100)) == .zero)
    #expect(bucket.take(at: .seconds(100)) == .zero)
    #expect(bucket.take(at: .seconds(100)) == .milliseconds(100))
  }

  @Test func aBucketSaysWhenItsNextTokenIsThere() {
    var bucket = TokenBucket(perSecond: 4, burst: 1)
    #expect(bucket.ready(at: .seconds(1)) == .seconds(1))
    bucket.take(at: .seconds(1))
    #expect(bucket.ready(at: .seconds(1)) == .milliseconds(1250))
    #expect(bucket.ready(at: .milliseconds(1250)) == .milliseconds(1250))
  }

  private func order(_ line: inout PriorityLine) -> [UInt64] {
    var order: [UInt64] = []
    while let next = line.popFirst() { order.append(next.ticket) }
    return order
  }

  private func line(_ priorities: [QueuePriority]) -> PriorityLine {
    var line = PriorityLine()
    for (ticket, priority) in priorities.enumerated() {
      line.insert(PriorityLine.Entry(ticket: UInt64(ticket), priority: priority))
    }
    return line
  }

  @Test func aLineGoesByPriorityThenByAge() {
    var line = line([.low, .high, .normal, .high, .veryHigh, .normal, .veryLow])
    #expect(line.count == 7)
    #expect(order(&line) == [4, 1, 3, 2, 5, 0, 6])
    #expect(line.isEmpty && line.first() == nil && line.popFirst() == nil)
  }

  @Test func whoMovesStandsBehindAllOfItsNewPriorityAndIsThereOnce() {
    var line = line([.low, .high, .normal, .high, .normal])
    line.move(0, to: .veryHigh)
    line.move(1, to: .low)
    line.move(1, to: .high)
    line.move(2, to: .high)
    line.move(9, to: .high)
    line.insert(PriorityLine.Entry(ticket: 5, priority: .high))
    #expect(line.count == 6)
    #expect(order(&line) == [0, 3, 1, 2, 5, 4])
  }

  @Test func whoLeftIsForgotten() {
    var line = line([.high, .normal, .low])
    let left = line.remove(0)
    let again = line.remove(0)
    #expect(left && !again)
    #expect(line.first()?.ticket == 1)
    #expect(order(&line) == [1, 2])
  }

  @Test func aLongLineIsInOrderWhateverHappensToIt() {
    var line = PriorityLine()
    // What stands where, the slow way.
    var lanes: [QueuePriority: [UInt64]] = [:]
    for ticket in UInt64(0)..<2000 {
      let priority = QueuePriority(rawValue: Int(ticket &* 7919 % 5)) ?? .normal
      line.insert(PriorityLine.Entry(ticket: ticket, priority: priority))
      lanes[priority, default: []].append(ticket)
      let (moving, target) = (ticket / 2, QueuePriority(rawValue: Int(ticket / 3 % 5)) ?? .normal)
      if let lane = lanes.first(where: { $0.value.contains(moving) })?.key, lane != target {
        lanes[lane]?.removeAll { $0 == moving }
        lanes[target, default: []].append(moving)
      }
      line.move(moving, to: target)
      if ticket % 5 == 0 {
        line.remove(ticket / 5)
        for lane in lanes.keys { lanes[lane]?.removeAll { $0 == ticket / 5 } }
      }
    }
    let expected = QueuePriority.allCases.reversed().flatMap { lanes[$0] ?? [] }
    #expect(line.count == expected.count)
    #expect(order(&line) == expected)
  }
}
