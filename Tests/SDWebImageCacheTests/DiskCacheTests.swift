import FileStore
import Foundation
import TestSupport
import Testing

@testable import SDWebImageCache

@Suite("SDWebImage's disk cache", .timeLimit(.minutes(10)))
struct DiskCacheTests {
  private let folder: TemporaryFolder
  private let key = "https://e.com/a.png"

  init() throws { folder = try TemporaryFolder() }

  @Test func aKeysFileIsFoundAndOneWithoutTheExtensionAfterIt() throws {
    let cache = try SDImageCache(namespace: "default", diskCacheDirectory: folder.file("caches"))
    #expect(cache.diskCachePath.path == folder.file("caches/default").path)
    #expect(try cache.diskImageData(forKey: key) == nil && !cache.diskImageDataExists(withKey: key))
    for name in [SDImageCacheKey.nameWithoutExtension(forKey: key), SDImageCacheKey.fileName(forKey: key)] {
      try Data(name.utf8).write(to: cache.diskCachePath.appendingPathComponent(name))
      #expect(try cache.diskImageData(forKey: key) == Data(name.utf8))
      #expect(cache.diskImageDataExists(withKey: key))
    }
  }

  @Test(arguments: [(SDWebImageVersion(5, 20, 0), true), (SDWebImageVersion(5, 19, 7), false)])
  func aReadIsTheLastUseSinceTheAccessDateCounts(version: SDWebImageVersion, isSet: Bool) throws {
    let cache = try SDImageCache(diskCacheDirectory: folder.url, version: version)
    let store = FileStore(existing: cache.diskCachePath)
    let name = SDImageCacheKey.fileName(forKey: key)
    // In the future, where no mount option lets a plain read move it.
    let date = Date(timeIntervalSince1970: 4_000_000_000)
    try store.write(Data("x".utf8), as: name, dates: FileDates(access: date, modification: date))
    #expect(try cache.diskImageData(forKey: key) == Data("x".utf8))
    let entry = try #require(try store.entry(named: name))
    #expect((entry.accessDate != date) == isSet && entry.modificationDate == date)
  }
}
