import Foundation
import TestSupport
import Testing

@testable import FileStore
@testable import KingfisherCache

/// A load makes a file last longer; a look does not.
@Suite(.timeLimit(.minutes(10)))
struct DiskStorageExtendingTests {
  let kit: CacheKit
  let data = Data("image".utf8)

  init() throws { kit = try CacheKit() }

  @Test(arguments: [
    (ExpirationExtending.none, 100.0, 0.0), (.cacheTime, 140, 40), (.expirationTime(.seconds(7)), 47, 40),
    (.expirationTime(.expired), 40, 40),
  ])
  func aLoadAfter40Of100Seconds(extending: ExpirationExtending, expiry: TimeInterval, access: TimeInterval)
    throws
  {
    try kit.disk.store(value: data, forKey: "k", expiration: .seconds(100))
    kit.clock.advance(by: 40)
    #expect(try kit.disk.value(forKey: "k", extendingExpiration: extending) == data)
    let dates = try kit.dates("k")
    #expect(dates.expiry == TestClock.start.addingTimeInterval(expiry))
    #expect(dates.lastAccess == TestClock.start.addingTimeInterval(access))
  }

  @Test func thePeriodStaysTheSameOverManyLoads() throws {
    try kit.disk.store(value: data, forKey: "k", expiration: .seconds(100))
    for _ in 0..<5 {
      kit.clock.advance(by: 99)
      #expect(try kit.disk.value(forKey: "k") == data)
    }
    #expect(try kit.dates("k").expiry == kit.clock.now.addingTimeInterval(100))
    kit.clock.advance(by: 100)
    #expect(try kit.disk.value(forKey: "k") == nil)
  }

  @Test func aLookExtendsNothing() throws {
    try kit.disk.store(value: data, forKey: "k", expiration: .seconds(100))
    kit.clock.advance(by: 40)
    #expect(kit.disk.isCached(forKey: "k"))
    #expect(try kit.dates("k").expiry == TestClock.start.addingTimeInterval(100))
  }

  @Test func before580EveryLoadExtends() throws {
    let old = try CacheKit(version: KingfisherVersion(5, 7, 1))
    try old.disk.store(value: data, forKey: "k", expiration: .seconds(100))
    old.clock.advance(by: 40)
    _ = try old.disk.value(forKey: "k", extendingExpiration: .none)
    #expect(try old.dates("k").expiry == TestClock.start.addingTimeInterval(140))
  }

  /// As a bundle's file on a device: its creation is the moment of its unpacking.
  @Test func thePeriodOfAForeignFileCountsFromItsBirth() throws {
    let store = try kit.disk.readyStore()
    try store.write(
      data, as: try kit.disk.cacheFileName(forKey: "k"), dates: FileDates(modification: ExpirationDate.never))
    let birth = try #require(try store.birthDate(of: try kit.disk.cacheFileName(forKey: "k")))
    #expect(try kit.dates("k").lastAccess == birth)
    _ = try kit.disk.value(forKey: "k")
    let period = ExpirationDate.never.timeIntervalSince(birth)
    #expect(try kit.dates("k").expiry == TestClock.start.addingTimeInterval(period).roundedUpToSecond)
    #expect(try kit.dates("k").lastAccess == TestClock.start)
  }

  @Test func aFileCreatedAfterItsExpiryDiesOfItsFirstLoad() throws {
    let created = Date(timeIntervalSince1970: 2_000_000_000)
    try kit.disk.readyStore().write(
      data, as: try kit.disk.cacheFileName(forKey: "k"),
      dates: FileDates(access: created, modification: TestClock.start.addingTimeInterval(100)))
    #expect(try kit.disk.value(forKey: "k") == data)
    #expect(try kit.disk.value(forKey: "k") == nil)
  }

  @Test func datesThatGoTooFarStayWithinWhatFilesHold() throws {
    try kit.disk.store(value: data, forKey: "k", expiration: .date(ExpirationDate.latest))
    kit.clock.advance(by: 1000)
    _ = try kit.disk.value(forKey: "k")
    #expect(try kit.dates("k").expiry == ExpirationDate.latest)
  }
}
