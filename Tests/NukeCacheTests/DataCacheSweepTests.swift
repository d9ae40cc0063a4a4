import Foundation
import TestSupport
import Testing

@testable import FileStore
@testable import NukeCache

@Suite(.timeLimit(.minutes(10)))
struct DataCacheSweepTests {
  let temporary: TemporaryFolder

  private let cache: DataCache
  private let store: FileStore

  init() throws {
    temporary = try TemporaryFolder()
    cache = try DataCache(path: temporary.file("cache"))
    store = FileStore(existing: temporary.file("cache"))
  }

  private var size: Int { get throws { try store.entries().reduce(0) { $0 + $1.allocatedSize } } }

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
    for index in 0..<2000 {
      // Dates repeat and do not follow the names; sizes take from no block to five.
      let date = Date(timeIntervalSince1970: 1_600_000_000 + Double((index &* 7919) % 1500) + 0.25)
      let name = try #require(DataCache.filename(for: "image \(index)"))
      try store.write(
        Data(repeating: 1, count: (index &* 31) % 20_000), as: name, dates: FileDates(access: date))
    }
    let old = FileDates(access: Date(timeIntervalSince1970: 1_500_000_000))
    try store.write(Data("x".utf8), as: "foreign.txt", dates: old)
    try store.write(Data("x".utf8), as: ".hidden", dates: old)
    let folder = temporary.file("cache/folder")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    try Data("x".utf8).write(to: folder.appendingPathComponent("inside"))
    try store.setDates(old, of: "folder")

    cache.sizeLimit = try size / 2
    let survivors = try expectedSurvivors(in: cache.path, limit: cache.sizeLimit)
    cache.sweep()

    #expect(Set(try store.entries().map(\.name)) == survivors)
    #expect(survivors.count > 500 && survivors.count < 1000)
    #expect(!survivors.contains("folder") && !survivors.contains("foreign.txt"))
    #expect(store.contains(".hidden"))
    #expect(try size <= cache.sizeLimit * 7 / 10)
  }

  @Test func aSweepIsANoOpUnderTheLimit() throws {
    #expect(cache.sizeLimit == 157_286_400)
    cache["a"] = Data(count: 10_000)
    cache.flush()
    cache.sizeLimit = try size
    cache.sweep()
    #expect(cache.containsData(for: "a"))
    cache.sizeLimit -= 1
    cache.sweep()
    #expect(!cache.containsData(for: "a"))
  }

  @Test func whatWasReadLastSurvives() throws {
    let past = FileDates(access: Date(timeIntervalSinceNow: -1000))
    let keys = ["a", "b", "c", "d"]
    for key in keys {
      let name = try #require(DataCache.filename(for: key))
      try store.write(Data(repeating: 1, count: 4096), as: name, dates: past)
    }
    _ = cache["c"]
    cache.sizeLimit = try size / 2
    cache.sweep()
    #expect(keys.filter { cache.containsData(for: $0) } == ["c"])
  }

  @Test func theDateIsSecondsSince2001AsANumber() throws {
    let store = try FileStore(folder: temporary.file("info"))
    let info = DataCacheInfo(lastSweepDate: Date(timeIntervalSinceReferenceDate: 816_912_146.7677361))
    try store.write(info.encoded, as: DataCacheInfo.fileName)
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
