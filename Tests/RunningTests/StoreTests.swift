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

  private static let version = HTTPKnownVersion(digest: "b", etag: "\"e\"")

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
    ("aa", "s", identity, origin)
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

  /// All columns that there are: a new one makes a file stale, or has to be named here.
  @Test func aChangedColumnMakesAFileStaleOrIsNamedHere() throws {
    let folder = try TemporaryFolder()
    let session = try session(folder.file("cache").path)
    try Data([1, 2, 3]).write(to: folder.file("cache/aa"))
    var row = entry("aa")
    row.modified = try #require(try CacheFileStatus(folder: folder.file("cache").path, name: "aa")).modified
    row.origin.key = "key"
    let expected = row.expected
    let changes: [(column: String, change: (inout LedgerEntry) -> Void)] = [
      ("source_id", { $0.sourceID = "x" }), ("identity", { $0.identity = "x" }),
      ("drawing", { $0.drawing -= 1 }),
      ("size", { $0.size += 1 }), ("digest", { $0.digest = "x" }), ("modified", { $0.modified += 1 }),
      ("source_digest", { $0.sourceDigest = "x" }), ("etag", { $0.etag = nil }),
      ("last_modified", { $0.lastModified = "x" }), ("client", { $0.origin.client = "x" }),
      ("job", { $0.origin.job = "x" }), ("entry_key", { $0.origin.key = nil }),
      ("source", { $0.origin.source = "x" }), ("chain", { $0.origin.chain = "x" }),
      ("content", { $0.origin.content = "x" }), ("expiry", { $0.origin.expiry = nil }),
      ("priority", { $0.origin.priority += 1 }),
    ]
    #expect(["file"] + changes.map(\.column) == LedgerTable.table.columns.map(\.name))
    for (column, change) in changes {
      var changed = row
      change(&changed)
      try session.ledger.record([changed])
      let version = try session.intactVersion(of: expected)
      switch column {
      // The bytes of the file, which its size and date stand for. An animated source has other content than was
      // planned. What tools are told is brought up to date.
      case "digest", "content", "client", "job", "entry_key", "source", "chain", "expiry",
        "priority":
        #expect(version == row.version, "\(column)")
      case "source_digest", "etag", "last_modified":
        #expect(version != nil && version != row.version, "\(column)")
      default: #expect(version == nil, "\(column)")
      }
    }
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
    #expect(try second.intactVersion(of: expected()) == HTTPKnownVersion(digest: digest, etag: "\"e\""))
    let original = try #require(try second.originalEntry(file: "aa", sourceID: "s"))
    #expect(try second.original(original) == nil)
    #expect(try second.intactVersion(of: expected()) == nil)
  }

  /// Of an earlier release, which had one version for all formats, what is drawn as ever stays. An original is the source's
  /// own bytes: no release draws it otherwise.
  @Test(arguments: [
    ("encoded", 4, "1.jpg", false), ("original", 4, "1.tif", true), ("encoded", 5, "1.tif", false),
    ("encoded", 5, "1.JPG?as=.gif", true), ("encoded", 5, "1.png", true), ("encoded", 5, "1.webp", true),
    ("encoded", 5, "?id=1", true), ("encoded", 5, "1.GIF?w=9", false), ("frames", 5, "1.gif", false),
    ("encoded", 5, "1.avif", false), ("encoded", 5, "1.heic#a", false),
    ("encoded", DrawingVersion.of(source: PNG.bytes), "1.tif", true),
    ("encoded", DrawingVersion.of(source: [0x49, 0x49, 0x2A, 0]), "1.tif", true),
  ])
  func whatIsDrawnOtherwiseIsMadeAgain(content: String, drawing: Int, name: String, isIntact: Bool)
    async throws
  {
    let folder = try TemporaryFolder()
    let session = try session(folder.file("cache").path)
    var entry = entry("aa")
    (entry.origin.content, entry.origin.source) = (content, "https://e.com/\(name)")
    entry.drawing = drawing
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
      StoreFailure(error).code == .notWritable
    }
  }
}
