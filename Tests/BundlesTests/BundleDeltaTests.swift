import Foundation
import Planning
import TestSupport
import Testing
import Text

@testable import Bundles
@testable import CacheBundleInstaller

/// What is left out where a bundle must be smaller.
@Suite(.timeLimit(.minutes(10)))
struct BundleDeltaTests {
  private let cache = SampleCache()
  private var temporary: TemporaryFolder { cache.temporary }
  private var target: URL { temporary.file("Caches/com.example.catalog") }

  private func install(_ name: String) throws -> InstallReport {
    try BundleInstaller(folder: target).install(temporary.file(name))
  }

  /// Three states: a whole bundle, a delta, and a delta to what the delta leads to.
  private func makeChain() throws {
    let path = try cache.write(["aa", "bb"])
    try cache.make("0.zip", from: path)
    _ = try cache.write(["cc"])
    try cache.remove(["aa"], from: path)
    try cache.make("1.zip", from: path, since: "0.zip")
    _ = try cache.write(["bb"], edition: " better")
    _ = try cache.write(["dd"])
    let last = try cache.make("2.zip", from: path, since: "1.zip")
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
    let whole = try cache.make("whole.zip", from: path)
    #expect(CacheBundle.id(at: temporary.file("2.zip")) == whole.id)
    #expect(try install("whole.zip").removed == 1)
    #expect(try cache.names(in: target) == ["bb", "cc", "dd"])
  }

  @Test func aDeltaToTheSameStateIsEmptyAndInstalls() throws {
    let path = try cache.write(["aa", "bb"])
    try cache.make("0.zip", from: path)
    let report = try cache.make("same.bundle", from: path, since: "0.zip")
    #expect(report.files == 0 && report.unchanged == 2)
    _ = try install("0.zip")
    #expect(try install("same.bundle").wasInstalled)
  }

  /// Kingfisher's dates are moved on by a delta that brings no byte.
  @Test func aDeltaProlongsWhatItLeavesOut() throws {
    let path = try cache.write(["aa"], client: "kingfisher 8.11.0", expiry: "100")
    try cache.make("0.zip", from: path)
    _ = try cache.write(["aa"], client: "kingfisher 8.11.0", expiry: "5000")
    let delta = try cache.make("1.zip", from: path, since: "0.zip")
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
    try cache.make("0.zip", from: path)
    _ = try cache.write(["cc", "dd"], priorities: ["dd": 1])
    #expect(try cache.make("1.zip", from: path, since: "0.zip") { $0.maxSize = 20 }.files == 2)
    #expect(cache.refusal("1.zip", from: path, since: "0.zip") { $0.maxSize = 10 } != nil)
    let report = try cache.make("1.zip", from: path, since: "0.zip") {
      ($0.maxSize, $0.drop) = (10, .sources)
    }
    #expect(report.dropped == ["cc"] && report.unchanged == 2 && report.removed == 0)
    _ = try install("0.zip")
    _ = try install("1.zip")
    #expect(try cache.names(in: target) == ["aa", "bb", "dd"])
  }

  @Test func aStateOfAnotherCacheIsNoBase() throws {
    let path = try cache.write(["aa"])
    try cache.make("0.zip", from: path)
    let other = try cache.write(["aa"], in: "k", client: "kingfisher 8.11.0")
    for since in ["0.zip", "none.zip"] {
      #expect(cache.refusal("1.zip", from: other, since: since)?.code == .bundle(.since))
    }
  }

  /// Files are called by their source and their scale; the job names the sources in this order.
  private static let sources = ["q", "b", "z", "a"]
  private static let names = sources.flatMap { ["\($0)2", "\($0)3"] }

  /// Each file has ten bytes.
  private func options(_ drop: BundleOptions.Drop, _ maxSize: Int, planned: Bool = true) -> BundleOptions {
    var options = cache.options("b.zip")
    (options.drop, options.maxSize) = (drop, maxSize)
    if planned {
      options.entries = Dictionary(
        uniqueKeysWithValues: Self.names.map { name in
          let place = Self.sources.firstIndex(of: String(name.prefix(1))) ?? 0
          return (ByteText(name), PlannedFile(place: place, scale: name.hasSuffix("2") ? 2 : 3))
        })
    }
    return options
  }

  private func path(priorities: [String: Int] = [:]) throws -> String {
    try cache.write(Self.names, priorities: priorities) { String($0.prefix(1)) }
  }

  @Test func sourcesGoWholeAndInTheJobsOrder() throws {
    let report = try BundleMaker(options(.sources, 55)).make(from: path())
    #expect(report.dropped.sorted() == ["a2", "a3", "z2", "z3"] && report.files == 4)
    #expect(report.droppedSources == 2 && report.droppedBytes == 40)
    #expect(
      report.wholeSources == [2, 3].map { WholeSources(scale: $0, whole: 2, sources: 4) })
  }

  @Test func theMostUrgentEntryOfASourceCountsForAllOfIt() throws {
    let report = try BundleMaker(options(.sources, 40)).make(from: path(priorities: ["a3": 1, "z2": -1]))
    #expect(report.dropped.sorted() == ["b2", "b3", "z2", "z3"])
  }

  @Test func entriesGoOneByOneWhereThatIsAsked() throws {
    let report = try BundleMaker(options(.entries, 55)).make(from: path(priorities: ["q3": -1]))
    #expect(report.dropped.first == "q3" && report.dropped.count == 3 && report.files == 5)
    #expect(report.wholeSources.map(\.whole) == [3, 2] && report.droppedSources == 2)
  }

  @Test func withoutAJobSourcesStillGoWhole() throws {
    let report = try BundleMaker(options(.sources, 55, planned: false)).make(from: path())
    #expect(report.dropped.sorted() == ["q2", "q3", "z2", "z3"])
    #expect(report.wholeSources == [WholeSources(scale: nil, whole: 2, sources: 4)])
  }

  /// A delta's index has what is on the device already: of a source that goes, that goes too.
  @Test func ofADeltaASourceGoesWithWhatTheDeviceHas() throws {
    let path = try path()
    try cache.make("0.zip", from: path)
    _ = try cache.write(["q2", "a2"], edition: "!") { String($0.prefix(1)) }
    var options = options(.sources, 11)
    options.since = cache.options("0.zip").output
    options.output = cache.options("1.zip").output
    let report = try BundleMaker(options).make(from: path)
    #expect(report.dropped.sorted() == ["a2", "a3"] && report.files == 1 && report.removed == 2)
  }
}
