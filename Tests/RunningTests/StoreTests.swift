import FileStore
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

  private func expected(identity: String = "i", origin: EntryOrigin = Self.origin) -> ExpectedEntry {
    ExpectedEntry(file: "aa", sourceID: "s", identity: identity, origin: origin)
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
      try session.intactEntry(expected())?.etag == "\"e\"")
    #expect(try session.intactEntry(expected(identity: "other")) == nil)
  }

  @Test func aChangedFileIsNotCurrent() async throws {
    let folder = try TemporaryFolder()
    let session = try session(folder.file("cache").path)
    try await session.writer.stage(
      [FinishedFile(bytes: Data([1, 2, 3]), entry: entry("aa"))], outcomes: [])
    try await session.writer.publish()
    try Data([3, 2, 1]).write(to: folder.file("cache/aa"))
    #expect(try session.intactEntry(expected()) == nil)
  }

  /// The rows of most entries say what they said the last time; the others are brought up to date.
  @Test func aRowOfAnotherJobIsIntactAndBroughtUpToDate() async throws {
    let folder = try TemporaryFolder()
    let session = try session(folder.file("cache").path)
    try await session.writer.stage(
      [FinishedFile(bytes: Data([1, 2, 3]), entry: entry("aa"))], outcomes: [])
    try await session.writer.publish()
    var moved = expected()
    moved.origin.job = "elsewhere.job"
    #expect(try session.ledger.known(moved) == nil)
    #expect(try session.intactEntry(moved) != nil)
    #expect(try session.ledger.known(moved) != nil)
    #expect(try session.ledger.entry(file: "aa")?.origin.job == "elsewhere.job")
  }

  /// A number leads to the row of another file once rows have come and gone; the name decides.
  @Test func aRowIsFoundByItsNumberOrByItsName() throws {
    let folder = try TemporaryFolder()
    let session = try session(folder.file("cache").path)
    for name in ["aa", "ab", "other"] { try Data([1]).write(to: folder.file("cache/\(name)")) }
    try session.ledger.record([entry("gone"), entry("ab"), entry("aa"), entry("absent")])
    let files = FileStore(existing: folder.file("cache"))
    #expect(try session.ledger.numbers(of: files.listing()) == [3, 2, 0])
    for number: Int64 in [3, 2, 0, 77] {
      #expect(try session.ledger.known(expected(), number: number)?.etag == "\"e\"")
    }
    try session.ledger.remove(files: ["aa"])
    #expect(try session.ledger.known(expected(), number: 2) == nil)
  }

  @Test func aRowIsKnownOnlyWhereEachExpectedColumnIsRight() async throws {
    let folder = try TemporaryFolder()
    let session = try session(folder.file("cache").path)
    try session.ledger.record([entry("aa")])
    #expect(try session.ledger.known(expected())?.etag == "\"e\"")
    var others = [expected(identity: "other"), expected(), expected(), expected(), expected(), expected()]
    others += [expected(), expected()]
    others[1].sourceID += "s"
    others[2].origin.client = "nuke 11"
    others[3].origin.key = others[3].origin.key == nil ? "k" : nil
    others[4].origin.source = ""
    others[5].origin.chain += "x"
    others[6].origin.expiry = nil
    others[7].origin.priority += 1
    for other in others { #expect(try session.ledger.known(other) == nil) }
    for other in others { #expect(try session.ledger.known(other, number: 1) == nil) }
    var drawn = entry("aa")
    drawn.drawing -= 1
    drawn.origin.content = "encoded"
    try session.ledger.record([drawn])
    #expect(try session.ledger.known(expected()) == nil)
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
    let found = try session.intactEntry(expected(origin: entry.origin))
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
