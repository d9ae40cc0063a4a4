import Planning
import TestSupport
import Testing
import Text

@testable import Bundles

/// What is left out where a bundle must be smaller.
@Suite(.timeLimit(.minutes(10)))
struct BundleBudgetTests {
  private let cache: SampleCache

  init() throws { cache = SampleCache(temporary: try TemporaryFolder()) }

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
    _ = try BundleMaker(cache.options("0.zip")).make(from: path)
    _ = try cache.write(["q2", "a2"], edition: "!") { String($0.prefix(1)) }
    var options = options(.sources, 11)
    options.since = cache.options("0.zip").output
    options.output = cache.options("1.zip").output
    let report = try BundleMaker(options).make(from: path)
    #expect(report.dropped.sorted() == ["a2", "a3"] && report.files == 1 && report.removed == 2)
  }
}
