import Foundation
import TestSupport
import Testing

@testable import CacheStore
@testable import CacheTools

@Suite(.timeLimit(.minutes(10)))
struct InspectTests {
  private let scene: ToolScene
  private let picture: Data

  init() throws {
    scene = try ToolScene()
    picture = try #require(ToolScene.picture)
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
    var options = CacheInspection.Options()
    options.now = expiry.addingTimeInterval(-1)
    let fresh = try CacheInspection(of: cache, options: options)
    #expect(fresh.entries.count { $0.fate == .hit } == 3 && fresh.entries.first?.expires == expiry)
    options.sizeLimit = 2 * picture.count
    // Down to half the limit: one is left.
    #expect(try CacheInspection(of: cache, options: options).entries.count { $0.fate == .swept } == 2)
    options.now = expiry
    #expect(try CacheInspection(of: cache, options: options).entries.count { $0.fate == .expired } == 3)
  }

  @Test(arguments: ["nuke 12.9.0", "kingfisher 8.11.0", "sdwebimage 5.21.5"])
  func whatASweepRemovesIsLostHereToo(client: String) throws {
    let cache = try scene.cache("c", ["https://e.com/1": picture], client: client, modified: .now)
    for days in [1, 370] {
      let now = Date(timeIntervalSinceNow: Double(days) * 86_400)
      var (inspecting, sweeping) = (CacheInspection.Options(), SweepOptions())
      (inspecting.now, sweeping.now, sweeping.isDryRun) = (now, now, true)
      let lost = try CacheInspection(of: cache, options: inspecting).entries.filter { $0.fate != .hit }
      #expect(try CacheSweeper(sweeping).sweep(cache).removed.map(\.file) == lost.map(\.file))
      #expect(lost.isEmpty == (days == 1 && client != "kingfisher 8.11.0" || client == "nuke 12.9.0"))
    }
  }

  @Test func aHeaderBehindALongProfileIsFound() throws {
    // SOI, then an APP2 segment of 65,533 bytes five times, then the rest of a real JPEG.
    let jpeg = try Data(contentsOf: Fixtures.folder.appendingPathComponent("images/mountains.jpg"))
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
