import Foundation
import Testing

@testable import KingfisherCache

/// What Kingfisher's page on caches promises of memory.
@Suite(.timeLimit(.minutes(10)))
struct MemoryStorageTests {
  let clock = TestClock()
  let storage: MemoryStorage.Backend
  let image: KFCrossPlatformImage

  init() throws {
    storage = MemoryStorage.Backend(now: clock.read)
    image = try .png(5, 2)
  }

  private func store(_ keys: String..., expiration: StorageExpiration? = nil) {
    for key in keys { storage.store(image, forKey: key, expiration: expiration) }
  }

  private func holds(_ key: String) -> Bool { storage.image(forKey: key, isLook: true) != nil }

  @Test func theDefaultsAreThoseOfKingfisher() {
    let config = MemoryStorage.Config()
    #expect(config.totalCostLimit == Int(ProcessInfo.processInfo.physicalMemory / 4))
    #expect(config.countLimit == .max && config.expiration == .seconds(300) && config.cleanInterval == 120)
  }

  @Test func limitsForgetWhatWasUsedTheLongestAgoAndZeroMeansNone() {
    storage.config.totalCostLimit = 0
    store("a", "b", "c")
    _ = storage.image(forKey: "a")
    storage.config.countLimit = 2
    #expect(holds("a") && !holds("b") && holds("c"))
    storage.config.totalCostLimit = 4 * image.pixelWidth * image.pixelHeight
    #expect(!holds("a") && holds("c"))
  }

  @Test func anImageExpiresFiveMinutesAfterItsLastAccess() {
    store("a")
    clock.advance(by: 299)
    #expect(storage.image(forKey: "a") != nil)
    clock.advance(by: 299)
    #expect(holds("a"))
    clock.advance(by: 1)
    #expect(!holds("a") && storage.image(forKey: "a") == nil)
    store("b", expiration: .expired)
    #expect(!holds("b"))
  }

  @Test func whatExpiredMakesRoomEveryCleanInterval() {
    store("old", expiration: .seconds(10))
    clock.advance(by: 119)
    store("a")
    #expect(storage.count == 2)
    clock.advance(by: 1)
    store("b")
    #expect(storage.count == 2)
    clock.advance(by: 1000)
    storage.removeExpired()
    #expect(storage.count == 0)
  }
}

extension MemoryStorage.Backend {
  fileprivate var count: Int { state.withLock { $0.entries.totalCount } }
}
