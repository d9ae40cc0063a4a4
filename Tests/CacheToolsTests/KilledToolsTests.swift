import ClientKit
import Foundation
import TestSupport
import Testing
import Text

@testable import CacheStore
@testable import CacheTools
@testable import FileStore

/// A command that is killed at any of its calls is completed by the next one.
@Suite(.timeLimit(.minutes(10)))
struct KilledToolsTests {
  private static let pictures = ["logo.png", "opaque.png", "mountains.jpg", "balloons.webp"]

  private static func verify(_ path: String) async throws -> VerifyReport {
    try await CacheVerifier().verify(path)
  }

  private static func leftovers(_ path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: StateFolder(cache: path).temporary)
  }

  // MARK: Merge

  private struct Shards {
    let scene: ToolScene
    let paths: [String]
    let output: String

    /// - Parameter areParts: the caches are parts of one job, to which the last picture is the most urgent.
    init(areParts: Bool = false) throws {
      scene = ToolScene()
      let shards = [KilledToolsTests.pictures.prefix(3), KilledToolsTests.pictures.suffix(3)]
      var paths: [String] = []
      for (index, names) in shards.enumerated() {
        paths.append(try scene.cache("shard\(index)", ToolScene.pictures(names)))
        guard areParts else { continue }
        try scene.rank(KilledToolsTests.pictures, in: "shard\(index)")
        let job = String(repeating: "a", count: 64)
        try Data("preheat shard 3\n\(index + 1)/2\n\(job)\n1790000000\nfinished\n".utf8).write(
          to: scene.temporary.file("shard\(index).preheat/\(ShardRecord.name)"))
      }
      self.paths = paths
      output = scene.path("out")
    }

    func merge(links: Bool = false, _ calls: FileCalls = .system) throws {
      var merger = CacheMerger(output: output, calls: calls)
      merger.links = links
      _ = try merger.merge(paths)
    }
  }

  @Test(arguments: [(false, false), (true, false), (false, true), (true, true)])
  func aMergeThatIsKilledIsCompletedByTheNext(links: Bool, areParts: Bool) async throws {
    let calls = try await KilledWork.atEachCall(
      of: { try Shards(areParts: areParts) },
      { shards, calls in
        try shards.merge(links: links, calls)
      },
      then: { shards, moment in
        try Self.finish(shards, links: links, moment)
        if areParts { #expect(try Self.byUse(shards) == Self.pictures.reversed(), "\(moment)") }
        let report = try await Self.verify(shards.output)
        try Self.check(shards, report, moment)
      })
    #expect(Set(calls).isSuperset(of: [.makeFolder, .synchronize, .rename, .commit]))
  }

  /// Merges once more, unless all was done but for the tidying up.
  private static func finish(_ shards: Shards, links: Bool, _ moment: String) throws {
    let isThere = FileManager.default.fileExists(atPath: shards.output)
    let names = isThere ? try shards.scene.names("out") : []
    #expect(names.isEmpty || names.count == 4, "\(moment): a part is visible")
    if names.isEmpty { try shards.merge(links: links) }
  }

  /// The pictures by their dates of use, the latest first.
  private static func byUse(_ shards: Shards) throws -> [String] {
    let files = FileStore(existing: URL(fileURLWithPath: shards.output))
    return try pictures.sorted { first, second in
      let dates = try [first, second].map {
        try files.entry(named: ToolScene.name($0))?.accessDate ?? .distantPast
      }
      return dates[0] > dates[1]
    }
  }

  private static func check(_ shards: Shards, _ report: VerifyReport, _ moment: String) throws {
    #expect(report.findings.isEmpty && report.digested == 4, "\(moment): \(report.findings)")
    for name in pictures {
      let file = shards.scene.temporary.file("out/\(ToolScene.name(name))")
      let (found, expected) = (try Data(contentsOf: file), try Fixtures.image(name))
      #expect(found == expected, "\(moment)")
    }
    // The next that takes the lock tidies up.
    _ = try CacheSweeper().sweep(shards.output)
    let rest = try leftovers(shards.output)
    #expect(rest.isEmpty, "\(moment)")
  }

  @Test func aMergeIntoTheFolderOfAnEmptiedCacheKnowsOnlyItsOwnFiles() async throws {
    let shards = try Shards()
    try shards.scene.cache("out", ["gone": Fixtures.image("logo.png")])
    try FileManager.default.removeItem(atPath: shards.output)
    try shards.merge()
    #expect(try await Self.verify(shards.output).findings.isEmpty)
  }

  // MARK: Sweep

  /// Entries of which two have expired.
  private struct Expired {
    let scene: ToolScene
    let path: String
    let now = Date(timeIntervalSince1970: 1_800_000_000)

    init() throws {
      scene = ToolScene()
      path = scene.path("cache")
      for (index, name) in KilledToolsTests.pictures.enumerated() {
        let entry = [name: try Fixtures.image(name)]
        let expiry = now.addingTimeInterval(index < 2 ? -100 : 1_000_000_000)
        try scene.cache("cache", entry, client: "kingfisher 8.11.0", modified: expiry, stamp: nil)
      }
    }

    func sweep(_ calls: FileCalls = .system) throws {
      var sweeper = CacheSweeper(calls: calls)
      sweeper.now = now
      _ = try sweeper.sweep(path)
    }
  }

  @Test func aSweepThatIsKilledIsNoDamageAndIsCompletedByTheNext() async throws {
    let calls = try await KilledWork.atEachCall(
      of: { try Expired() },
      { cache, calls in
        try cache.sweep(calls)
      },
      then: { cache, moment in
        let between = try await Self.verify(cache.path)
        #expect(!between.isDamaged, "\(moment): \(between.damage)")
        try cache.sweep()
        let after = try await Self.verify(cache.path)
        #expect(after.findings.isEmpty && after.digested == 2, "\(moment): \(after.findings)")
        #expect(
          try cache.scene.rows("cache").count == 2 && cache.scene.names("cache").count == 2, "\(moment)")
        #expect(try Self.leftovers(cache.path).isEmpty, "\(moment)")
      })
    #expect(calls.count { $0 == .remove } >= 2 && calls.contains(.commit))
  }

  /// What an older release left that was killed after removing a file.
  @Test func aSweepForgetsFilesThatAreGone() async throws {
    let cache = try Expired()
    for name in try cache.scene.names("cache").prefix(1) {
      try FileManager.default.removeItem(atPath: cache.path + "/" + name)
    }
    #expect(try await Self.verify(cache.path).isDamaged)
    try cache.sweep()
    #expect(try await Self.verify(cache.path).findings.isEmpty)
  }

  // MARK: Repair

  /// Entries of which one is cut, one has other bytes and one is missing.
  private struct Damaged {
    let scene: ToolScene
    let path: String

    init() throws {
      scene = ToolScene()
      path = try scene.cache("cache", ToolScene.pictures(KilledToolsTests.pictures))
      let files = KilledToolsTests.pictures.map { scene.temporary.file("cache/\(ToolScene.name($0))") }
      try Fixtures.image("logo.png").dropLast(20).write(to: files[0])
      try Fixtures.image("logo.png").write(to: files[1])
      try FileManager.default.removeItem(at: files[2])
    }

    init(ledgerIsDamaged: Bool) throws {
      try self.init()
      guard ledgerIsDamaged else { return }
      try Data("no ledger at all".utf8).write(to: URL(fileURLWithPath: StateFolder(cache: path).ledger))
      try Data("nor this".utf8).write(to: URL(fileURLWithPath: StateFolder(cache: path).ledger + "-wal"))
    }

    func repair(_ calls: FileCalls = .system) async throws {
      var verifier = CacheVerifier()
      verifier.client = CacheClient(name: "nuke", release: Release(12, 9, 0))
      var report = try await verifier.verify(path)
      try await CacheRepair(calls: calls).remove(&report, verifier)
    }
  }

  @Test func aRepairThatIsKilledIsCompletedByTheNext() async throws {
    let calls = try await KilledWork.atEachCall(
      of: { try Damaged() },
      { cache, calls in
        try await cache.repair(calls)
      },
      then: { cache, moment in
        // What has no row can no longer be told from a whole file by its digest.
        let rows = Set(try cache.scene.rows("cache").map(\.file))
        #expect(try cache.scene.names("cache").allSatisfy(rows.contains), "\(moment)")
        try await cache.repair()
        let report = try await Self.verify(cache.path)
        #expect(report.findings.isEmpty && report.digested == 1, "\(moment): \(report.findings)")
        #expect(try Self.leftovers(cache.path).isEmpty, "\(moment)")
      })
    #expect(calls.count { $0 == .remove } >= 3 && calls.contains(.commit))
  }

  @Test func aDamagedLedgerIsMovedAsideAsAWholeAlsoByTheSecondTry() async throws {
    let calls = try await KilledWork.atEachCall(
      of: { try Damaged(ledgerIsDamaged: true) },
      { cache, calls in
        try await cache.repair(calls)
      },
      then: { cache, moment in
        try await cache.repair()
        let state = StateFolder(cache: cache.path)
        let names = try FileManager.default.contentsOfDirectory(atPath: state.path).filter {
          $0.hasPrefix("ledger")
        }
        let aside = ["", "-wal"].map { "ledger.sqlite.damaged-1\($0)" }
        #expect(names.sorted() == aside, "\(moment)")
      })
    #expect(calls.count { $0 == .rename } == 4)
  }
}
