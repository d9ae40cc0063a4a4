import Foundation
import Testing

@testable import Fetching

/// Who may go when: a line by priority.
@Suite(.timeLimit(.minutes(10)))
struct SchedulingTests {
  private func order(_ line: inout PriorityLine) -> [UInt64] {
    var order: [UInt64] = []
    while let next = line.first() {
      order.append(next.ticket)
      line.remove(next.ticket)
    }
    return order
  }

  @Test func aLongLineIsInOrderWhateverHappensToIt() {
    var line = PriorityLine()
    // What stands where, the slow way.
    var lanes: [QueuePriority: [UInt64]] = [:]
    for ticket in UInt64(0)..<2000 {
      let priority = QueuePriority(rawValue: Int(ticket &* 7919 % 5)) ?? .normal
      line.insert(PriorityLine.Entry(ticket: ticket, priority: priority))
      lanes[priority, default: []].append(ticket)
      if ticket % 5 == 0 {
        line.remove(ticket / 5)
        for lane in lanes.keys { lanes[lane]?.removeAll { $0 == ticket / 5 } }
      }
    }
    let expected = QueuePriority.allCases.reversed().flatMap { lanes[$0] ?? [] }
    #expect(order(&line) == expected && line.isEmpty)
  }
}
