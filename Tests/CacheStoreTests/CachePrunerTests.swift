import Foundation
import TestSupport
import Testing
import Text

@testable import CacheStore
@testable import FileStore
@testable import Planning

@Suite(.timeLimit(.minutes(10)))
struct CachePrunerTests {
  private struct Cache {
    let temporary: TemporaryFolder
    var path: String { temporary.file("cache").path }
    var names: [String] {
      get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }
  }

  /// Three entries that the ledger knows, and a file that it does not.
  private static func make() throws -> Cache {
    let cache = Cache(temporary: try TemporaryFolder())
    let state = StateFolder(cache: cache.path)
    let files = try state.prepare()
    let ledger = try LedgerWriter(path: state.ledger)
    for name in ["aa", "bb", "cc", "foreign"] {
      try files.write(Data("bytes".utf8), as: name)
      guard name != "foreign" else { continue }
      var entry = LedgerScene.entry(name, size: 5)
      entry.modified = try #require(try CacheFileStatus(folder: cache.path, name: name)).modified
      try ledger.record([entry])
    }
    return cache
  }

  private static func jobs(
    keeping names: Set<String> = ["aa"], _ job: String = "../app.job", of client: String = "kingfisher",
    most: Double = 100
  ) -> Pruning {
    Pruning(
      names: Set(names.map { ByteText($0) }), jobs: [client: [ByteText(job)]], most: most)
  }

  /// A name that is canonically equal to one that stays is another name.
  @Test func namesAreComparedByTheirBytes() throws {
    let jobs = Self.jobs(keeping: ["\u{E9}"])
    #expect(jobs.names.contains(ByteText("\u{E9}")) && !jobs.names.contains(ByteText("e\u{301}")))
    #expect(!jobs.made("../e\u{301}.job", client: "kingfisher 8.0.0"))
    #expect(Self.jobs(keeping: [], "../\u{E9}.job").made("../\u{E9}.job", client: "kingfisher 8.0.0"))
    #expect(!Self.jobs(keeping: [], "../\u{E9}.job").made("../e\u{301}.job", client: "kingfisher 8.0.0"))
  }

  private static func prune(
    _ cache: Cache, to jobs: Pruning = jobs(), calls: FileCalls = .system
  ) throws -> CachePruner.Result {
    let state = StateFolder(cache: cache.path, calls: calls)
    let files = try state.prepare()
    let ledger = try LedgerWriter(path: state.ledger, calls: calls)
    return try CachePruner.prune(files, ledger, to: jobs)
  }

  @Test func whatIsKnownAndNotNamedGoes() throws {
    let cache = try Self.make()
    #expect(try CachePruner.preview(of: cache.path, to: Self.jobs()) == .init(files: 2, bytes: 10))
    #expect(try Self.prune(cache) == .init(files: 2, bytes: 10))
    #expect(try cache.names == ["aa", "foreign"])
    #expect(try Self.prune(cache) == .init())
  }

  @Test(arguments: [("../other.job", "kingfisher"), ("../app.job", "nuke")])
  func whatAnotherJobOrClientMadeStays(job: String, client: String) throws {
    let cache = try Self.make()
    let others = Self.jobs(job, of: client)
    #expect(try Self.prune(cache, to: others) == .init())
    #expect(try cache.names == ["aa", "bb", "cc", "foreign"])
    #expect(try CachePruner.preview(of: cache.path, to: others).others == 2)
  }

  @Test func whereMostWouldGoNothingGoes() throws {
    let cache = try Self.make()
    let jobs = Self.jobs(most: 50)
    #expect(try CachePruner.preview(of: cache.path, to: jobs).refusal?.contains("2 of 3 entries") == true)
    let failure = #expect(throws: StoreFailure.self) { try Self.prune(cache, to: jobs) }
    #expect(failure?.code == .pruning && failure?.message.contains("--prune-most 100%") == true)
    #expect(try cache.names == ["aa", "bb", "cc", "foreign"])
    #expect(try Self.prune(cache, to: Self.jobs(keeping: ["aa", "bb"], most: 50)).files == 1)
  }

  @Test func theStateFolderIsItsOwnersAlone() throws {
    let cache = try Self.make()
    let attributes = try FileManager.default.attributesOfItem(atPath: StateFolder(cache: cache.path).path)
    #expect(attributes[.posixPermissions] as? Int == 0o700)
  }

  @Test func aFileOfSomebodyElseUnderAKnownNameStays() throws {
    let cache = try Self.make()
    try Data("another's".utf8).write(to: cache.temporary.file("cache/bb"))
    #expect(try Self.prune(cache) == .init(files: 1, bytes: 5))
    #expect(try cache.names == ["aa", "bb", "foreign"])
  }

  /// After a kill at any call the next prune leaves all that is named by then, and nothing else: a file that is named
  /// again is not removed for a list of yesterday, and one without a row is not forgotten.
  @Test(arguments: [["aa"], ["aa", "bb", "cc"]])
  func whatIsKilledIsCompletedByTheNextPrune(named: Set<String>) async throws {
    let calls = try await KilledWork.atEachCall(
      of: { try Self.make() },
      { cache, calls in _ = try Self.prune(cache, calls: calls) },
      then: { cache, moment in
        let before = try cache.names
        _ = try Self.prune(cache, to: Self.jobs(keeping: named))
        let expected = before.filter { named.contains($0) || $0 == "foreign" }
        #expect(try cache.names == expected, "\(moment)")
        let ledger = try LedgerWriter(path: StateFolder(cache: cache.path).ledger)
        #expect(try ledger.entries { _ in true }.allSatisfy { named.contains($0.file) }, "\(moment)")
      })
    #expect(calls.count { $0 == .remove } >= 2 && calls.contains(.commit))
  }
}
