import Foundation
import TestSupport
import Testing

@testable import Bundles
@testable import CacheBundleInstaller
@testable import CacheStore

@Suite(.timeLimit(.minutes(10)))
struct BundleDeltaTests {
  private let temporary: TemporaryFolder
  private let cache: SampleCache
  private let target: URL

  init() throws {
    temporary = try TemporaryFolder()
    cache = SampleCache(temporary: temporary)
    target = temporary.file("Caches/com.example.catalog")
  }

  private func install(_ name: String) throws -> InstallReport {
    try BundleInstaller(folder: target).install(temporary.file(name))
  }

  /// Three states: a whole bundle, a delta, and a delta to what the delta leads to.
  private func makeChain() throws {
    let path = try cache.write(["aa", "bb"])
    _ = try BundleMaker(cache.options("0.zip")).make(from: path)
    _ = try cache.write(["cc"])
    try cache.remove(["aa"], from: path)
    _ = try BundleMaker(cache.options("1.zip", since: "0.zip")).make(from: path)
    _ = try cache.write(["bb"], edition: " better")
    _ = try cache.write(["dd"])
    let last = try BundleMaker(cache.options("2.zip", since: "1.zip")).make(from: path)
    #expect(last.files == 2 && last.unchanged == 1 && last.removed == 0)
  }

  @Test func deltasFollowOneAnother() throws {
    try makeChain()
    for name in ["0.zip", "1.zip", "2.zip"] { _ = try install(name) }
    #expect(try cache.names(in: target) == ["bb", "cc", "dd"])
    let better = try Data(contentsOf: target.appendingPathComponent("bb"))
    #expect(better == Data("picture bb better".utf8))
  }

  @Test func aDeltaThatSkipsOneIsRefusedAndChangesNothing() throws {
    try makeChain()
    _ = try install("0.zip")
    let failure = #expect(throws: BundleFailure.self) { try install("2.zip") }
    #expect(failure?.code == .base)
    #expect(try cache.names(in: target) == ["aa", "bb"])
    // The whole bundle of the newest state leads there from anywhere.
    let path = temporary.file("cache/com.example.catalog").path
    _ = try BundleMaker(cache.options("whole.zip")).make(from: path)
    #expect(try install("whole.zip").removed == 1)
    #expect(try cache.names(in: target) == ["bb", "cc", "dd"])
  }

  @Test func aWholeBundleAndADeltaLeadToOneId() throws {
    try makeChain()
    let path = temporary.file("cache/com.example.catalog").path
    let whole = try BundleMaker(cache.options("whole.zip")).make(from: path)
    #expect(CacheBundle.id(at: temporary.file("2.zip")) == whole.id)
  }

  @Test func aDeltaToTheSameStateIsEmptyAndInstalls() throws {
    let path = try cache.write(["aa", "bb"])
    _ = try BundleMaker(cache.options("0.zip")).make(from: path)
    let report = try BundleMaker(cache.options("same.bundle", since: "0.zip")).make(from: path)
    #expect(report.files == 0 && report.unchanged == 2)
    _ = try install("0.zip")
    #expect(try install("same.bundle").wasInstalled)
  }

  /// Kingfisher's dates are moved on by a delta that brings no byte.
  @Test func aDeltaProlongsWhatItLeavesOut() throws {
    let path = try cache.write(["aa"], client: "kingfisher 8.11.0", expiry: "100")
    _ = try BundleMaker(cache.options("0.zip")).make(from: path)
    _ = try cache.write(["aa"], client: "kingfisher 8.11.0", expiry: "5000")
    let delta = try BundleMaker(cache.options("1.zip", since: "0.zip")).make(from: path)
    #expect(delta.files == 0)
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    let installer = BundleInstaller(folder: target)
    try installer.install(temporary.file("0.zip"), now: now)
    try installer.install(temporary.file("1.zip"), now: now)
    let values = try FileManager.default.attributesOfItem(atPath: target.path + "/aa")
    #expect(values[.modificationDate] as? Date == now.addingTimeInterval(5000))
  }

  @Test func maxSizeCountsWhatIsInTheDelta() throws {
    let path = try cache.write(["aa", "bb"])
    _ = try BundleMaker(cache.options("0.zip")).make(from: path)
    _ = try cache.write(["cc", "dd"], priorities: ["dd": 1])
    var options = cache.options("1.zip", since: "0.zip")
    options.maxSize = 20
    #expect(try BundleMaker(options).make(from: path).files == 2)
    options.maxSize = 10
    #expect(throws: ToolError.self) { try BundleMaker(options).make(from: path) }
    options.drop = .sources
    let report = try BundleMaker(options).make(from: path)
    #expect(report.dropped == ["cc"] && report.unchanged == 2 && report.removed == 0)
    _ = try install("0.zip")
    _ = try install("1.zip")
    #expect(try cache.names(in: target) == ["aa", "bb", "dd"])
  }

  @Test func aStateOfAnotherCacheIsNoBase() throws {
    let path = try cache.write(["aa"])
    _ = try BundleMaker(cache.options("0.zip")).make(from: path)
    let other = try cache.write(["aa"], in: "k", client: "kingfisher 8.11.0")
    for since in ["0.zip", "none.zip"] {
      let failure = #expect(throws: ToolError.self) {
        try BundleMaker(cache.options("1.zip", since: since)).make(from: other)
      }
      #expect(failure?.code == .bundle(.since))
    }
  }
}
