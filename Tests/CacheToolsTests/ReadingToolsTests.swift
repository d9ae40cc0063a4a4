import Foundation
import JobSupport
import TestSupport
import Testing

@testable import Bundles
@testable import CacheStore
@testable import CacheTools
@testable import Planning
@testable import SQLiteStore

/// Tools that only read change nothing, whatever lies where the ledger should be.
@Suite(.timeLimit(.minutes(10)))
struct ReadingToolsTests {
  private let scene = ToolScene()

  enum Tool: CaseIterable {
    case inspect, diff, mergeInput, verify, sweepDryRun, key, code, bundle
  }

  enum Ledger: CaseIterable {
    case current, older, newer, garbage, empty, missing

  }

  private var ledger: String { StateFolder(cache: scene.path("cache")).ledger }

  private func make(_ kind: Ledger) throws {
    try scene.cache("cache", ["https://e.com/1.jpg": ToolScene.picture])
    let file = URL(fileURLWithPath: ledger)
    switch kind {
    case .current: break
    case .older:
      try SQLiteDatabase(path: ledger).execute(
        "ALTER TABLE entry DROP COLUMN job; PRAGMA user_version = 3")
    case .newer: try SQLiteDatabase(path: ledger).execute("PRAGMA user_version = 99")
    case .garbage: try Data(repeating: 65, count: 4096).write(to: file)
    case .empty: try Data().write(to: file)
    case .missing: try FileManager.default.removeItem(at: file)
    }
  }

  private func use(_ tool: Tool) async throws {
    let path = scene.path("cache")
    switch tool {
    case .inspect: _ = try CacheInspection(of: path, client: ToolScene.nuke)
    case .diff: _ = try CacheDifference(from: path, to: path)
    case .mergeInput:
      var merger = CacheMerger(output: scene.path("joined"))
      merger.client = ToolScene.nuke
      _ = try merger.merge([path])
    case .verify: _ = try await verifier.verify(path)
    case .sweepDryRun:
      var sweeper = CacheSweeper()
      (sweeper.client, sweeper.sizeLimit, sweeper.isDryRun) = (ToolScene.nuke, 1, true)
      _ = try sweeper.sweep(path)
    case .key: _ = try plan().probes(in: path)
    case .code:
      let plan = try plan()
      let ledger = try? LedgerReader(path: StateFolder(cache: plan.settings.cache).ledger).rows()
      _ = WarmedRequests(plan, ledger: ledger).swift(withKeys: true)
    case .bundle:
      var options = BundleOptions(output: scene.path("bundle.zip"), format: .zip)
      options.client = ToolScene.nuke
      _ = try BundleMaker(options).make(from: path)
    }
  }

  private var verifier: CacheVerifier {
    var verifier = CacheVerifier()
    verifier.client = ToolScene.nuke
    return verifier
  }

  private func plan() throws -> Plan {
    let planned = Preheat.plan(
      "client nuke 12.9.0\ncache \(scene.path("cache"))\nhttps://e.com/2.jpg circle\n")
    return try #require(planned.plan, "\(planned.errors)")
  }

  private func snapshots() throws -> [FolderSnapshot] {
    try ["cache", "cache.preheat"].map { try FolderSnapshot(scene.temporary.file($0)) }
  }

  @Test(arguments: Tool.allCases, Ledger.allCases)
  func nothingChanges(tool: Tool, ledger: Ledger) async throws {
    try make(ledger)
    let before = try snapshots()
    try? await use(tool)
    #expect(try snapshots() == before)
  }

  /// The others can do without: a key, a hint or a digest is missing.
  @Test(
    arguments: Tool.allCases,
    [(Ledger.newer, "has form 99, and this release uses form 6"), (.garbage, "is damaged")])
  func whatNeedsTheRowsRefusesANewerOrDamagedLedger(tool: Tool, ledger: (Ledger, words: String)) async throws
  {
    try make(ledger.0)
    let needsRows = [.mergeInput, .sweepDryRun, .bundle].contains(tool)
    do {
      try await use(tool)
      #expect(!needsRows)
    } catch { #expect(needsRows && "\(error)".contains(ledger.words)) }
  }

  @Test(arguments: Ledger.allCases)
  func whatCanDoWithoutALedgerSaysThatItIsDamaged(ledger: Ledger) async throws {
    try make(ledger)
    let path = scene.path("cache")
    let warnings = [
      try CacheInspection(of: path, client: ToolScene.nuke).warnings,
      try CacheDifference(from: path, to: path).warnings,
    ]
    let isReadable = ![.garbage, .newer].contains(ledger)
    #expect(warnings.map(\.isEmpty) == [isReadable, isReadable])
  }

  @Test func aNewerLedgerIsANoteAndNoDamage() async throws {
    try make(.newer)
    let report = try await verifier.verify(scene.path("cache"))
    #expect(!report.isDamaged && report.findings.contains { $0.code == .unread })
  }

  @Test func withoutAClientTheDamageIsNamed() throws {
    try make(.garbage)
    let error = #expect(throws: ToolError.self) { try CacheInspection(of: scene.path("cache")) }
    #expect(error?.code == .cache(.client) && error?.message.contains("is damaged") == true)
  }

  @Test func aDamagedLedgerIsAFindingAndRepairMovesItAside() async throws {
    try make(.garbage)
    var report = try await verifier.verify(scene.path("cache"))
    #expect(report.damage.map(\.code) == [.ledger] && report.damagedFiles.isEmpty)
    let result = try await CacheRepair().remove(&report, verifier)
    #expect(result.files.isEmpty && result.ledger == ledger + ".damaged-1")
    #expect(!FileManager.default.fileExists(atPath: ledger))
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: ledger + ".damaged-1")) == Data(repeating: 65, count: 4096))
    #expect(try await verifier.verify(scene.path("cache")).damage.isEmpty)
  }
}
