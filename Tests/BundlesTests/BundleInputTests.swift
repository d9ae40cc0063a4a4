import ClientKit
import ClientRegistry
import FileStore
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
/// When the app's size limit strikes, the urgent entries are the last to go.
@Suite(.timeLimit(.minutes(10)))
struct BundleInputTests {
  private let cache = SampleCache()
  private var temporary: TemporaryFolder { cache.temporary }

  private let nuke = CacheClient(name: "nuke", release: Release(NukeVersion.latest))

  /// A folder without a ledger.
  private func plain(_ names: [String]) throws -> String {
    let path = temporary.file("plain").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    for name in names { try Data("picture \(name)".utf8).write(to: URL(fileURLWithPath: path + "/" + name)) }
    return path
  }

  @Test(arguments: [["aa", "AA"], ["é", "É"], ["a\nb"], ["a\\b"], ["a\u{7F}"]])
  func namesThatADeviceCannotHoldAreRefusedWhereTheBundleIsMade(names: [String]) throws {
    let path = try plain(names)
    #expect(cache.refusal("b.zip", from: path) { $0.client = nuke }?.code.kind == .input)
    #expect(!FileManager.default.fileExists(atPath: temporary.file("b.zip").path))
  }

  @Test func anEmptyFolderOneThatIsNotThereAndOneOfNobody() throws {
    let path = try plain([])
    for path in [path, temporary.file("none").path] {
      #expect(cache.refusal("b.zip", from: path) { $0.client = nuke }?.code.kind == .input)
    }
    // What needs no ledger needs a client.
    #expect(cache.refusal("b.zip", from: try plain(["aa"]))?.code.kind == .client)
  }

  @Test func aBundleDoesNotGoIntoTheCacheItself() throws {
    let path = try cache.write(["aa"])
    for output in [path, path + "/b.zip", path + "/x/../b.bundle"] {
      let failure = cache.refusal("b.zip", from: path) {
        $0 = .init(output: output, format: .init(ofPath: output))
      }
      #expect(failure?.code.kind == .input)
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
    let error = try #require(cache.refusal("b.zip", from: path))
    #expect(error.message.contains("1 entry has a path of this machine") && error.code.kind == .input)
    #expect(error.advice?.contains("--allow-local-keys") == true)
    #expect(try cache.make("b.zip", from: path) { $0.allowsLocalKeys = true }.files == 2)
  }

  @Test func aRunKeepsBundlesOffAndBundlesNotOneAnother() throws {
    let path = try cache.write(["aa"])
    let state = StateFolder(cache: path)
    let run = try RunLock(state, waits: false)
    #expect(cache.refusal("b.zip", from: path)?.code.kind == .locked)
    _ = consume run
    let other = try RunLock(state, waits: false, isShared: true)
    #expect(cache.refusal("b.zip", from: path) == nil)
    #expect(throws: StoreFailure.self) { _ = try RunLock(state, waits: false) }
    _ = consume other
  }

  @Test func twoVersionsGiveTheNewerAndTwoClientsNone() throws {
    var path = try cache.write(["aa"], client: "nuke 12.9.0")
    path = try cache.write(["bb"], client: "nuke 12.8.0")
    path = try cache.write(["cc"], client: "nuke 12.1.0")
    #expect(try cache.make("b.zip", from: path).client.description == "nuke 12.9.0")
    path = try cache.write(["dd"], client: "kingfisher 8.11.0")
    #expect(cache.refusal("b.zip", from: path)?.code.kind == .client)
  }

  @Test func whatTheLedgerKnowsAndTheFolderHasNotIsTold() throws {
    let path = try cache.write(["aa", "bb"])
    try FileManager.default.removeItem(atPath: path + "/aa")
    #expect(cache.refusal("b.zip", from: path) != nil)
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
      try cache.make(output, from: path)
      let folder = target.appendingPathComponent(output)
      try BundleInstaller(folder: folder).install(temporary.file(output), now: now)
      let values = try FileManager.default.attributesOfItem(atPath: folder.path + "/aa")
      #expect(values[.modificationDate] as? Date == Date(timeIntervalSince1970: Double(date)))
    }
  }

