import Foundation
import TestSupport
import Testing

@testable import FileStore
@testable import NukeCache

@Suite(.timeLimit(.minutes(10)))
struct DataCacheSweepTests {
  let temporary: TemporaryFolder

  init() throws { temporary = try TemporaryFolder() }

  private func makeCache(_ version: NukeVersion = .latest) throws -> DataCache {
    let cache = try DataCache(path: temporary.file("cache"), version: version)
    // Only when a test says so, however slow it is.
    cache.isSweepEnabled = false
    return cache
  }

  private func sweepIfDue(_ cache: DataCache, now: Date) {
    cache.isSweepEnabled = true
    cache.queue.sync { cache.sweepIfDue(now: now) }
    cache.isSweepEnabled = false
  }

  /// The rule of Nuke's sweep written down a second time, over what Foundation and `du` know of a folder.
  private func expectedSurvivors(in folder: URL, limit: Int) throws -> Set<String> {
    struct Item {
      let name: String
      let blocks: Int
      let accessed: timespec
    }
    var items: [Item] = []
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.first != "." {
      var status = stat()
      try #require(lstat(folder.path + "/" + name, &status) == 0)
      items.append(Item(name: name, blocks: Int(status.st_blocks), accessed: status.st_atim))
    }
    let total = items.map(\.blocks).reduce(0, +) * 512
    var left = Set(items.map(\.name))
    if total <= limit { return left }
    var size = total
    let target = Int((Double(limit) * 0.7).rounded(.towardZero))
    items.sort { a, b in
      if a.accessed.tv_sec != b.accessed.tv_sec { return a.accessed.tv_sec < b.accessed.tv_sec }
      if a.accessed.tv_nsec != b.accessed.tv_nsec { return a.accessed.tv_nsec < b.accessed.tv_nsec }
      return a.name < b.name
    }
    for item in items {
      if size <= target { break }
      left.remove(item.name)
      size -= item.blocks * 512
    }
    return left
  }

  @Test func twoThousandFilesWithSetDatesLoseExactlyWhatTheRuleSays() throws {
    let cache = try makeCache()
    for index in 0..<2000 {
      // Dates repeat and do not follow the names; sizes take from no block to five.
      let date = Date(timeIntervalSince1970: 1_600_000_000 + Double((index &* 7919) % 1500) + 0.25)
      let name = try #require(DataCache.filename(for: "image \(index)"))
      try cache.store.write(
        Data(repeating: 1, count: (index &* 31) % 20_000), as: name, dates: FileDates(access: date))
    }
    let old = FileDates(access: Date(timeIntervalSince1970: 1_500_000_000))
    try cache.store.write(Data("x".utf8), as: "foreign.txt", dates: old)
    try cache.store.write(Data("x".utf8), as: ".hidden", dates: old)
    let folder = temporary.file("cache/folder")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    try Data("x".utf8).write(to: folder.appendingPathComponent("inside"))
    try cache.store.setDates(old, of: "folder")

    cache.sizeLimit = cache.totalAllocatedSize / 2
    let survivors = try expectedSurvivors(in: cache.path, limit: cache.sizeLimit)
    cache.sweep()

    #expect(Set(try cache.store.entries().map(\.name)) == survivors)
    #expect(survivors.count > 500 && survivors.count < 1000)
    #expect(!survivors.contains("folder") && !survivors.contains("foreign.txt"))
    #expect(cache.store.contains(".hidden"))
    #expect(cache.totalAllocatedSize <= cache.sizeLimit * 7 / 10)
  }

  @Test func aSweepIsANoOpUnderTheLimit() throws {
    let cache = try makeCache()
    cache["a"] = Data(count: 10_000)
    cache.flush()
    cache.sweep()
    #expect(cache.totalCount == 1)
    cache.sizeLimit = cache.totalAllocatedSize
    cache.sweep()
    #expect(cache.totalCount == 1)
    cache.sizeLimit -= 1
    cache.sweep()
    #expect(cache.totalCount == 0)
  }

