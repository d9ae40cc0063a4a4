import Foundation

/// A dictionary with a bound on cost and on count, which forgets the least recently used values first.
///
/// Every operation takes constant time, trimming a constant time for each value that it forgets. The order
/// of use is a list linked by array indices, so a value costs no object of its own. The caller brings the
/// lock and the time.
package struct LRUCache<Key: Hashable, Value> {
  /// The greatest sum of costs that is kept. Lowering it trims at once.
  package var costLimit: Int { didSet { trim(toCost: costLimit) } }
  /// The greatest number of values that is kept. Lowering it trims at once.
  package var countLimit: Int { didSet { trim(toCount: countLimit) } }
  /// The sum of the costs of the values; ones that expired but were not looked up since are among them.
  package private(set) var totalCost = 0
  package var totalCount: Int { slotByKey.count }

  fileprivate struct Entry {
    let key: Key
    let value: Value
    let cost: Int
    let expiry: Moment?

    func hasExpired(at now: Moment) -> Bool { expiry.map { $0 <= now } ?? false }
  }

  fileprivate struct Slot {
    var entry: Entry?
    var newer: Int
    var older: Int
  }

  /// Slot 0 closes the list into a ring: the newest entry is `older` than it, the oldest `newer`.
  private var slots = [Slot(entry: nil, newer: 0, older: 0)]
  private var slotByKey: [Key: Int] = [:]
  private var freeSlots: [Int] = []

  package init(costLimit: Int = .max, countLimit: Int = .max) {
    self.costLimit = costLimit
    self.countLimit = countLimit
  }

  /// The value, which becomes the most recently used one; one that expired is removed.
  package mutating func value(forKey key: Key, now: @autoclosure () -> Moment = .now) -> Value? {
    guard let slot = slotByKey[key], let entry = slots[slot].entry else { return nil }
    if entry.expiry != nil, entry.hasExpired(at: now()) {
      remove(slot: slot)
      return nil
    }
    unlink(slot)
    linkAsNewest(slot)
    return entry.value
  }

  /// Stores a value in place of the one under this key.
  ///
  /// A value that costs more than the whole limit is not stored, and does not leave an older one behind.
  /// - Parameter cost: at least 0; a negative one counts as 0.
  package mutating func insert(_ value: Value, forKey key: Key, cost: Int = 0, expiry: Moment? = nil) {
    if let slot = slotByKey[key] { remove(slot: slot) }
    let cost = max(0, cost)
    guard cost <= costLimit, countLimit > 0 else { return }
    // Room is made first: the sum can then neither pass the limit nor overflow.
    trim(toCost: costLimit - cost)
    trim(toCount: countLimit - 1)

    let entry = Entry(key: key, value: value, cost: cost, expiry: expiry)
    let slot: Int
    if let free = freeSlots.popLast() {
      slot = free
      slots[slot].entry = entry
    } else {
      slot = slots.count
      slots.append(Slot(entry: entry, newer: 0, older: 0))
    }
    slotByKey[key] = slot
    totalCost += cost
    linkAsNewest(slot)
  }

  @discardableResult
  package mutating func removeValue(forKey key: Key) -> Value? {
    guard let slot = slotByKey[key] else { return nil }
    return remove(slot: slot)
  }

  package mutating func removeAll() {
    self = LRUCache(costLimit: costLimit, countLimit: countLimit)
  }

  /// Forgets the least recently used values until the others cost at most `limit`.
  package mutating func trim(toCost limit: Int) {
    while totalCost > limit, totalCount > 0 { remove(slot: slots[0].newer) }
  }

  /// Forgets the least recently used values until at most `limit` are left.
  package mutating func trim(toCount limit: Int) {
    while totalCount > max(0, limit) { remove(slot: slots[0].newer) }
  }

  /// The keys, the most recently used one first.
  package var keysByRecency: [Key] {
    var keys: [Key] = []
    keys.reserveCapacity(totalCount)
    var slot = slots[0].older
    while let entry = slots[slot].entry {
      keys.append(entry.key)
      slot = slots[slot].older
    }
    return keys
  }

  @discardableResult
  private mutating func remove(slot: Int) -> Value? {
    guard let entry = slots[slot].entry else { return nil }
    unlink(slot)
    slots[slot].entry = nil
    freeSlots.append(slot)
    slotByKey[entry.key] = nil
    totalCost -= entry.cost
    return entry.value
  }

  private mutating func unlink(_ slot: Int) {
    let (newer, older) = (slots[slot].newer, slots[slot].older)
    slots[newer].older = older
    slots[older].newer = newer
  }

  private mutating func linkAsNewest(_ slot: Int) {
    let formerNewest = slots[0].older
    slots[slot].newer = 0
    slots[slot].older = formerNewest
    slots[formerNewest].newer = slot
    slots[0].older = slot
  }
}

extension LRUCache: Sendable where Key: Sendable, Value: Sendable {}
extension LRUCache.Slot: Sendable where Key: Sendable, Value: Sendable {}
extension LRUCache.Entry: Sendable where Key: Sendable, Value: Sendable {}

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
