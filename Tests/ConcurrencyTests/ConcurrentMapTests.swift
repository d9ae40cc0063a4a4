import Testing

@Suite("A map on all cores", .timeLimit(.minutes(5)))
struct ConcurrentMapTests {
  @Test(arguments: [0, 1, 2, 7, 8, 9, 63, 1000], [1, 3, 500])
  func whatIsMadeIsInOrderAndComplete(count: Int, least: Int) {
    let all = Array(0..<count + 5)
    #expect(all.dropFirst(5).concurrentMap(least: least) { $0 * 2 } == (5..<count + 5).map { $0 * 2 })
  }
}
