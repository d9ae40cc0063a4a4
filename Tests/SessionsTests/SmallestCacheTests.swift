import TestSupport
import Testing

@testable import Sessions

@Suite("The smallest cache", .timeLimit(.minutes(5)))
struct SmallestCacheTests {
  /// All sets of entries, tried one by one.
  private func best(_ answers: [SmallestCache.Answer], hits: Int) -> Int? {
    var entries: [SmallestCache.Entry] = []
    for entry in answers.flatMap(\.entries) where !entries.contains(entry) { entries.append(entry) }
    let sizes = (0..<(1 << entries.count)).compactMap { set -> Int? in
      let files = Set(entries.indices.filter { set >> $0 & 1 == 1 }.map { entries[$0].file })
      let answered = answers.reduce(0) { sum, answer in
        sum + (answer.entries.contains { files.contains($0.file) } ? answer.count : 0)
      }
      return answered >= hits ? entries.reduce(0) { $0 + (files.contains($1.file) ? $1.size : 0) } : nil
    }
    return sizes.min()
  }

  @Test func noSetOfEntriesIsSmaller() {
    var dice = SeededGenerator(state: 11)
    for _ in 0..<60 {
      var answers: [SmallestCache.Answer] = []
      for source in 0..<Int.random(in: 1...4, using: &dice) {
        let original = SmallestCache.Entry(file: "o\(source)", size: Int.random(in: 1...50, using: &dice))
        for variant in 0..<Int.random(in: 1...3, using: &dice) {
          let own = SmallestCache.Entry(
            file: "v\(source)-\(variant)", size: Int.random(in: 1...20, using: &dice))
          answers.append(
            .init(
              source: "\(source)", count: Int.random(in: 1...9, using: &dice),
              entries: Bool.random(using: &dice) ? [own, original] : [own]))
        }
      }
      let requests = answers.reduce(0) { $0 + $1.count } + Int.random(in: 0...2, using: &dice)
      for target in SmallestCache(answers, requests: requests).targets {
        let hits = (requests * target.percent + 99) / 100
        #expect(target.size?.bytes == best(answers, hits: hits), "\(target.percent) % of \(requests)")
        #expect(!target.isBound)
      }
    }
  }

  @Test func whatTheEntriesDoNotReachIsSaid() {
    let entry = SmallestCache.Entry(file: "a", size: 7)
    let targets = SmallestCache([.init(source: "a", count: 92, entries: [entry])], requests: 100).targets
    #expect(targets.map(\.percent) == [90, 95, 99])
    #expect(targets.map(\.size?.bytes) == [7, nil, nil])
  }

  @Test func longSessionsTakeABoundInstead() {
    let answers = (0..<4000).map { number in
      SmallestCache.Answer(
        source: "\(number)", count: 50, entries: [.init(file: "\(number)", size: 1 + number % 7)])
    }
    let targets = SmallestCache(answers, requests: 200_000).targets
    #expect(targets.allSatisfy { $0.isBound && $0.size != nil })
    // Of entries that answer alike the smallest come first, so the bound is near.
    #expect(targets.compactMap(\.size?.entries) == [3600, 3800, 3960])
  }
}
