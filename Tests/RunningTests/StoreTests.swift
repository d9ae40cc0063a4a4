import FileStore
import Foundation
import JobSupport
import TestSupport
import Testing

@testable import CacheStore
@testable import Fetching
@testable import Planning
@testable import Running

@Suite(.timeLimit(.minutes(10)))
struct StoreTests {
  private static let origin = EntryOrigin(
    client: "kingfisher 8.11.0", job: "../app.job", key: nil, source: "https://e.com/1.jpg", chain: "card",
    content: "encoded",
    expiry: "never", priority: 1)

  private static let version = VersionMark(digest: "b", etag: "\"e\"")

  private func entry(_ file: String, size: Int = 3) -> LedgerEntry {
    LedgerEntry(
      file: file, sourceID: "s", identity: "i", size: Int64(size), digest: "d", modified: 7,
      sourceDigest: "b",
      etag: "\"e\"",
      lastModified: nil, origin: Self.origin)
  }

  private func session(_ cache: String) throws -> CacheSession {
    try CacheSession(cache: cache, plans: [], options: RunOptions(renderer: "", workers: 1)) { _, _, _ in }
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
    #expect(try session.intactVersion(of: expected()) == Self.version)
    #expect(try session.version(ofFile: "aa") == HTTPKnownVersion(digest: "b", etag: "\"e\""))
    #expect(try session.intactVersion(of: expected(identity: "other")) == nil)
  }

  @Test func aChangedFileIsNotCurrent() async throws {
    let folder = try TemporaryFolder()
    let session = try session(folder.file("cache").path)
    try await session.writer.stage(
      [FinishedFile(bytes: Data([1, 2, 3]), entry: entry("aa"))], outcomes: [])
    try await session.writer.publish()
    try Data([3, 2, 1]).write(to: folder.file("cache/aa"))
    #expect(try session.intactVersion(of: expected()) == nil)
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
    #expect(try session.intactVersion(of: moved) == Self.version)
    #expect(try session.ledger.entry(file: "aa")?.origin.job == "elsewhere.job")
  }

  /// A number leads to the row of another file once rows have come and gone; the name decides.
  @Test func aRowIsFoundByItsNumberOrByItsName() throws {
    let folder = try TemporaryFolder()
    let session = try session(folder.file("cache").path)
    for name in ["aa", "ab", "other"] { try Data([1]).write(to: folder.file("cache/\(name)")) }
    try session.ledger.record([entry("gone"), entry("ab"), entry("aa"), entry("absent")])
    let listing = try FileStore(existing: folder.file("cache")).listing()
    let rows = try session.ledger.rows(of: listing)
    #expect(listing.entries.indices.map(rows.number(at:)) == [3, 2, 0])
    for number: Int64 in [3, 2, 0, 77] {
      #expect(try session.ledger.entry(file: "aa", number: number) == entry("aa"))
    }
    try session.ledger.remove(files: ["aa"])
    #expect(try session.ledger.entry(file: "aa", number: 2) == nil)
  }

  @Test func aListedRowIsKnownOnlyWhereEachExpectedColumnIsRight() async throws {
    let folder = try TemporaryFolder()
    let session = try session(folder.file("cache").path)
    let store = FileStore(existing: folder.file("cache"))
    try Data([1, 2, 3]).write(to: folder.file("cache/aa"))
    let status = try #require(try CacheFileStatus(folder: folder.file("cache").path, name: "aa"))
    func found(_ expected: ExpectedEntry, of entry: LedgerEntry) throws -> VersionMark? {
      try session.ledger.record([entry])
      let listing = try store.listing()
      return try session.ledger.rows(of: listing).version(of: expected, at: 0)
    }
    var row = entry("aa")
    row.modified = status.modified
    #expect(try found(expected(), of: row) == Self.version)
    // What stands between two columns counts.
    var other = expected(identity: "")
    other.sourceID = "si"
    #expect(try found(other, of: row) == nil)
    var changed = Array(repeating: row, count: 3)
    changed[0].drawing -= 1
    changed[0].origin.content = "encoded"
    changed[1].size += 1
    changed[2].modified += 1
    for row in changed { #expect(try found(expected(), of: row) == nil) }
    changed[0].origin.content = "original"
    #expect(try found(expected(), of: changed[0]) != nil)
  }

  /// A run that finds an original damaged must not take it for intact a second time.
  @Test func whatARunHasForgottenIsNotIntact() async throws {
    let folder = try TemporaryFolder()
    let cache = folder.file("cache").path
    let lines = (0..<1000).map { "https://e.com/\($0).jpg original" }
    let plan = try #require(
      Preheat.plan("client nuke 12\ncache \(cache)\n" + lines.joined(separator: "\n")).plan)
    let digest = String(repeating: "0", count: 64)
    do {
      let first = try CacheSession(cache: cache, plans: [plan], options: RunOptions(renderer: "", workers: 1))
      { _, _, _ in }
      var row = entry("aa")
      (row.digest, row.sourceDigest, row.origin.content) = (digest, digest, "original")
      try await first.writer.stage([FinishedFile(bytes: Data([1, 2, 3]), entry: row)], outcomes: [])
      try await first.writer.publish()
    }
    let second = try CacheSession(cache: cache, plans: [plan], options: RunOptions(renderer: "", workers: 1))
    { _, _, _ in }
    #expect(try second.intactVersion(of: expected()) == VersionMark(digest: digest, etag: "\"e\""))
    let original = try #require(try second.originalEntry(file: "aa", sourceID: "s"))
    #expect(try second.original(original) == nil)
    #expect(try second.intactVersion(of: expected()) == nil)
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
    let found = try session.intactVersion(of: expected(origin: entry.origin))
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
