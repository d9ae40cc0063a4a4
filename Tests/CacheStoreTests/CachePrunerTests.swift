import Foundation
import TestSupport
import Testing

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
      entry.modified = try #require(CacheFileStatus(folder: cache.path, name: name)).modified
      try ledger.record([entry])
    }
    return cache
  }

  private static func prune(_ cache: Cache, calls: FileCalls = .system) throws -> CachePruner.Result {
    let state = StateFolder(cache: cache.path, calls: calls)
    let files = try state.prepare()
    let pruner = CachePruner(state, files: files, ledger: try LedgerWriter(path: state.ledger, calls: calls))
    try pruner.complete()
    return try pruner.prune(keeping: ["aa"])
  }

  @Test func whatIsKnownAndNotNamedGoes() throws {
    let cache = try Self.make()
    #expect(try CachePruner.preview(of: cache.path, keeping: ["aa"]) == .init(files: 2, bytes: 10))
    #expect(try Self.prune(cache) == .init(files: 2, bytes: 10))
    #expect(try cache.names == ["aa", "foreign"])
    #expect(try Self.prune(cache) == .init())
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

  /// After a kill at any call the next run, which need not prune, leaves all or nothing of it.
  @Test func whatIsKilledIsCompletedByTheNextRun() async throws {
    let calls = try await KilledWork.atEachCall(
      of: { try Self.make() },
      { cache, calls in _ = try Self.prune(cache, calls: calls) },
      then: { cache, moment in
        let state = StateFolder(cache: cache.path)
        let files = try state.prepare()
        let ledger = try LedgerWriter(path: state.ledger)
        try CachePruner(state, files: files, ledger: ledger).complete()
        let names = try cache.names
        #expect([["aa", "foreign"], ["aa", "bb", "cc", "foreign"]].contains(names), "\(moment): \(names)")
        let rows = try ledger.entries { _ in true }.map(\.file)
        #expect(rows == names.filter { $0 != "foreign" }, "\(moment)")
        let list = state.path + "/prune.json"
        #expect(!FileManager.default.fileExists(atPath: list), "\(moment)")
      })
    #expect(calls.count { $0 == .remove } >= 3 && calls.contains(.commit))
  }
}
