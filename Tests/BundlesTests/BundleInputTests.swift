import ClientKit
import Foundation
import NukeCache
import TestSupport
import Testing
import Text

@testable import Bundles
@testable import CacheBundleInstaller
@testable import CacheStore
@testable import Planning

/// What a cache folder may hold, and who else may be at work on it.
@Suite(.timeLimit(.minutes(10)))
struct BundleInputTests {
  private let temporary: TemporaryFolder
  private let cache: SampleCache

  init() throws {
    temporary = try TemporaryFolder()
    cache = SampleCache(temporary: temporary)
  }

  private func refusal(_ options: BundleOptions, _ path: String) -> ToolError.Kind? {
    do throws(ToolError) {
      _ = try BundleMaker(options).make(from: path)
      return nil
    } catch {
      return error.code.kind
    }
  }

  /// A folder without a ledger.
  private func plain(_ names: [String]) throws -> String {
    let path = temporary.file("plain").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    for name in names { try Data("picture \(name)".utf8).write(to: URL(fileURLWithPath: path + "/" + name)) }
    return path
  }

  @Test(arguments: [["aa", "AA"], ["é", "É"], ["a\nb"], ["a\\b"], ["a\u{7F}"]])
  func namesThatADeviceCannotHoldAreRefusedWhereTheBundleIsMade(names: [String]) throws {
    var options = cache.options("b.zip")
    options.client = CacheClient(name: "nuke", release: Release(NukeVersion.latest))
    #expect(try refusal(options, plain(names)) == .input)
    #expect(!FileManager.default.fileExists(atPath: options.output))
  }

  @Test func anEmptyFolderAndOneThatIsNotThere() throws {
    var options = cache.options("b.zip")
    options.client = CacheClient(name: "nuke", release: Release(NukeVersion.latest))
    #expect(try refusal(options, plain([])) == .input)
    #expect(refusal(options, temporary.file("none").path) == .input)
  }

  @Test func whatNeedsNoLedgerNeedsAClient() throws {
    #expect(try refusal(cache.options("b.zip"), plain(["aa"])) == .client)
  }

  @Test func aBundleDoesNotGoIntoTheCacheItself() throws {
    let path = try cache.write(["aa"])
    for output in [path, path + "/b.zip", path + "/x/../b.bundle"] {
      #expect(refusal(BundleOptions(output: output, format: .init(ofPath: output)), path) == .input)
    }
    #expect(try cache.names(in: URL(fileURLWithPath: path)) == ["aa"])
  }

  @Test(arguments: [
    ("nuke 12.9.0", "file:///srv/art/1.png"),
    ("kingfisher 8.11.0", "kingfisher.local.cacheKey///srv/art/1.png"),
  ])
  func keysThatArePathsOfThisMachineAreRefusedUnlessTheyAreAllowed(client: String, key: String) throws {
    let path = try cache.write(["aa", "bb"], client: client)
    let ledger = try LedgerWriter(path: StateFolder(cache: path).ledger)
    let row = try #require(try CacheListing(path).ledger["aa"])
    try ledger.record([
      LedgerEntry(
        file: row.file, sourceID: "s", identity: "i", size: row.size, digest: row.digest, modified: 1,
        sourceDigest: "",
        origin: EntryOrigin(
          client: client, job: "../app.job", key: key,
          source: "file:///srv/art/1.png",
          chain: "original", content: "original"))
    ])
    var options = cache.options("b.zip")
    #expect(throws: ToolError.self) { try BundleMaker(options).make(from: path) }
    do throws(ToolError) { _ = try BundleMaker(options).make(from: path) } catch {
      #expect(error.message.contains("1 entry has a path of this machine") && error.code.kind == .input)
      #expect(error.advice?.contains("--allow-local-keys") == true)
    }
    options.allowsLocalKeys = true
    #expect(try BundleMaker(options).make(from: path).files == 2)
  }

  @Test func aRunKeepsBundlesOffAndBundlesNotOneAnother() throws {
    let path = try cache.write(["aa"])
    let state = StateFolder(cache: path)
    let run = try RunLock(state, waits: false)
    #expect(refusal(cache.options("b.zip"), path) == .locked)
    _ = consume run
    let other = try RunLock(state, waits: false, isShared: true)
    #expect(refusal(cache.options("b.zip"), path) == nil)
    #expect(throws: StoreFailure.self) { _ = try RunLock(state, waits: false) }
    _ = consume other
  }

