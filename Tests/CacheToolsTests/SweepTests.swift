import ClientKit
import ClientRegistry
import Foundation
import KingfisherCache
import NukeCache
import Planning
import Testing
import Text

@testable import CacheStore
@testable import CacheTools
@testable import Digests
@testable import FileStore

/// The tool and the client's own library, which know nothing of each other, leave the same files.
@Suite(.timeLimit(.minutes(10)))
struct SweepTests {
  private let scene = ToolScene()
  private static let start = Date(timeIntervalSince1970: 1_760_000_000)

  /// 2,000 files of several sizes with dates in an order that has nothing to do with names, some of them equal.
  private func fill(_ path: String, hashLength: Int, modified: (Int) -> Date) throws {
    let files = try FileStore(folder: URL(fileURLWithPath: path))
    for index in 0..<2000 {
      let digest = SHA256.hexadecimal(of: "\(index)")
      let access = Self.start.addingTimeInterval(Double((index * 7919) % 1000))
      try files.write(
        Data(count: 1 + (index * 37) % 9000), as: String(digest.prefix(hashLength)),
        dates: FileDates(access: access, modification: modified(index)))
    }
  }

  @Test func nukesOwnSweepLeavesTheSameFiles() throws {
    for name in ["a", "b"] {
      try fill(scene.path(name), hashLength: 40) { _ in Self.start }
      try FileManager.default.createDirectory(
        atPath: scene.path("\(name)/folder"), withIntermediateDirectories: true)
    }
    // Without one nothing but files with Nuke's names would count.
    _ = try scene.cache("b", [:], stamp: nil)
    let cache = try DataCache(path: URL(fileURLWithPath: scene.path("a")))
    cache.sizeLimit = 6_000_000
    cache.sweep()
    var sweeper = CacheSweeper()
    sweeper.client = ToolScene.nuke
    sweeper.sizeLimit = 6_000_000
    let report = try sweeper.sweep(scene.path("b"))
    let survivors = try scene.names("a")
    #expect(try scene.names("b") == survivors)
    #expect(survivors.count > 100 && survivors.count < 1900)
    #expect(report.filesBefore == 2001 && report.filesBefore - report.removed.count == survivors.count)
    // Below the limit nothing goes, although it is above 70 % of it.
    sweeper.sizeLimit = report.bytesBefore - report.bytesRemoved
    #expect(try sweeper.sweep(scene.path("b")).removed.isEmpty)
  }

  @Test(arguments: ["nuke 12.9.0", "kingfisher 8.11.0", "sdwebimage 5.21.5"])
  func aFolderWithoutALedgerLosesNothingOfTheUsers(client: String) throws {
    let folder = scene.temporary.file("home")
    let files = try FileStore(folder: folder)
    let old = FileDates(access: Self.start, modification: Self.start)
    let own = try #require(ClientRegistry.client(client)).fileName(ofKey: "https://e.com/1")
    for name in ["notes.txt", "photo.jpg", "da39a3ee", own] {
      try files.write(Data(count: 9000), as: name, dates: old)
    }
    try FileStore(folder: folder.appendingPathComponent("deep")).write(Data(count: 9000), as: own, dates: old)
    var sweeper = CacheSweeper()
    (sweeper.client, sweeper.sizeLimit) = (ClientRegistry.client(client), 1)
    #expect(try sweeper.sweep(folder.path).removed.map(\.file) == [own])
    #expect(try scene.names("home") == ["da39a3ee", "deep", "notes.txt", "photo.jpg"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/deep") == [own])
  }

  @Test func kingfishersOwnCleaningLeavesTheSameFiles() throws {
    let prefix = DiskStorage.Config.folderNamePrefix
    let now = Date()
    for name in ["a", "b"] {
      try fill(scene.path("\(prefix)\(name)"), hashLength: 64) { index in
        now.addingTimeInterval(index % 10 == 3 ? -1000 : 100_000)
      }
    }
    let storage = try DiskStorage.Backend(
      config: DiskStorage.Config(name: "a", directory: scene.temporary.url))
    storage.config.sizeLimit = 5_000_000
    try storage.removeExpiredValues()
    try storage.removeSizeExceededValues()
    var sweeper = CacheSweeper()
    sweeper.client = CacheClient(name: "kingfisher", release: Release(KingfisherVersion.latest))
    sweeper.sizeLimit = 5_000_000
    let report = try sweeper.sweep(scene.path("\(prefix)b"))
    let survivors = try scene.names("\(prefix)a")
    #expect(try scene.names("\(prefix)b") == survivors)
    #expect(survivors.count > 100)
    #expect(report.removed.filter { $0.reason == "expired" }.count == 200)
    #expect(report.removed.contains { $0.reason == "size" })
  }

  @Test func aDryRunRemovesNothingAndTheLedgerFollowsARealOne() throws {
    let keys = (0..<5).map { "https://e.com/\($0)" }
    let cache = try scene.cache(
      "c", Dictionary(uniqueKeysWithValues: keys.map { ($0, Data(count: 100)) }), client: "kingfisher 8.11.0",
      modified: Self.start)
    var sweeper = CacheSweeper()
    sweeper.now = Self.start.addingTimeInterval(-1)
    #expect(try sweeper.sweep(cache).removed.isEmpty)
    sweeper.now = Self.start
    sweeper.isDryRun = true
    #expect(try sweeper.sweep(cache).removed.count == 5)
    #expect(try scene.names("c").count == 5 && scene.rows("c").count == 5)
    sweeper.isDryRun = false
    let removed = try sweeper.sweep(cache).removed
    #expect(Set(removed.compactMap(\.key)) == Set(keys))
    #expect(try scene.names("c").isEmpty && scene.rows("c").isEmpty)
  }

  @Test func aRunOnTheSameCacheKeepsTheSweepOut() throws {
    let cache = try scene.cache("c", ["k": Data(count: 1)])
    let lock = try RunLock(StateFolder(cache: cache), waits: false)
    let error = #expect(throws: StoreFailure.self) { try CacheSweeper().sweep(cache) }
    #expect(error?.code == .locked)
    _ = consume lock
    #expect(try CacheSweeper().sweep(cache).removed.isEmpty)
  }

  @Test func aCacheOfNobodyNeedsAClient() throws {
    try fill(scene.path("d"), hashLength: 40) { _ in Self.start }
    let error = #expect(throws: ToolError.self) { try CacheSweeper().sweep(scene.path("d")) }
    #expect(error?.code == .cache(.client) && error?.advice?.contains("--client") == true)
    #expect(!FileManager.default.fileExists(atPath: scene.path("d.preheat")))
  }
}
