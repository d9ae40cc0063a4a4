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
    // Nothing is flushed or swept unless a test says so.
    cache.flushInterval = 3600
    cache.isSweepEnabled = false
  }

  @Test func dataIsFoundAtOnceBeforeItIsOnDisk() throws {
    cache.storeData(data, for: "key")
    #expect(cache.cachedData(for: "key") == data)
    #expect(cache["key"] == data)
    #expect(cache.containsData(for: "key"))
    #expect(cache.totalCount == 0)
  }

  @Test func flushPutsEverythingOnDiskUnderTheSHA1OfTheKey() throws {
    cache["http://test.com"] = data
    cache.flush()

    let url = try #require(cache.url(for: "http://test.com"))
    #expect(url.lastPathComponent == "50334ee0b51600df6397ce93ceed4728c37fee4e")
    #expect(url.deletingLastPathComponent().path == temporary.file("cache").path)
    #expect(try Data(contentsOf: url) == data)
    #expect(try cache.store.entries(includingHidden: true).count == 1)
    #expect(cache["http://test.com"] == data)
  }

  @Test func flushForAKeyLeavesTheOtherKeysStaged() throws {
    cache["a"] = data
    cache["b"] = data
    cache.flush(for: "a")
    #expect(cache.totalCount == 1)
    #expect(cache["b"] == data)
    cache.flush(for: "never stored")
    cache.flush()
    #expect(cache.totalCount == 2)
  }

  @Test func stagedChangesAreFlushedAfterTheIntervalWithoutBeingAsked() async throws {
    cache.flushInterval = 0.01
    cache["key"] = data
    let path = try #require(cache.url(for: "key")).path
    while !FileManager.default.fileExists(atPath: path) { try await Task.sleep(for: .milliseconds(5)) }
  }

  @Test func removedDataIsGoneAtOnceAndFromTheDiskAfterAFlush() throws {
    cache["key"] = data
    cache.flush()
    cache.removeData(for: "key")
    #expect(cache["key"] == nil)
    #expect(!cache.containsData(for: "key"))
    #expect(cache.totalCount == 1)
    cache.flush()
    #expect(cache.totalCount == 0)

    cache["key"] = data
    cache["key"] = nil
    #expect(cache["key"] == nil)
  }

  @Test func removeAllTakesEverythingTheFilesOfOthersTooAndLaterChangesLive() throws {
    cache["a"] = data
    cache.flush()
    try DataCacheInfo(lastSweepDate: Date()).write(to: cache.store)
    try cache.store.write(data, as: "foreign.txt")
    cache["b"] = data

    cache.removeAll()
    #expect(cache["a"] == nil)
    #expect(cache["b"] == nil)
    cache["c"] = data
    #expect(cache["c"] == data)
    cache.flush(for: "c")

    #expect(try cache.store.entries(includingHidden: true).map(\.name) == [cache.filename(for: "c")])
  }

  @Test func theEmptyKeyIsNeverStoredAndNeverFound() {
    cache[""] = data
    #expect(cache[""] == nil)
    #expect(!cache.containsData(for: ""))
    #expect(cache.url(for: "") == nil)
    cache.flush()
    cache.flush(for: "")
    #expect(cache.totalCount == 0)
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

  @Test func aGeneratorNamesTheFilesAndANameThatReachesOutsideIsNoName() throws {
    let cache = try DataCache(path: temporary.file("named")) { $0 == "skipped" ? nil : $0 }
    cache["plain"] = data
    cache["skipped"] = data
    cache["../outside"] = data
    cache.flush()
    #expect(cache.filename(for: "plain") == "plain")
    #expect(cache["skipped"] == nil)
    #expect(cache["../outside"] == nil)
    #expect(try cache.store.entries(includingHidden: true).map(\.name) == ["plain"])
    #expect(!FileManager.default.fileExists(atPath: temporary.file("outside").path))
  }

  @Test func aFolderThatVanishedIsCreatedAgain() throws {
    try FileManager.default.removeItem(at: temporary.file("cache"))
    cache["key"] = data
    cache.flush()
    #expect(cache.totalCount == 1)
  }

  @Test func totalsCountWhatIsOnDiskWithoutHiddenFiles() throws {
    cache["a"] = Data(repeating: 1, count: 10)
    cache["b"] = Data(repeating: 1, count: 5000)
    cache.flush()
    try DataCacheInfo().write(to: cache.store)
    #expect(cache.totalCount == 2)
    #expect(cache.totalSize == 5010)
    #expect(cache.totalAllocatedSize == (try cache.store.entries().reduce(0) { $0 + $1.allocatedSize }))
  }

  @Test func aCacheThatIsReleasedStillWritesWhatWasStaged() async throws {
    var path = ""
    do {
      let released = try DataCache(path: temporary.file("released"))
      released.flushInterval = 0.01
      released["key"] = data
      path = try #require(released.url(for: "key")).path
    }
    while !FileManager.default.fileExists(atPath: path) { try await Task.sleep(for: .milliseconds(5)) }
  }

  @Test func aChangeThatCannotBeMadeIsReported() throws {
    let failures = Recorder<FileStoreError>()
    let cache = try DataCache(path: temporary.file("failing"), onFailure: failures.record)
    let url = try #require(cache.url(for: "key"))
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    cache["key"] = data
    cache.flush()
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
    let name = try #require(cache.filename(for: "key"))
    // In the future, where no mount option lets a plain read move it.
    let date = Date(timeIntervalSince1970: 4_000_000_000)
    try cache.store.write(data, as: name, dates: FileDates(access: date, modification: date - 9))

    #expect(cache.containsData(for: "key"))
    #expect(try cache.store.entry(named: name)?.accessDate == date)
    #expect(cache["key"] == data)

    #expect(try (cache.store.entry(named: name)?.accessDate != date) == isSet)
    #expect(try cache.store.entry(named: name)?.modificationDate == date - 9)
  }
}
