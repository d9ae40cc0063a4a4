import Foundation
import TestSupport
import Testing

@testable import Digests
@testable import KingfisherCache

/// Files as Kingfisher writes and reads them.
@Suite(.timeLimit(.minutes(10)))
struct DiskStorageTests {
  let kit: CacheKit
  let data = Data("image".utf8)

  init() throws { kit = try CacheKit() }

  @Test func theDefaultsAreThoseOfKingfisher() {
    let config = DiskStorage.Config(name: "n")
    #expect(config.sizeLimit == 0)
    #expect(config.expiration == .days(7))
    #expect(config.pathExtension == nil)
    #expect(config.usesHashedFileName && !config.autoExtAfterHashedFileName)
    #expect((try? config.folder())?.lastPathComponent == "com.onevcat.Kingfisher.ImageCache.n")
  }

  @Test func aFileIsNamedByTheDigestOfItsKeyInTheFolderOfTheCache() throws {
    try kit.disk.store(value: data, forKey: "https://example.com/a.png")
    #expect(
      kit.disk.directoryURL.path == kit.temporary.path + "/com.onevcat.Kingfisher.ImageCache.test")
    #expect(try kit.names == [SHA256.hexadecimal(of: "https://example.com/a.png")])
    let old = try CacheKit(version: KingfisherVersion(7, 12, 0))
    #expect(try old.disk.cacheFileName(forKey: "k") == MD5.hexadecimal(of: "k"))
  }

  @Test func aFileCanBeReadByEverybodyAndLiesThereWhole() throws {
    try kit.disk.store(value: data, forKey: "k")
    let file = try kit.file("k")
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    #expect(mode.map { $0 & 0o444 } == 0o444)
    #expect(try Data(contentsOf: file) == data)
    #expect(try kit.disk.value(forKey: "k") == data)
  }

  @Test func theModificationDateIsTheExpiryRoundedUp() throws {
    kit.clock.advance(by: 0.5)
    try kit.disk.store(value: data, forKey: "week")
    try kit.disk.store(value: data, forKey: "ten", expiration: .seconds(10))
    #expect(try kit.dates("week").expiry == TestClock.start.addingTimeInterval(7 * 86_400 + 1))
    #expect(try kit.dates("ten").expiry == TestClock.start.addingTimeInterval(11))
    #expect(try kit.dates("ten").lastAccess == TestClock.start.addingTimeInterval(1))
    try kit.disk.store(value: data, forKey: "never", expiration: .never)
    #expect(try kit.dates("never").expiry == ExpirationDate.never)
  }

  @Test(arguments: [StorageExpiration.expired, .seconds(0), .days(-1)])
  func nothingIsWrittenThatWouldBeExpired(expiration: StorageExpiration) throws {
    try kit.disk.store(value: data, forKey: "k", expiration: expiration)
    #expect(try kit.names.isEmpty)
  }

  @Test func anExpiredFileIsAMissAndStaysUntilItIsCleaned() throws {
    try kit.disk.store(value: data, forKey: "k", expiration: .seconds(10))
    kit.clock.advance(by: 9)
    #expect(kit.disk.isCached(forKey: "k"))
    #expect(!kit.disk.isCached(forKey: "k", referenceDate: kit.clock.now.addingTimeInterval(1)))
    kit.clock.advance(by: 1)
    #expect(!kit.disk.isCached(forKey: "k"))
    #expect(try kit.disk.value(forKey: "k") == nil)
    #expect(try kit.names.count == 1)
  }

  @Test func theYear4001IsAHit() throws {
    try kit.plant(data, "k", expiry: .distantFuture)
    #expect(kit.disk.isCached(forKey: "k"))
    #expect(try kit.disk.value(forKey: "k") == data)
    #expect(kit.disk.isCached(forKey: "k"))
  }

  @Test func extensionsOfNamesFollowTheConfiguration() throws {
    let key = "https://e.com/a.png"
    let hash = SHA256.hexadecimal(of: key)
    kit.disk.config.autoExtAfterHashedFileName = true
    #expect(try kit.disk.cacheFileName(forKey: key) == hash + ".png")
    kit.disk.config.pathExtension = "img"
    #expect(try kit.disk.cacheFileName(forKey: key) == hash + ".img")
    #expect(try kit.disk.cacheFileName(forKey: key, forcedExtension: "jpg") == hash + ".jpg")
    kit.disk.config.usesHashedFileName = false
    #expect(try kit.disk.cacheFileName(forKey: "plain") == "plain.img")
  }

  @Test func aNameWithASlashIsRefusedAndMissed() throws {
    kit.disk.config.usesHashedFileName = false
    let key = "https://e.com/a.png"
    #expect(throws: KingfisherError.self) { try kit.disk.store(value: data, forKey: key) }
    #expect(!kit.disk.isCached(forKey: key))
    #expect(try kit.disk.value(forKey: key) == nil)
    try kit.disk.remove(forKey: key)
  }

  @Test func bothNamesOfAForcedExtensionAreWrittenWhereAVersionNeedsBoth() throws {
    let old = try CacheKit(version: KingfisherVersion(8, 7, 0))
    try old.disk.store(value: data, forKey: "k", forcedExtension: "jpg")
    let hash = SHA256.hexadecimal(of: "k")
    #expect(try old.names == [hash, hash + ".jpg"])
    try old.disk.remove(forKey: "k", forcedExtension: "jpg")
    #expect(try old.names.isEmpty)
  }

  @Test func aLinkThatLeadsNowhereIsNoEntry() throws {
    let file = try kit.file("k").path
    for destination in [file, file + ".none"] {
      try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: destination)
      #expect(try kit.disk.value(forKey: "k") == nil)
      try kit.disk.remove(forKey: "k")
    }
  }

  @Test func aStorageWithoutAFolderSaysThatItIsNotReady() async throws {
    let file = kit.temporary.file("in the way")
    try Data().write(to: file)
    #expect(throws: KingfisherError.self) {
      try ImageCache(name: "n", cacheDirectoryURL: file)
    }
    let config = DiskStorage.Config(name: "n", directory: file)
    let cache = ImageCache(memoryStorage: .init(), diskStorage: .init(noThrowConfig: config))
    let result = await cache.store(.png(), forKey: "k")
    #expect(throws: KingfisherError.self) { try result.diskCacheResult.get() }
    #expect(cache.imageCachedType(forKey: "k") == .memory)
    await #expect(throws: KingfisherError.self) { try await cache.retrieveImageInDiskCache(forKey: "k") }
  }

  @Test func aFolderListedOnceDoesNotSeeWhatCameLater() throws {
    let kit = try CacheKit(listsFilesOnce: true)
    try kit.plant(data, "later")
    #expect(!kit.disk.isCached(forKey: "later"))
    try kit.disk.store(value: data, forKey: "own")
    #expect(kit.disk.isCached(forKey: "own"))
    let next = try DiskStorage.Backend(config: kit.disk.config, now: kit.clock.read)
    #expect(next.isCached(forKey: "later"))
    try next.remove(forKey: "later")
    #expect(!next.isCached(forKey: "later"))
  }

  @Test func beforeTheListingEveryLookIsAtTheDisk() throws {
    let kit = try CacheKit(version: KingfisherVersion(5, 14, 0), listsFilesOnce: true)
    try kit.plant(data, "later")
    #expect(kit.disk.isCached(forKey: "later"))
  }
}
