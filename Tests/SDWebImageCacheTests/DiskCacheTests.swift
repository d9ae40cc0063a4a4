import FileStore
import Foundation
import TestSupport
import Testing

@testable import SDWebImageCache

@Suite("SDWebImage's disk cache", .timeLimit(.minutes(10)))
struct DiskCacheTests {
  private let folder: TemporaryFolder
  private let key = "https://e.com/a.png"
  private let now = Date(timeIntervalSince1970: 1_800_000_000)
  private let day = 86_400.0

  init() throws { folder = try TemporaryFolder() }

  private func cache(
    _ version: SDWebImageVersion = .latest, _ change: (inout SDImageCacheConfig) -> Void = { _ in }
  )
    throws -> SDDiskCache
  {
    var config = SDImageCacheConfig(version: version)
    change(&config)
    let now = now
    return try SDDiskCache(cachePath: folder.file("cache"), config: config) { now }
  }

  private func names() throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: folder.file("cache").path))
  }

  private func setDates(_ name: String, access: Double, modification: Double) throws {
    try FileStore(existing: folder.file("cache")).setDates(
      FileDates(
        access: now.addingTimeInterval(-access * day),
        modification: now.addingTimeInterval(-modification * day)),
      of: name)
  }

  @Test func dataIsStoredUnderTheKeysNameAndRemoved() throws {
    let cache = try cache()
    #expect(try cache.data(forKey: key) == nil && !cache.containsData(forKey: key))
    try cache.setData(Data("one".utf8), forKey: key)
    #expect(try names() == [SDImageCacheKey.fileName(forKey: key)])
    #expect(try cache.data(forKey: key) == Data("one".utf8) && cache.containsData(forKey: key))
    #expect(try cache.totalCount == 1 && cache.totalSize == 3)
    try cache.setData(Data("two!".utf8), forKey: key)
    #expect(try cache.data(forKey: key) == Data("two!".utf8))
    try cache.removeData(forKey: key)
    #expect(try cache.data(forKey: key) == nil && names().isEmpty)
    try cache.removeData(forKey: key)
  }

  @Test func aFileWithoutTheExtensionServesReadersOnly() throws {
    let cache = try cache()
    let name = SDImageCacheKey.nameWithoutExtension(forKey: key)
    try Data("old".utf8).write(to: folder.file("cache/\(name)"))
    #expect(try cache.data(forKey: key) == Data("old".utf8) && cache.containsData(forKey: key))
    try cache.removeData(forKey: key)
    #expect(cache.containsData(forKey: key), "removal looks at the full name alone")
    try cache.setData(Data("new".utf8), forKey: key)
    #expect(try cache.data(forKey: key) == Data("new".utf8), "the full name comes first")
  }

  @Test(arguments: [(SDWebImageVersion(5, 20, 0), true), (SDWebImageVersion(5, 19, 7), false)])
  func aReadIsTheLastUseSinceTheAccessDateCounts(version: SDWebImageVersion, isSet: Bool) throws {
    let cache = try cache(version)
    try cache.setData(Data("x".utf8), forKey: key)
    let name = cache.fileName(forKey: key)
    try setDates(name, access: 3, modification: 3)
    _ = try cache.data(forKey: key)
    let entry = try #require(try FileStore(existing: folder.file("cache")).entry(named: name))
    #expect((entry.accessDate == now) == isSet)
    #expect(entry.modificationDate == now.addingTimeInterval(-3 * day))
  }

  @Test(arguments: [SDWebImageVersion(5, 20, 0), SDWebImageVersion(5, 19, 7)])
  func cleaningGoesByTheReleasesDate(version: SDWebImageVersion) throws {
    let cache = try cache(version)
    for key in ["access", "modified", "new"] { try cache.setData(Data("x".utf8), forKey: key) }
    try setDates(cache.fileName(forKey: "access"), access: 8, modification: 1)
    try setDates(cache.fileName(forKey: "modified"), access: 1, modification: 8)
    try setDates(cache.fileName(forKey: "new"), access: -30, modification: -30)
    #expect(
      try cache.data(forKey: version.agesByAccess ? "modified" : "access") != nil, "age is no matter of reads"
    )
    let removed = try cache.removeExpiredData().map(\.lastPathComponent)
    #expect(removed == [cache.fileName(forKey: version.agesByAccess ? "access" : "modified")])
    #expect(try names().count == 2)
  }

  @Test func anAgeBelowZeroIsNone() throws {
    let never = try cache { $0.maxDiskAge = -1 }
    try never.setData(Data("x".utf8), forKey: key)
    try setDates(never.fileName(forKey: key), access: 5000, modification: 5000)
    #expect(try never.removeExpiredData().isEmpty)
    #expect(try cache { $0.maxDiskAge = 0 }.removeExpiredData().count == 1, "zero is everything")
  }

  @Test func aLimitTakesTheOldestUntilLessThanHalfIsLeft() throws {
    let cache = try cache { $0.maxDiskSize = 4 * 4096 - 1 }
    for index in 0..<4 {
      try cache.setData(Data(repeating: 1, count: 4096), forKey: "\(index)")
      try setDates(cache.fileName(forKey: "\(index)"), access: Double(index), modification: 0)
    }
    let removed = try cache.removeExpiredData().map(\.lastPathComponent)
    #expect(removed == ["3", "2", "1"].map { cache.fileName(forKey: $0) })
  }

  @Test func aReadOnlyFolderIsAskedLast() throws {
    let bundle = folder.file("bundle/files")
    try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
    for (key, text) in [("both", "bundle"), ("bundled", "bundle")] {
      try Data(text.utf8).write(to: bundle.appendingPathComponent(SDImageCacheKey.fileName(forKey: key)))
    }
    var cache = try SDImageCache(namespace: "default", diskCacheDirectory: folder.file("caches"))
    #expect(cache.diskCachePath.path == folder.file("caches/default").path)
    try cache.diskCache.setData(Data("own".utf8), forKey: "both")
    cache.addReadOnlyCachePath(folder.file("nowhere"))
    cache.addReadOnlyCachePath(bundle)
    #expect(try cache.diskImageData(forKey: "both") == Data("own".utf8))
    #expect(try cache.diskImageData(forKey: "bundled") == Data("bundle".utf8))
    #expect(try cache.diskImageData(forKey: "neither") == nil)
    #expect(!cache.diskImageDataExists(withKey: "bundled"))
    try cache.diskCache.removeData(forKey: "both")
    #expect(try cache.diskImageData(forKey: "both") == Data("bundle".utf8))
  }
}
