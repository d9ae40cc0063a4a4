import Foundation
import TestSupport
import Testing

@testable import CacheStore
@testable import Planning
@testable import Running

@Suite(.timeLimit(.minutes(10)))
struct StoreTests {
  private static let origin = EntryOrigin(
    client: "kingfisher 8.11.0", key: nil, source: "https://e.com/1.jpg", chain: "card", content: "encoded",
    expiry: "never", priority: 1)

  private func entry(_ file: String, size: Int = 3) -> LedgerEntry {
    LedgerEntry(
      file: file, sourceID: "s", identity: "i", size: Int64(size), digest: "d", modified: 7,
      sourceDigest: "b",
      etag: "\"e\"",
      lastModified: nil, origin: Self.origin)
  }

  @Test func stagedFilesAppearOnlyWhenPublished() async throws {
    let folder = try TemporaryFolder()
    let session = try CacheSession(cache: folder.file("cache").path, waitsForLock: false)
    let bytes: [UInt8] = [1, 2, 3]
    #expect(
      try await session.writer.stage([FinishedFile(bytes: Data(bytes), entry: entry("aa"))], outcomes: [])
        .isEmpty)
    let file = folder.file("cache/aa")
    #expect(!FileManager.default.fileExists(atPath: file.path))
    _ = try await session.writer.publish()
    #expect(try [UInt8](Data(contentsOf: file)) == bytes)
    #expect(
      try session.intactEntry(file: "aa", sourceID: "s", identity: "i", origin: Self.origin)?.etag == "\"e\"")
    #expect(try session.intactEntry(file: "aa", sourceID: "s", identity: "other", origin: Self.origin) == nil)
  }

  @Test func aFullGroupPublishesItself() async throws {
    let folder = try TemporaryFolder()
    let state = StateFolder(cache: folder.file("cache").path)
    let writer = CacheWriter(
      files: try state.prepare(), ledger: try LedgerWriter(path: state.ledger), maxFiles: 2, maxAge: .seconds(600))
    _ = try await writer.stage([FinishedFile(bytes: Data([1]), entry: entry("aa", size: 1))], outcomes: [])
    _ = try await writer.stage([FinishedFile(bytes: Data([2]), entry: entry("bb", size: 1))], outcomes: [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: state.cache).sorted() == ["aa", "bb"])
  }

  @Test func aGroupThatHasWaitedPublishesItself() async throws {
    let folder = try TemporaryFolder()
    let state = StateFolder(cache: folder.file("cache").path)
    let writer = CacheWriter(
      files: try state.prepare(), ledger: try LedgerWriter(path: state.ledger), maxAge: .zero)
    _ = try await writer.stage([FinishedFile(bytes: Data([1]), entry: entry("aa", size: 1))], outcomes: [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: state.cache) == ["aa"])
  }

  @Test func aChangedFileIsNotCurrent() async throws {
    let folder = try TemporaryFolder()
    let session = try CacheSession(cache: folder.file("cache").path, waitsForLock: false)
    _ = try await session.writer.stage(
      [FinishedFile(bytes: Data([1, 2, 3]), entry: entry("aa"))], outcomes: [])
    _ = try await session.writer.publish()
    try Data([3, 2, 1]).write(to: folder.file("cache/aa"))
    #expect(try session.intactEntry(file: "aa", sourceID: "s", identity: "i", origin: Self.origin) == nil)
  }

  @Test func aPlantedLinkIsReplacedNotFollowed() async throws {
    let folder = try TemporaryFolder()
    let session = try CacheSession(cache: folder.file("cache").path, waitsForLock: false)
    let outside = folder.file("outside")
    try Data([9]).write(to: outside)
    try FileManager.default.createSymbolicLink(at: folder.file("cache/aa"), withDestinationURL: outside)
    _ = try await session.writer.stage(
      [FinishedFile(bytes: Data([1]), entry: entry("aa", size: 1))], outcomes: [])
    _ = try await session.writer.publish()
    #expect(try [UInt8](Data(contentsOf: outside)) == [9])
    #expect(try [UInt8](Data(contentsOf: folder.file("cache/aa"))) == [1])
  }

  @Test func aFolderInTheWayIsAFailureThatNamesThePath() async throws {
    let folder = try TemporaryFolder()
    let session = try CacheSession(cache: folder.file("cache").path, waitsForLock: false)
    try FileManager.default.createDirectory(
      at: folder.file("cache/aa/inner"), withIntermediateDirectories: true)
    _ = try await session.writer.stage(
      [FinishedFile(bytes: Data([1]), entry: entry("aa", size: 1))], outcomes: [])
    await #expect {
      _ = try await session.writer.publish()
    } throws: { error in
      (error as? StoreFailure)?.message.contains("/cache/aa") == true
    }
  }

  @Test func whatOneFileMeetsKeepsNoOtherFromItsPlace() async throws {
    let folder = try TemporaryFolder()
    let session = try CacheSession(cache: folder.file("cache").path, waitsForLock: false)
    try FileManager.default.createDirectory(at: folder.file("cache/bb"), withIntermediateDirectories: false)
    let files = ["aa", "bb", "cc"].map { FinishedFile(bytes: Data([1]), entry: entry($0, size: 1)) }
    _ = try await session.writer.stage(files, outcomes: [])
    await #expect(throws: StoreFailure.self) { try await session.writer.publish() }
    #expect(try FileManager.default.contentsOfDirectory(atPath: session.state.temporary).isEmpty)
    #expect(try session.intactEntry(file: "cc", sourceID: "s", identity: "i", origin: Self.origin) != nil)
    // The failure was told; it does not come again.
    #expect(try await session.writer.publish().isEmpty)
  }

  @Test func aCacheFolderThatVanishesIsMadeAgain() async throws {
    let folder = try TemporaryFolder()
    let session = try CacheSession(cache: folder.file("cache").path, waitsForLock: false)
    _ = try await session.writer.stage(
      [FinishedFile(bytes: Data([1]), entry: entry("aa", size: 1))], outcomes: [])
    try FileManager.default.removeItem(at: folder.file("cache"))
    _ = try await session.writer.publish()
    #expect(try [UInt8](Data(contentsOf: folder.file("cache/aa"))) == [1])
  }

  @Test func aSecondRunOnTheSameCacheIsLockedOut() throws {
    let folder = try TemporaryFolder()
    let first = try CacheSession(cache: folder.file("cache").path, waitsForLock: false)
    #expect {
      try CacheSession(cache: folder.file("cache").path, waitsForLock: false)
    } throws: { error in
      (error as? StoreFailure)?.code == .locked
    }
    withExtendedLifetime(first) {}
  }

  @Test func theLockEndsWithItsRun() throws {
    let folder = try TemporaryFolder()
    do { _ = try CacheSession(cache: folder.file("cache").path, waitsForLock: false) }
    _ = try CacheSession(cache: folder.file("cache").path, waitsForLock: false)
  }

  @Test func leftoversOfAKilledRunAreRemoved() throws {
    let folder = try TemporaryFolder()
    let state = StateFolder(cache: folder.file("cache").path)
    _ = try state.prepare()
    try Data([1]).write(to: URL(fileURLWithPath: state.temporary + "/.preheat-tmp-1"))
    _ = try CacheSession(cache: state.cache, waitsForLock: false)
    #expect(try FileManager.default.contentsOfDirectory(atPath: state.temporary).isEmpty)
  }

  @Test func aCacheThatIsAFileIsRefused() throws {
    let folder = try TemporaryFolder()
    try Data([1]).write(to: folder.file("cache"))
    #expect {
      try CacheSession(cache: folder.file("cache").path, waitsForLock: false)
    } throws: { error in
      (error as? StoreFailure)?.code == .notWritable
    }
  }
}
