import Foundation

/// A dictionary with a bound on cost and on count, which forgets the least recently used values first.
///
/// Uses are noted in a list, of which a key's last note alone counts; the others go when they are most of it, so that an
/// operation takes constant time on average. The caller brings the lock and the time.
package struct LRUCache<Key: Hashable, Value> {
  /// The greatest sum of costs that is kept. Lowering it trims at once.
  package var costLimit: Int { didSet { trim(toCost: costLimit, count: countLimit) } }
  /// The greatest number of values that is kept. Lowering it trims at once.
  package var countLimit: Int { didSet { trim(toCost: costLimit, count: countLimit) } }
  /// The sum of the costs of the values; ones that expired but were not looked up since are among them.
  package private(set) var totalCost = 0
  package var totalCount: Int { entries.count }

  fileprivate struct Entry {
    let value: Value
    let cost: Int
    let expiry: Moment?
    var lastUse = 0
  }

  fileprivate struct Use {
    let key: Key
    let number: Int
  }

  private var entries: [Key: Entry] = [:]
  /// The oldest first; those before ``oldest`` are done with.
  private var uses: [Use] = []
  private var oldest = 0
  private var lastUse = 0

  package init(costLimit: Int = .max, countLimit: Int = .max) {
    self.costLimit = costLimit
    self.countLimit = countLimit
  }

  /// The value, which becomes the most recently used one; one that expired is removed.
  package mutating func value(forKey key: Key, now: @autoclosure () -> Moment = .now) -> Value? {
    guard let entry = entries[key] else { return nil }
    if let expiry = entry.expiry, expiry <= now() {
      removeValue(forKey: key)
      return nil
    }
    use(key)
    return entry.value
  }

  /// Stores a value in place of the one under this key.
  ///
  /// A value that costs more than the whole limit is not stored, and does not leave an older one behind.
  /// - Parameter cost: at least 0; a negative one counts as 0.
  package mutating func insert(_ value: Value, forKey key: Key, cost: Int = 0, expiry: Moment? = nil) {
    removeValue(forKey: key)
    let cost = max(0, cost)
    guard cost <= costLimit, countLimit > 0 else { return }
    // Room is made first: the sum can then neither pass the limit nor overflow.
    trim(toCost: costLimit - cost, count: countLimit - 1)
    entries[key] = Entry(value: value, cost: cost, expiry: expiry)
    totalCost += cost
    use(key)
  }

  @discardableResult
  package mutating func removeValue(forKey key: Key) -> Value? {
    guard let entry = entries.removeValue(forKey: key) else { return nil }
    totalCost -= entry.cost
    return entry.value
  }

  package mutating func removeAll(where isGone: (Value) -> Bool = { _ in true }) {
    for (key, entry) in entries where isGone(entry.value) { removeValue(forKey: key) }
  }

  /// The keys, the most recently used one first.
  package var keysByRecency: [Key] { uses[oldest...].reversed().filter(isLast).map(\.key) }

  /// Forgets the least recently used values until the others are within both limits.
  package mutating func trim(toCost cost: Int, count: Int) {
    while totalCost > cost || totalCount > max(0, count), oldest < uses.count {
      if isLast(uses[oldest]) { removeValue(forKey: uses[oldest].key) }
      oldest += 1
    }
  }

  private func isLast(_ use: Use) -> Bool { entries[use.key]?.lastUse == use.number }

  private mutating func use(_ key: Key) {
    lastUse += 1
    entries[key]?.lastUse = lastUse
    uses.append(Use(key: key, number: lastUse))
    guard uses.count > 2 * totalCount + 64 else { return }
    uses = uses[oldest...].filter(isLast)
    oldest = 0
  }
}

extension LRUCache: Sendable where Key: Sendable, Value: Sendable {}
extension LRUCache.Entry: Sendable where Key: Sendable, Value: Sendable {}
extension LRUCache.Use: Sendable where Key: Sendable, Value: Sendable {}

/// A moment of a clock that is never set and that goes on while the device sleeps, as `ContinuousClock` does, which needs
/// iOS 16.
package struct Moment: Hashable, Comparable, Sendable {
  /// Since some moment in the past.
  private var nanoseconds: Int64

  package static var now: Moment {
    #if os(Linux)
      let clock = CLOCK_BOOTTIME
    #else
      let clock = CLOCK_MONOTONIC
    #endif
    var time = timespec()
    clock_gettime(clock, &time)
    return Moment(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  /// - Parameter seconds: more than a hundred years are that many.
  package static func + (moment: Moment, seconds: Double) -> Moment {
    let century = 3.2e9
    let nanoseconds = Int64((min(max(seconds, -century), century) * 1e9).rounded())
    return Moment(nanoseconds: moment.nanoseconds &+ nanoseconds)
  }

  package static func < (a: Moment, b: Moment) -> Bool { a.nanoseconds < b.nanoseconds }
}
