import ClientKit
import Foundation
import TestSupport
import Testing

@testable import Bundles
@testable import CacheStore
@testable import CacheTools
@testable import FileStore

@Suite(.timeLimit(.minutes(10)))
struct VerifyTests {
  private let scene = ToolScene()
  private let picture = ToolScene.picture
  private let keys = ["https://e.com/1", "https://e.com/2", "https://e.com/3"]

  private func cache(client: String = "nuke 12.9.0", modified: Date? = nil, stamp: Date? = .distantFuture)
    throws -> String
  {
    try scene.cache(
      "c", Dictionary(uniqueKeysWithValues: keys.map { ($0, picture) }), client: client, modified: modified,
      stamp: stamp)
  }

  private func url(_ key: String) -> URL { scene.temporary.file("c/\(ToolScene.name(key))") }

  private func verify(
    _ path: String, decoding: Bool = false, client: CacheClient? = nil
  ) async throws -> VerifyReport {
    var verifier = CacheVerifier()
    verifier.renderer = decoding ? BuiltCommand.renderer.path : nil
    verifier.workers = 2
    verifier.client = client
    return try await verifier.verify(path)
  }

  private func codes(_ report: VerifyReport, _ key: String) -> Set<Finding.Code> {
    Set(report.findings.filter { $0.file == ToolScene.name(key) }.map(\.code))
  }

  @Test func aWholeCacheHasNoFindings() async throws {
    let report = try await verify(cache(), decoding: true)
    #expect(report.findings.isEmpty)
    #expect(report.files == 3 && report.decoded == 3 && report.digested == 3)
  }

  /// Whatever its size says; without a ledger it is larger than any picture may be.
  @Test func aFileThatHasGrownIsNotRead() async throws {
    let path = try cache()
    #expect(truncate(url(keys[0]).path, 3 << 30) == 0)
    let report = try await verify(path)
    #expect(codes(report, keys[0]).isSuperset(of: [.digest]) && report.bytes == 2 * picture.count)
    try FileManager.default.removeItem(atPath: path + ".preheat")
    let bare = try await verify(path, client: ToolScene.nuke)
    #expect(codes(bare, keys[0]) == [.undecodable] && bare.bytes == 2 * picture.count)
  }

  /// Small files go to a decoder in groups; what is said is of each file all the same.
  @Test func aBadPictureAmongManySmallOnesIsTheOnlyFinding() async throws {
    var broken = picture
    broken[broken.count / 2] ^= 0xff
    var entries = Dictionary(uniqueKeysWithValues: (0..<40).map { ("https://e.com/\($0)", picture) })
    entries["https://e.com/17"] = broken
    let report = try await verify(try scene.cache("c", entries), decoding: true)
    #expect(report.files == 40 && report.decoded == 39 && report.digested == 40)
    #expect(report.damagedFiles == [ToolScene.name("https://e.com/17")])
    #expect(codes(report, "https://e.com/17") == [.undecodable])
  }

  @Test func groupsAreBoundedInFilesAndBytes() {
    func file(_ size: Int) -> FileEntry {
      FileEntry(name: "a", size: size, allocatedSize: 0, accessDate: .now, modificationDate: .now)
    }
    func sizes(_ files: [Int]) -> [Int] { EntryCheck.batches(of: files.map(file)).map(\.count) }
    #expect(sizes([]) == [] && sizes([5]) == [1])
    #expect(sizes(Array(repeating: 1000, count: 70)) == [32, 32, 6])
    #expect(sizes([1000, 300_000, 1000, 300_000, 300_000]) == [1, 1, 1, 1, 1])
    #expect(sizes([100_000, 100_000, 100_000]) == [2, 1])
    #expect(sizes([FileEntry.largest, FileEntry.largest]) == [1, 1])
  }

  @Test func everyDamageHasItsName() async throws {
    let path = try cache()
    try picture.dropLast(30).write(to: url(keys[0]))
    try Data().write(to: url(keys[1]))
    try FileManager.default.removeItem(at: url(keys[2]))
    try Data("x".utf8).write(to: scene.temporary.file("c/README"))
    let report = try await verify(path)
    #expect(codes(report, keys[0]).isSuperset(of: [.digest, .truncated]))
    #expect(codes(report, keys[1]).contains(.empty))
    #expect(codes(report, keys[2]) == [.missing])
    #expect(report.damagedFiles == keys.map(ToolScene.name).sorted())
    let foreign = try #require(report.findings.first { $0.file == "README" })
    #expect(foreign.code == .foreign && !foreign.isDamage)
    #expect(report.findings.allSatisfy { $0.advice != nil && !$0.message.isEmpty })
  }

