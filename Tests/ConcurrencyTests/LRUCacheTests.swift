import Testing

@testable import Concurrency

@Suite(.timeLimit(.minutes(10)))
struct LRUCacheTests {
  @Test func theGreatestCostsDoNotOverflowTheSum() {
    var cache = LRUCache<Int, Int>()
    cache.insert(1, forKey: 1, cost: .max)
    cache.insert(2, forKey: 2, cost: .max)
    cache.insert(3, forKey: 3, cost: -5)

    #expect(cache.keysByRecency == [3, 2])
    #expect(cache.totalCost == .max)
  }

  @Test func loweringALimitTrimsAtOnce() {
    var cache = LRUCache<Int, Int>()
    for key in 1...10 { cache.insert(key, forKey: key, cost: 10) }
    cache.costLimit = 75
    #expect(cache.keysByRecency == [10, 9, 8, 7, 6, 5, 4])
    cache.countLimit = 2
    #expect(cache.keysByRecency == [10, 9])
    cache.countLimit = 0
    cache.insert(1, forKey: 1)
    #expect(cache.totalCount == 0)
  }

  @Test func aValueIsGoneFromTheMomentAtWhichItExpires() {
    var cache = LRUCache<String, Int>()
    let start = Moment.now
    cache.insert(1, forKey: "a", cost: 5, expiry: start + 10)
    cache.insert(2, forKey: "b", cost: 5)

    #expect(cache.value(forKey: "a", now: start + 9) == 1)
    #expect(cache.value(forKey: "a", now: start + 10) == nil)
    #expect(cache.value(forKey: "b", now: start + 1_000_000) == 2)
    #expect(cache.totalCost == 5)
  }

  /// The same rules over a plain array, the most recently used entry first.
  private struct Model {
    var entries: [(key: Int, value: Int, cost: Int)] = []
    let costLimit: Int
    let countLimit: Int

    mutating func insert(_ value: Int, _ key: Int, _ cost: Int) {
      entries.removeAll { $0.key == key }
      guard cost <= costLimit else { return }
      entries.insert((key, value, cost), at: 0)
      trim(cost: costLimit, count: countLimit)
    }

    mutating func value(_ key: Int) -> Int? {
      guard let index = entries.firstIndex(where: { $0.key == key }) else { return nil }
      let entry = entries.remove(at: index)
      entries.insert(entry, at: 0)
      return entry.value
    }

    mutating func trim(cost: Int, count: Int) {
      while entries.reduce(0, { $0 + $1.cost }) > cost || entries.count > count { entries.removeLast() }
    }
  }

  @Test(arguments: [1, 2, 3]) func randomUseGivesWhatAPlainListGives(seed: UInt64) {
    var random = LinearGenerator(state: seed)
    var cache = LRUCache<Int, Int>(costLimit: 100, countLimit: 12)
    var model = Model(costLimit: 100, countLimit: 12)
    for step in 0..<5000 {
      let key = Int.random(in: 0..<30, using: &random)
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<9:
        let cost = Int.random(in: 0..<40, using: &random)
        cache.insert(step, forKey: key, cost: cost)
        model.insert(step, key, cost)
      case 9..<17: #expect(cache.value(forKey: key) == model.value(key))
      case 17:
        cache.removeValue(forKey: key)
        model.entries.removeAll { $0.key == key }
      default:
        cache.trim(toCost: key * 3, count: key / 3)
        model.trim(cost: key * 3, count: key / 3)
      }
      #expect(cache.keysByRecency == model.entries.map(\.key))
      #expect(cache.totalCost == model.entries.reduce(0) { $0 + $1.cost })
    }
  }
}

/// Repeatable random numbers (Knuth's MMIX constants).
struct LinearGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ (state >> 29)
  }
}
