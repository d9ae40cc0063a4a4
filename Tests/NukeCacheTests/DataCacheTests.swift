import Foundation
import TestSupport
import Testing

@testable import FileStore
@testable import NukeCache

/// What Nuke's public pages promise of `DataCache`.
@Suite(.timeLimit(.minutes(10)))
struct DataCacheTests {
  let temporary: TemporaryFolder
  let cache: DataCache
  let data = Data("hello".utf8)

  init() throws {
    temporary = try TemporaryFolder()
    cache = try DataCache(path: temporary.file("cache"))
  }

  private func names(_ folder: String = "cache") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: temporary.file(folder).path).sorted()
  }

  private func name(_ key: String) throws -> String { try #require(DataCache.filename(for: key)) }

  @Test func dataIsOnDiskAtOnceUnderTheSHA1OfTheKey() throws {
    cache.storeData(data, for: "http://test.com")
    cache["other"] = Data("old".utf8)
    cache["other"] = data
    #expect(cache.cachedData(for: "http://test.com") == data && cache["other"] == data)
    #expect(cache.containsData(for: "http://test.com"))
    let url = try #require(cache.url(for: "http://test.com"))
    #expect(url.lastPathComponent == "50334ee0b51600df6397ce93ceed4728c37fee4e")
    #expect(try Data(contentsOf: url) == data)
    #expect(try names() == [name("http://test.com"), name("other")].sorted())
    #expect(cache["http://test.com"] == data && cache["other"] == data)
  }

  @Test func removedDataIsGoneAtOnce() throws {
    cache["key"] = data
    cache.removeData(for: "key")
    #expect(cache["key"] == nil)
    #expect(!cache.containsData(for: "key"))
    #expect(try names().isEmpty)

    cache["key"] = data
    cache["key"] = nil
    #expect(cache["key"] == nil)
  }

  @Test func removeAllTakesEverythingTheFilesOfOthersTooAndLaterChangesLive() throws {
    cache["a"] = data
    for name in [DataCacheInfo.fileName, "foreign.txt"] {
      try data.write(to: temporary.file("cache/\(name)"))
    }
    cache["b"] = data

    cache.removeAll()
    #expect(cache["a"] == nil)
    #expect(cache["b"] == nil)
    cache["c"] = data
    #expect(cache["c"] == data)

    #expect(try names() == [name("c")])
  }

  @Test func theEmptyKeyIsNeverStoredAndNeverFound() {
    cache[""] = data
    #expect(cache[""] == nil)
    #expect(!cache.containsData(for: ""))
    #expect(cache.url(for: "") == nil)
    #expect((try? names()) == [])
  }

  @Test func aFileThatWasPutThereByOthersIsFound() throws {
    let name = try #require(DataCache.filename(for: "key"))
    try data.write(to: temporary.file("cache/\(name)"))
    #expect(cache["key"] == data)
  }

  @Test func anEmptyFileIsAHitAndAFolderOfTheNameIsAMiss() throws {
    let (empty, folder) = (try #require(cache.url(for: "e")), try #require(cache.url(for: "f")))
    try Data().write(to: empty)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    #expect(cache["e"] == Data())
    #expect(cache["f"] == nil)
    #expect(cache.containsData(for: "f"))
  }

  @Test func aFolderThatVanishedIsCreatedAgain() throws {
    try FileManager.default.removeItem(at: temporary.file("cache"))
    cache["key"] = data
    #expect(try names().count == 1)
  }

  @Test func aChangeThatCannotBeMadeIsReported() throws {
    let failures = Recorder<FileStoreError>()
    let cache = try DataCache(path: temporary.file("failing"), onFailure: failures.record)
    let url = try #require(cache.url(for: "key"))
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    cache["key"] = data
    #expect(failures.values.map(\.operation) == [.publish])
    #expect(failures.values.map(\.path) == [url.path])
  }

  @Test func initCreatesTheFolderOrThrowsAndClearsWhatADeadProcessLeft() throws {
    let left = temporary.file("cache/\(Draft.namePrefix)x")
    try data.write(to: left)
    _ = try DataCache(path: temporary.file("cache"))
    #expect(!FileManager.default.fileExists(atPath: left.path))

    try data.write(to: temporary.file("taken"))
    #expect(throws: FileStoreError.self) { try DataCache(path: temporary.file("taken")) }
  }

  @Test func aCacheByNameLiesInTheUserSCachesFolder() throws {
    let name = "preheat-test-\(UUID().uuidString)"
    let cache = try DataCache(name: name)
    defer { try? FileManager.default.removeItem(at: cache.path) }
    #expect(cache.path.lastPathComponent == name)
    #expect(FileManager.default.fileExists(atPath: cache.path.path))
  }

  @Test(arguments: [(NukeVersion(12, 8, 0), false), (NukeVersion(12, 9, 0), true), (.latest, true)])
  func readingSetsTheAccessDateSince129AndNeverTheModificationDate(
    version: NukeVersion, isSet: Bool
  ) throws {
    let cache = try DataCache(path: temporary.file("dated"), version: version)
    let (name, store) = (try name("key"), FileStore(existing: temporary.file("dated")))
    // In the future, where no mount option lets a plain read move it.
    let date = Date(timeIntervalSince1970: 4_000_000_000)
    try store.write(data, as: name, dates: FileDates(access: date, modification: date - 9))

    #expect(cache.containsData(for: "key"))
    #expect(try store.entry(named: name)?.accessDate == date)
    #expect(cache["key"] == data)

    #expect(try (store.entry(named: name)?.accessDate != date) == isSet)
    #expect(try store.entry(named: name)?.modificationDate == date - 9)
  }
}
