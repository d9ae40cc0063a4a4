import Foundation
import Testing

@testable import Digests
@testable import FileStore
@testable import KingfisherCache

/// Files as Kingfisher writes, reads and cleans them.
@Suite(.timeLimit(.minutes(10)))
struct DiskStorageTests {
  let kit: CacheKit
  let data = Data("image".utf8)

  init() throws { kit = try CacheKit() }

  private func expiry(_ key: String) throws -> TimeInterval {
    try kit.entry(key).modificationDate.timeIntervalSince(TestClock.start)
  }

  @Test func aFileIsNamedByTheDigestOfItsKeyInTheFolderOfTheCache() throws {
    let key = "https://example.com/a.png"
    try kit.disk.store(value: data, forKey: key)
    #expect(try kit.names == [SHA256.hexadecimal(of: key)])
    kit.disk.config.pathExtension = "img"
    try kit.disk.store(value: data, forKey: key)
    #expect(try kit.names.last == SHA256.hexadecimal(of: key) + ".img")
    let old = try CacheKit(version: KingfisherVersion(7, 12, 0))
    try old.disk.store(value: data, forKey: "k")
    #expect(try old.names == [MD5.hexadecimal(of: "k")])
    #expect(old.disk.config.expiration == .days(7) && old.disk.config.sizeLimit == 0)
  }

  @Test func theModificationDateIsTheExpiryRoundedUp() throws {
    kit.clock.advance(by: 0.5)
    try kit.disk.store(value: data, forKey: "week")
    try kit.disk.store(value: data, forKey: "ten", expiration: .seconds(10))
    #expect(try expiry("week") == 7 * 86_400 + 1 && expiry("ten") == 11)
    for expiration: StorageExpiration in [.expired, .seconds(0), .days(-1)] {
      try kit.disk.store(value: data, forKey: "k", expiration: expiration)
    }
    #expect(try kit.names.count == 2, "nothing is written that would be expired")
  }

  @Test func anExpiredFileIsAMissAndStaysUntilItIsCleaned() throws {
    try kit.disk.store(value: data, forKey: "k", expiration: .seconds(10))
    kit.clock.advance(by: 9)
    #expect(kit.disk.isCached(forKey: "k"))
    #expect(!kit.disk.isCached(forKey: "k", referenceDate: kit.clock.now.addingTimeInterval(1)))
    kit.clock.advance(by: 1)
    #expect(try !kit.disk.isCached(forKey: "k") && kit.disk.value(forKey: "k") == nil)
    #expect(try kit.names.count == 1)
    try kit.disk.removeExpiredValues()
    #expect(try kit.names.isEmpty)
  }

  @Test func aLoadBeginsThePeriodAgainAndALookDoesNot() throws {
    try kit.disk.store(value: data, forKey: "k", expiration: .seconds(100))
    for _ in 0..<5 {
      kit.clock.advance(by: 99)
      #expect(kit.disk.isCached(forKey: "k"))
      #expect(try kit.disk.value(forKey: "k") == data)
    }
    #expect(try expiry("k") == 5 * 99 + 100)
    kit.clock.advance(by: 100)
    #expect(try kit.disk.value(forKey: "k") == nil)
    try kit.plant(data, "far", expiry: .distantFuture)
    #expect(try kit.disk.value(forKey: "far") == data && kit.disk.isCached(forKey: "far"))
    // As a bundle's file on a device: its creation is the moment of its unpacking.
    let end = Date(timeIntervalSince1970: 2_145_830_400)
    try kit.plant(data, "foreign", expiry: end)
    let period = end.timeIntervalSince(try kit.entry("foreign").lastUse)
    _ = try kit.disk.value(forKey: "foreign")
    #expect(
      try kit.entry("foreign").modificationDate == kit.clock.now.addingTimeInterval(period).roundedUpToSecond)
  }

  @Test(arguments: [(401, ["a", "b", "c", "d"]), (400, ["a", "d"]), (399, ["a"]), (199, [])])
  func atTheLimitWhatWasUsedLastStays(limit: Int, expected: [String]) throws {
    let keys = ["a", "b", "c", "d"]
    for key in keys {
      try kit.disk.store(value: Data(count: 100), forKey: key)
      kit.clock.advance(by: 10)
    }
    _ = try kit.disk.value(forKey: "a")
    kit.disk.config.sizeLimit = limit
    try kit.disk.removeSizeExceededValues()
    #expect(keys.filter { kit.disk.isCached(forKey: $0) } == expected)
  }

  @Test func foreignFilesAreEntriesTooAndHiddenOnesAreNot() throws {
    for name in ["manifest.json", ".hidden", "sub/deep.bin"] {
      let file = kit.folder.appendingPathComponent(name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(count: 10).write(to: file)
    }
    kit.clock.advance(by: 100 * 365 * 86_400)
    #expect(try kit.disk.totalSize() == 20)
    try kit.disk.removeExpiredValues()
    #expect(try kit.names == [".hidden", "sub"])
  }

  @Test func aNameWithASlashIsRefusedAndMissed() throws {
    kit.disk.config.pathExtension = "a/b"
    #expect(throws: KingfisherError.self) { try kit.disk.store(value: data, forKey: "k") }
    #expect(try !kit.disk.isCached(forKey: "k") && kit.disk.value(forKey: "k") == nil)
    try kit.disk.remove(forKey: "k")
  }

  @Test func aLinkThatLeadsNowhereIsNoEntry() throws {
    let file = kit.folder.appendingPathComponent(try kit.name("k")).path
    for destination in [file, file + ".none"] {
      try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: destination)
      #expect(try kit.disk.value(forKey: "k") == nil)
      try kit.disk.remove(forKey: "k")
    }
  }

  @Test func aStorageWithoutAFolderSaysSoAtEachCall() async throws {
    let file = kit.temporary.file("in the way")
    try Data().write(to: file)
    #expect(throws: KingfisherError.self) { try ImageCache(name: "n", cacheDirectoryURL: file) }
    let cache = ImageCache(
      memoryStorage: .init(), diskStorage: .init(DiskStorage.Config(name: "n", directory: file)))
    let image = try KFCrossPlatformImage.png()
    let result = await kit.value { done in cache.store(image, forKey: "k") { done($0) } }
    #expect(throws: KingfisherError.self) { try result.diskCacheResult.get() }
    #expect(cache.imageCachedType(forKey: "k") == .memory)
  }
}
