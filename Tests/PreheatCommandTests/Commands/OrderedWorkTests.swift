import Concurrency
import Testing

@testable import PreheatCommand

@Suite(.timeLimit(.minutes(10)))
struct OrderedWorkTests {
  @Test(arguments: [1, 2, 7]) func resultsComeInTheOrderOfTheirPieces(width: Int) async throws {
    var results: [Int] = []
    // The first pieces take longest.
    try await OrderedWork.forEach(0..<200, width: width) { piece in
      (piece..<200).reduce(0, ^) == -1 ? -1 : piece * piece
    } use: {
      results.append($0)
      return true
    }
    #expect(results == (0..<200).map { $0 * $0 })
  }

  /// However slow the first one is, only so many results wait for it.
  @Test func onlyAWindowIsWorkedOnAhead() async throws {
    let begun = Locked(0)
    var most = 0
    var used = 0
    try await OrderedWork.forEach(0..<100, width: 3) { piece in
      begun.withLock { $0 += 1 }
      return piece
    } use: { _ in
      most = max(most, begun.withLock { $0 } - used)
      used += 1
      return true
    }
    #expect(used == 100 && most <= 6)
  }

  @Test func nothingIsBegunAfterTheEnd() async throws {
    var used: [Int] = []
    let begun = Locked(0)
    try await OrderedWork.forEach(0..<1000, width: 2) { piece in
      begun.withLock { $0 += 1 }
      return piece
    } use: {
      used.append($0)
      return used.count < 5
    }
    #expect(used == [0, 1, 2, 3, 4])
    #expect(begun.withLock { $0 } < 20)
  }

  @Test func aFailureEndsTheWork() async {
    struct Failure: Error {}
    await #expect(throws: Failure.self) {
      try await OrderedWork.forEach(0..<10) {
        $0
      } use: { _ in
        throw Failure()
      }
    }
  }
}