  @Test func aFlippedBitOfAPictureIsFoundByItsDigest() async throws {
    let path = try cache()
    let status = try CacheFileStatus(folder: path, name: ToolScene.name(keys[0]))
    var bytes = picture
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: url(keys[0]))
    #expect(status?.size == Int64(bytes.count))
    #expect(try await codes(verify(path), keys[0]).contains(.digest))
  }

  @Test func withoutALedgerTheDecoderFindsIt() async throws {
    let path = scene.path("bare")
    let files = try FileStore(folder: URL(fileURLWithPath: path))
    var bytes = picture
    for offset in 200..<220 { bytes[offset] ^= 0xFF }
    try files.write(bytes, as: ToolScene.name("a"))
    try files.write(picture, as: ToolScene.name("b"))
    let report = try await verify(path, decoding: true, client: ToolScene.nuke)
    #expect(report.damagedFiles == [ToolScene.name("a")] && report.decoded == 1)
    #expect(report.findings.contains { $0.code == .stamp && $0.file == nil })
  }

  @Test func anEntryUnderAnotherKeysNameIsFound() async throws {
    let path = try cache()
    let ledger = try LedgerWriter(path: StateFolder(cache: path).ledger)
    var row = try #require(try ledger.entry(file: ToolScene.name(keys[0])))
    row.origin.key = "https://e.com/else"
    try ledger.record([row])
    #expect(try await codes(verify(path), keys[0]) == [.name])
  }

  @Test func expiredEntriesAreNoDamage() async throws {
    let report = try await verify(
      cache(client: "kingfisher 8.11.0", modified: Date(timeIntervalSince1970: 1_700_000_000)))
    #expect(report.findings.map(\.code) == [.expired, .expired, .expired] && !report.isDamaged)
  }

  @Test func aCopyWithoutItsDatesIsNoticed() async throws {
    let path = try cache(stamp: Date(timeIntervalSince1970: 1))
    try FileStore(folder: URL(fileURLWithPath: path)).setDates(
      FileDates(modification: Date(timeIntervalSince1970: 1_700_000_000)), of: ToolScene.name(keys[0]))
    let report = try await verify(path)
    #expect(codes(report, keys[0]) == [.dates] && !report.isDamaged)
    #expect(report.findings.contains { $0.code == .stamp })
  }

  @Test func repairTakesOutWhatIsDamagedAndNothingElse() async throws {
    let path = try cache()
    try Data("x".utf8).write(to: url(keys[0]))
    try FileManager.default.removeItem(at: url(keys[1]))
    try Data("x".utf8).write(to: scene.temporary.file("c/README"))
    var report = try await verify(path)
    let removed = try await CacheRepair().remove(&report, CacheVerifier()).files
    #expect(removed == [keys[0], keys[1]].map(ToolScene.name).sorted())
    #expect(try scene.names("c") == ["README", ToolScene.name(keys[2])].sorted())
    #expect(try scene.rows("c").map(\.file) == [ToolScene.name(keys[2])])
    #expect(try await !verify(path).isDamaged)
  }

  @Test(arguments: ["b.zip", "b.bundle"])
  func bundlesOfAllFormsAreChecked(output: String) async throws {
    let path = try cache()
    let bundle = scene.temporary.file(output)
    _ = try BundleMaker(BundleOptions(output: bundle.path, format: .init(ofPath: output))).make(from: path)
    let whole = try await verify(bundle.path, decoding: true)
    #expect(whole.findings.isEmpty && whole.files == 3 && whole.decoded == 3)
    guard output != "b.bundle" else {
      let file = bundle.appendingPathComponent("files/\(ToolScene.name(keys[0]))")
      try picture.dropLast().write(to: file)
      #expect(try await verify(bundle.path).damagedFiles == [ToolScene.name(keys[0])])
      return
    }
    let bytes = try Data(contentsOf: bundle)
    try bytes.prefix(bytes.count * 2 / 3).write(to: bundle)
    #expect(try await verify(bundle.path).isDamaged)
  }

  @Test func eachEntryHasItsSizeItsKeyAndItsFate() throws {
    let cache = try scene.cache(
      "c", ["https://e.com/good": picture, "https://e.com/bad": Data("<html>".utf8)])
    try Data("notes".utf8).write(to: scene.temporary.file("c/README"))
    try picture.write(to: scene.temporary.file("c/\(ToolScene.name("https://e.com/other"))"))
    let inspection = try CacheInspection(of: cache)
    let byKey = Dictionary(inspection.entries.map { ($0.key ?? $0.file, $0) }) { first, _ in first }
    let good = try #require(byKey["https://e.com/good"])
    #expect(good.fate == .hit && good.format == .png && good.width == 256 && good.height == 256)
    #expect(good.size == picture.count && good.expires == nil && good.chain == "original")
    #expect(byKey["https://e.com/bad"]?.fate == .damaged)
    #expect(byKey["README"]?.fate == .foreign)
    #expect(byKey[ToolScene.name("https://e.com/other")]?.fate == .foreign)
    #expect(inspection.entries.map(\.file) == inspection.entries.map(\.file).sorted())
    #expect(inspection.client.description == "nuke 12.9.0" && inspection.sizeLimit == 157_286_400)
  }

  @Test func whatHasExpiredAndWhatTheNextSweepRemovesIsSaid() throws {
    let expiry = Date(timeIntervalSince1970: 2_000_000_000)
    let cache = try scene.cache(
      "k", ["a": picture, "b": picture, "c": picture], client: "kingfisher 7.12.0", modified: expiry)
    func inspect(_ limit: Int?, _ now: Date) throws -> CacheInspection {
      try CacheInspection(of: cache, sizeLimit: limit, now: now)
    }
    let fresh = try inspect(nil, expiry - 1)
    #expect(fresh.entries.count { $0.fate == .hit } == 3 && fresh.entries.first?.expires == expiry)
    // Down to half the limit: one is left.
    #expect(try inspect(2 * picture.count, expiry - 1).entries.count { $0.fate == .swept } == 2)
    #expect(try inspect(2 * picture.count, expiry).entries.count { $0.fate == .expired } == 3)
  }

  @Test(arguments: ["nuke 12.9.0", "kingfisher 8.11.0", "sdwebimage 5.21.5"])
  func whatASweepRemovesIsLostHereToo(client: String) throws {
    let cache = try scene.cache("c", ["https://e.com/1": picture], client: client, modified: .now)
    for days in [1, 370] {
      let now = Date(timeIntervalSinceNow: Double(days) * 86_400)
      var sweeper = CacheSweeper()
      (sweeper.now, sweeper.isDryRun) = (now, true)
      let lost = try CacheInspection(of: cache, now: now).entries.filter { $0.fate != .hit }
      #expect(try sweeper.sweep(cache).removed.map(\.file) == lost.map(\.file))
      #expect(lost.isEmpty == (days == 1 && client != "kingfisher 8.11.0" || client == "nuke 12.9.0"))
    }
  }

  @Test func aHeaderBehindALongProfileIsFound() throws {
    // SOI, then an APP2 segment of 65,533 bytes five times, then the rest of a real JPEG.
    let jpeg = try Fixtures.image("mountains.jpg")
    let segment = Data([0xFF, 0xE2, 0xFF, 0xFF]) + Data(count: 65_533)
    let long = jpeg.prefix(2) + segment + segment + segment + segment + segment + jpeg.dropFirst(2)
    let cache = try scene.cache("l", ["a": Data(long)])
    let entry = try #require(try CacheInspection(of: cache).entries.first)
    #expect(entry.width == 640 && entry.height == 480 && entry.fate == .hit)
  }

  @Test(arguments: InspectedEntry.Order.allCases) func orderIsTotal(order: InspectedEntry.Order) throws {
    let keys = (0..<20).map { ("k\($0)", $0 % 2 == 0 ? picture : Data("x\($0)".utf8)) }
    let cache = try scene.cache("o", Dictionary(uniqueKeysWithValues: keys))
    let entries = Array(try CacheInspection(of: cache).entries)
    #expect(order.sorted(entries.shuffled()) == order.sorted(entries))
    if order == .size { #expect(order.sorted(entries)[0].size == picture.count) }
  }

  @Test func aFolderThatIsNoneIsNamed() throws {
    let error = #expect(throws: ToolError.self) { try CacheInspection(of: scene.path("nowhere")) }
    #expect(error?.code == .cache(.input) && error?.message.contains("nowhere") == true)
  }
}
