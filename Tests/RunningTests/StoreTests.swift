import Foundation
import TestSupport
import Testing

@testable import CacheStore
@testable import Planning
@testable import Running

@Suite(.timeLimit(.minutes(10)))
struct StoreTests {
  private static let origin = EntryOrigin(
    client: "kingfisher 8.11.0", job: "../app.job", key: nil, source: "https://e.com/1.jpg", chain: "card",
    content: "encoded",
    expiry: "never", priority: 1)

  private func entry(_ file: String, size: Int = 3) -> LedgerEntry {
    LedgerEntry(
      file: file, sourceID: "s", identity: "i", size: Int64(size), digest: "d", modified: 7,
      sourceDigest: "b",
      etag: "\"e\"",
      lastModified: nil, origin: Self.origin)
  }

  private func session(_ cache: String) throws -> CacheSession {
    try CacheSession(cache: cache, plans: [], options: RunOptions(renderer: "", workers: 1)) { _ in }
  }

  @Test func stagedFilesAppearOnlyWhenPublished() async throws {
    let folder = try TemporaryFolder()
    let session = try session(folder.file("cache").path)
    let bytes: [UInt8] = [1, 2, 3]
    try await session.writer.stage([FinishedFile(bytes: Data(bytes), entry: entry("aa"))], outcomes: [])
    let file = folder.file("cache/aa")
    #expect(!FileManager.default.fileExists(atPath: file.path))
    try await session.writer.publish()
    #expect(try [UInt8](Data(contentsOf: file)) == bytes)
    #expect(
      try session.intactEntry(file: "aa", sourceID: "s", identity: "i", origin: Self.origin)?.etag == "\"e\"")
    #expect(try session.intactEntry(file: "aa", sourceID: "s", identity: "other", origin: Self.origin) == nil)
  }

  @Test func aChangedFileIsNotCurrent() async throws {
    let folder = try TemporaryFolder()
    let session = try session(folder.file("cache").path)
    try await session.writer.stage(
      [FinishedFile(bytes: Data([1, 2, 3]), entry: entry("aa"))], outcomes: [])
    try await session.writer.publish()
    try Data([3, 2, 1]).write(to: folder.file("cache/aa"))
    #expect(try session.intactEntry(file: "aa", sourceID: "s", identity: "i", origin: Self.origin) == nil)
  }

  /// An original is the source's own bytes: no release draws it otherwise.
  @Test(arguments: [("encoded", false), ("original", true)])
  func anEntryOfAnotherDrawingVersionIsMadeAgain(content: String, isIntact: Bool) async throws {
    let folder = try TemporaryFolder()
    let session = try session(folder.file("cache").path)
    var entry = entry("aa")
    entry.origin.content = content
    entry.drawing = RenditionTask.drawingVersion - 1
    try await session.writer.stage([FinishedFile(bytes: Data([1, 2, 3]), entry: entry)], outcomes: [])
    try await session.writer.publish()
    let found = try session.intactEntry(file: "aa", sourceID: "s", identity: "i", origin: entry.origin)
    #expect((found != nil) == isIntact)
  }

  @Test func aSecondRunOnTheSameCacheIsLockedOut() throws {
    let folder = try TemporaryFolder()
    let first = try session(folder.file("cache").path)
    #expect {
      _ = try session(folder.file("cache").path)
    } throws: { error in
      (error as? StoreFailure)?.code == .locked
    }
    withExtendedLifetime(first) {}
  }

  @Test func theLockEndsWithItsRun() throws {
    let folder = try TemporaryFolder()
    do { _ = try session(folder.file("cache").path) }
    _ = try session(folder.file("cache").path)
  }

  @Test func leftoversOfAKilledRunAreRemoved() throws {
    let folder = try TemporaryFolder()
    let state = StateFolder(cache: folder.file("cache").path)
    _ = try state.prepare()
    try Data([1]).write(to: URL(fileURLWithPath: state.temporary + "/.preheat-tmp-1"))
    _ = try session(state.cache)
    #expect(try FileManager.default.contentsOfDirectory(atPath: state.temporary).isEmpty)
  }

  @Test func aCacheThatIsAFileIsRefused() throws {
    let folder = try TemporaryFolder()
    try Data([1]).write(to: folder.file("cache"))
    #expect {
      _ = try session(folder.file("cache").path)
    } throws: { error in
      (error as? StoreFailure)?.code == .notWritable
    }
  }
}