  @Test func twoVersionsGiveTheNewerAndTwoClientsNone() throws {
    var path = try cache.write(["aa"], client: "nuke 12.9.0")
    path = try cache.write(["bb"], client: "nuke 12.8.0")
    path = try cache.write(["cc"], client: "nuke 12.1.0")
    #expect(try BundleMaker(cache.options("b.zip")).make(from: path).client.description == "nuke 12.9.0")
    path = try cache.write(["dd"], client: "kingfisher 8.11.0")
    #expect(refusal(cache.options("b.zip"), path) == .client)
  }

  @Test func whatTheLedgerKnowsAndTheFolderHasNotIsTold() throws {
    let path = try cache.write(["aa", "bb"])
    try FileManager.default.removeItem(atPath: path + "/aa")
    #expect(throws: ToolError.self) { try BundleMaker(cache.options("b.zip")).make(from: path) }
  }

  @Test func kingfishersExpiryComesThrough() throws {
    let day = 86_400
    let target = temporary.file("device")
    let now = Date(timeIntervalSince1970: 1_800_000_000.5)
    for (expiry, date) in [
      ("\(7 * day)", 1_800_000_001 + 7 * day), ("@1900000000", 1_900_000_000), ("never", 2_145_830_400),
    ] {
      let path = try cache.write(["aa"], in: expiry, client: "kingfisher 8.11.0", expiry: expiry)
      let output = expiry.filter(\.isLetter) + "\(date).bundle"
      _ = try BundleMaker(cache.options(output)).make(from: path)
      let folder = target.appendingPathComponent(output)
      try BundleInstaller(folder: folder).install(temporary.file(output), now: now)
      let values = try FileManager.default.attributesOfItem(atPath: folder.path + "/aa")
      #expect(values[.modificationDate] as? Date == Date(timeIntervalSince1970: Double(date)))
    }
  }

  @Test func whatAKilledMakerLeftGoesAndWhatAnotherIsMakingStays() throws {
    let path = try cache.write(["aa"])
    _ = try BundleMaker(cache.options("b.zip")).make(from: path)
    let place = BundlePlace(output: temporary.file("b.zip"), calls: .system)
    let lock = try place.lock()
    let other = URL(fileURLWithPath: lock.path).lastPathComponent
    // The first two are of an earlier release.
    let left = ["4194999", "4194999-old", "dead", "dead-new", "dead-new-old"].map { ".b.zip.preheat-" + $0 }
    for name in left + [other + "-new", other + "-new-old"] {
      try Data("half".utf8).write(to: temporary.file(name))
    }
    _ = try BundleMaker(cache.options("b.zip")).make(from: path)
    let rest = try FileManager.default.contentsOfDirectory(atPath: temporary.path).filter {
      $0.hasPrefix(".")
    }
    #expect(rest.sorted() == [other, other + "-new", other + "-new-old"])
    #expect(try Data(contentsOf: temporary.file("b.zip")) != Data("half".utf8))
    _ = consume lock
    try place.removeAbandonedDrafts()
    #expect(try cache.names(in: temporary.url) == ["b.zip", "cache"])
  }

  @Test(arguments: ["b.zip", "b.bundle"])
  func makersOfOneNameAtOnceDoNotTakeEachOthersDrafts(output: String) async throws {
    let path = try cache.write(["aa", "bb"])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<16 {
        group.addTask { _ = try BundleMaker(cache.options(output)).make(from: path) }
      }
      try await group.waitForAll()
    }
    try SampleCache.proved(temporary.file(output))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: temporary.path).sorted() == [output, "cache"])
  }

  @Test func aFolderBundleReplacesAnOlderOne() throws {
    let path = try cache.write(["aa"])
    _ = try BundleMaker(cache.options("b.bundle")).make(from: path)
    _ = try cache.write(["bb"])
    _ = try BundleMaker(cache.options("b.bundle")).make(from: path)
    #expect(try CacheBundle(at: temporary.file("b.bundle")).checked(by: nil).index.entries.count == 2)
    #expect(try cache.names(in: temporary.url) == ["b.bundle", "cache"])
  }
}
