import Foundation
import TestSupport
import Testing

@testable import KingfisherCache

/// What Kingfisher's page on caches promises of memory.
@Suite(.timeLimit(.minutes(10)))
struct MemoryStorageTests {
  struct Item: CacheCostCalculable, Hashable, Sendable {
    var cacheCost = 1
  }

  let clock = TestClock()

  func storage(
    _ config: MemoryStorage.Config = MemoryStorage.Config(), version: KingfisherVersion = .latest
  ) -> MemoryStorage.Backend<Item> {
    MemoryStorage.Backend(config: config, version: version, now: clock.read)
  }

  @Test func theDefaultsAreThoseOfKingfisher() {
    let config = MemoryStorage.Config()
    #expect(config.totalCostLimit == Int(ProcessInfo.processInfo.physicalMemory / 4))
    #expect(config.countLimit == .max)
    #expect(config.expiration == .seconds(300))
    #expect(config.cleanInterval == 120)
  }

  @Test func theCountLimitForgetsWhatWasUsedTheLongestAgo() {
    let storage = storage()
    for key in ["a", "b", "c"] { storage.store(value: Item(), forKey: key) }
    _ = storage.value(forKey: "a")
    storage.config.countLimit = 2
    #expect(!storage.isCached(forKey: "b"))
    #expect(storage.isCached(forKey: "a") && storage.isCached(forKey: "c"))
  }

  @Test func theCostLimitHoldsAtOnceAndZeroMeansNone() {
    let storage = storage()
    storage.config.totalCostLimit = 0
    for key in ["a", "b", "c"] { storage.store(value: Item(cacheCost: 40), forKey: key) }
    #expect(storage.totalCost == 120)
    storage.config.totalCostLimit = 100
    #expect(storage.totalCost == 80)
    #expect(!storage.isCached(forKey: "a"))
  }

  @Test func aValueExpiresFiveMinutesAfterItsLastAccess() {
    let storage = storage()
    storage.store(value: Item(), forKey: "a")
    clock.advance(by: 299)
    #expect(storage.value(forKey: "a") != nil)
    clock.advance(by: 299)
    #expect(storage.isCached(forKey: "a"))
    clock.advance(by: 1)
    #expect(!storage.isCached(forKey: "a"))
    #expect(storage.value(forKey: "a") == nil)
  }

  @Test(arguments: [
    (ExpirationExtending.none, 300.0), (.cacheTime, 400), (.expirationTime(.seconds(50)), 150),
  ])
  func anAccessExtendsAsItIsAsked(extending: ExpirationExtending, end: TimeInterval) {
    let storage = storage()
    storage.store(value: Item(), forKey: "a")
    clock.advance(by: 100)
    _ = storage.value(forKey: "a", extendingExpiration: extending)
    clock.advance(by: end - 100 - 1)
    #expect(storage.isCached(forKey: "a"))
    clock.advance(by: 1)
    #expect(!storage.isCached(forKey: "a"))
  }

  @Test func before560EveryAccessExtends() {
    let storage = storage(version: KingfisherVersion(5, 5, 0))
    storage.store(value: Item(), forKey: "a")
    clock.advance(by: 200)
    _ = storage.value(forKey: "a", extendingExpiration: .none)
    clock.advance(by: 200)
    #expect(storage.isCached(forKey: "a"))
  }

  @Test func whatWouldBeExpiredAtOnceIsNotStored() {
    let storage = storage()
    storage.store(value: Item(), forKey: "a", expiration: .expired)
    storage.store(value: Item(), forKey: "b", expiration: .seconds(0))
    #expect(storage.totalCount == 0)
  }

  @Test func removingWhatExpiredKeepsTheOrderOfUse() {
    let storage = storage()
    for key in ["a", "b", "c"] { storage.store(value: Item(), forKey: key, expiration: .seconds(1000)) }
    storage.store(value: Item(), forKey: "short", expiration: .seconds(10))
    clock.advance(by: 10)
    #expect(storage.totalCount == 4)
    storage.removeExpired()
    #expect(storage.totalCount == 3)
    storage.config.countLimit = 1
    #expect(storage.isCached(forKey: "c"))
  }

  @Test func whatExpiredIsRemovedByItselfEveryCleanInterval() async throws {
    let storage = storage()
    storage.store(value: Item(), forKey: "a", expiration: .seconds(1))
    clock.advance(by: 1)
    storage.config.cleanInterval = 0.01
    while storage.totalCount > 0 { try await Task.sleep(for: .milliseconds(5)) }
  }

  @Test func aStorageThatNobodyHasGoesWithItsCleaning() async throws {
    var storage: MemoryStorage.Backend<Item>? = storage()
    weak let reference = storage
    storage?.config.cleanInterval = 0.01
    storage?.store(value: Item(), forKey: "a")
    storage = nil
    while reference != nil { try await Task.sleep(for: .milliseconds(5)) }
  }
}