  @Test func whatAKilledMakerLeftGoesAndWhatAnotherIsMakingStays() throws {
    let path = try cache.write(["aa"])
    try cache.make("b.zip", from: path)
    let place = BundlePlace(output: temporary.file("b.zip"), calls: .system)
    let lock = try place.lock()
    let other = URL(fileURLWithPath: lock.path).lastPathComponent
    // The first two are of an earlier release.
    let left = ["4194999", "4194999-old", "dead", "dead-new", "dead-new-old"].map { ".b.zip.preheat-" + $0 }
    for name in left + [other + "-new", other + "-new-old"] {
      try Data("half".utf8).write(to: temporary.file(name))
    }
    try cache.make("b.zip", from: path)
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
        group.addTask { try cache.make(output, from: path) }
      }
      try await group.waitForAll()
    }
    try SampleCache.proved(temporary.file(output))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: temporary.path).sorted() == [output, "cache"])
  }

  @Test func aFolderBundleReplacesAnOlderOne() throws {
    let path = try cache.write(["aa"])
    try cache.make("b.bundle", from: path)
    _ = try cache.write(["bb"])
    try cache.make("b.bundle", from: path)
    #expect(try CacheBundle(at: temporary.file("b.bundle")).checked(by: nil).index.entries.count == 2)
    #expect(try cache.names(in: temporary.url) == ["b.bundle", "cache"])
  }

  private static let clients = ["nuke 12.9.0", "nuke 10.0.0", "kingfisher 8.11.0", "kingfisher 5.0.0"]
  /// In the order of their names, which is not that of their urgency.
  private static let priorities = ["aa": -2, "bb": 0, "cc": 2, "dd": -1, "ee": 1, "ff": 0]

  private func client(_ text: String) throws -> any ImageClient {
    try #require(ClientRegistry.client(text).flatMap { ClientRegistry.make($0) })
  }

  /// What the client's own sweep leaves, where its limit is half of what is there.
  private func survivors(_ folder: URL, _ client: any ImageClient) throws -> Set<String> {
    let files = try FileStore(folder: folder)
    let swept = try client.folder.sweptFiles(in: files, files.entries())
    let total = swept.reduce(0) { $0 + client.folder.size($1) }
    let victims = client.victims(among: swept, sizeLimit: total * 3 / 4, now: Date())
    #expect(!victims.isEmpty && victims.allSatisfy { $0.reason == .size })
    return Set(swept.map(\.path)).subtracting(victims.map(\.file.path))
  }

  private func expectUrgent(_ left: Set<String>, _ client: String) throws {
    let kept = try #require(left.map { Self.priorities[$0] ?? -9 }.min())
    let gone = Self.priorities.keys.filter { !left.contains($0) }.map { Self.priorities[$0] ?? 9 }
    #expect(left.contains("cc") && left.count < Self.priorities.count, "\(client)")
    #expect(gone.allSatisfy { $0 <= kept }, "\(client): \(left.sorted()) are left")
  }

  @Test(arguments: clients)
  func anInstalledBundleLosesItsLeastUrgentEntries(name: String) throws {
    let client = try client(name)
    let sample = SampleCache(temporary: temporary)
    let cache = try sample.write(
      Self.priorities.keys.sorted(), in: "cache", client: name, priorities: Self.priorities, expiry: "never")
    _ = try BundleMaker(sample.options("b.zip")).make(from: cache)
    let target = temporary.file("Caches/com.example.catalog")
    try BundleInstaller(folder: target).install(temporary.file("b.zip"))
    try expectUrgent(try survivors(target, client), name)
    let index = try CacheBundle(at: temporary.file("b.zip")).checked(by: nil).index
    #expect(index.rules.eviction.rawValue == client.folder.eviction.rawValue)
  }

  /// The files of a run were written in the order of their urgency, which is the wrong one for a sweep by age.
  @Test(arguments: clients)
  func aFinishedCacheLosesItsLeastUrgentEntries(name: String) throws {
    let client = try client(name)
    let files = try FileStore(folder: temporary.file("run"))
    let urgentFirst = Self.priorities.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
    for file in urgentFirst { try files.write(Data("a picture".utf8), as: file) }
    let entries = Self.priorities.map {
      ($0, .encoded, .never, $1) as FinishedEntry
    }
    let date = RunDate(start: Date())
    let upkeep = client.upkeep(found: try files.listing(), at: date) { entries.forEach($0) }
    for (file, dates) in upkeep.dates { try files.setDates(dates, of: file) }
    for file in try files.entries() where file.name.hasPrefix(".") { try files.remove(file.name) }
    try expectUrgent(try survivors(files.folder, client), name)
    let again = client.upkeep(found: try files.listing(), at: date) { entries.forEach($0) }
    #expect(again.dates.isEmpty, "a cache that is right is left alone")
  }
}