  @Test func whatWasReadLastSurvives() throws {
    let cache = try makeCache()
    let past = FileDates(access: Date(timeIntervalSinceNow: -1000))
    for key in ["a", "b", "c", "d"] {
      try cache.store.write(
        Data(repeating: 1, count: 4096), as: try #require(cache.filename(for: key)), dates: past)
    }
    _ = cache["c"]
    cache.sizeLimit = cache.totalAllocatedSize / 4 * 2
    cache.sweep()
    #expect(cache.totalCount == 1)
    #expect(cache.containsData(for: "c"))
  }

  @Test func theLimitsAreNukeSUnlessSet() throws {
    let cache = try DataCache(path: temporary.file("cache"))
    #expect(cache.isSweepEnabled)
    #expect(cache.sizeLimit == 157_286_400)
    #expect(cache.flushInterval == 1)
    #expect(cache.sweepInterval == 1800)
  }

  @Test(arguments: [
    (NukeVersion(10, 0, 0), 10.0, true, 30.0, false), (NukeVersion(12, 1, 3), 10, true, 30, false),
    (NukeVersion(12, 1, 4), 5, false, 3600, false), (NukeVersion(12, 1, 5), 5, false, 3600, true),
    (NukeVersion(12, 9, 0), 5, false, 3600, true), (NukeVersion(13, 0, 0), 5, false, 1800, true),
  ])
  func whenACacheSweepsByItselfDependsOnTheVersion(
    version: NukeVersion, delay: TimeInterval, periodic: Bool, interval: TimeInterval, keepsDate: Bool
  ) {
    #expect(version.firstSweepDelay == delay)
    #expect(version.sweepsPeriodically == periodic)
    #expect(version.sweepInterval == interval)
    #expect(version.keepsSweepDate == keepsDate)
  }

  @Test func anAutomaticSweepIsSkippedWithinTheIntervalAndRememberedAfterwards() throws {
    let cache = try makeCache()
    let now = Date(timeIntervalSinceReferenceDate: 800_000_000)
    try DataCacheInfo(lastSweepDate: now - 1799).write(to: cache.store)
    cache.sizeLimit = 0
    cache["a"] = Data(count: 1)
    cache.flush()

    sweepIfDue(cache, now: now)
    #expect(cache.totalCount == 1)

    cache.queue.sync { cache.sweepIfDue(now: now + 1) }
    #expect(cache.totalCount == 1)

    sweepIfDue(cache, now: now + 1)
    #expect(cache.totalCount == 0)
    #expect(try DataCacheInfo(readingFrom: cache.store).lastSweepDate == now + 1)
  }

  @Test func aLastSweepInTheFutureKeepsTheNextOneOff() throws {
    let cache = try makeCache()
    let now = Date()
    try DataCacheInfo(lastSweepDate: now + 1_000_000).write(to: cache.store)
    cache.sizeLimit = 0
    cache["a"] = Data(count: 1)
    cache.flush()
    sweepIfDue(cache, now: now)
    #expect(cache.totalCount == 1)
  }

  @Test func anAutomaticSweepDoesNotBringBackAFolderThatWasRemoved() throws {
    let cache = try makeCache()
    try FileManager.default.removeItem(at: cache.path)
    sweepIfDue(cache, now: Date())
    #expect(!FileManager.default.fileExists(atPath: cache.path.path))
  }

  @Test func aManualSweepDoesNotTouchTheDate() throws {
    let cache = try makeCache()
    cache.sweep()
    #expect(!cache.store.contains(DataCacheInfo.fileName))
  }

  @Test func before1215TheFolderRemembersNothing() throws {
    let cache = try makeCache(NukeVersion(12, 1, 4))
    try DataCacheInfo(lastSweepDate: Date()).write(to: cache.store)
    let written = try cache.store.read(DataCacheInfo.fileName)
    cache.sizeLimit = 0
    cache["a"] = Data(count: 1)
    cache.flush()
    sweepIfDue(cache, now: Date())
    #expect(cache.totalCount == 0)
    #expect(try cache.store.read(DataCacheInfo.fileName) == written)
  }

  @Test func theDateIsSecondsSince2001AsANumber() throws {
    let store = try FileStore(folder: temporary.file("info"))
    let info = DataCacheInfo(lastSweepDate: Date(timeIntervalSinceReferenceDate: 816_912_146.7677361))
    try info.write(to: store)
    #expect(
      try store.read(".data-cache-info") == Data(#"{"lastSweepDate":816912146.7677361}"#.utf8))
    #expect(try DataCacheInfo(readingFrom: store) == info)
  }

  @Test(arguments: ["{}", "", "garbage", #"{"lastSweepDate":"2026-01-01T00:00:00Z"}"#, "[1]"])
  func aDateThatMakesNoSenseMeansNever(text: String) throws {
    let store = try FileStore(folder: temporary.file("info"))
    try store.write(Data(text.utf8), as: DataCacheInfo.fileName)
    #expect(try DataCacheInfo(readingFrom: store).lastSweepDate == nil)
  }
}
