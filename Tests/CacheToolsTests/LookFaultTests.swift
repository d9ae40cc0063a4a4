import Foundation
import TestSupport
import Testing
import Text

@testable import Bundles
@testable import CacheStore
@testable import CacheTools
@testable import FileStore
@testable import Planning

/// Every look of every tool fails once, or from then on: that nothing was seen does not mean that nothing is there.
@Suite(.timeLimit(.minutes(FaultCount.minutes)))
struct LookFaultTests {
  enum Tool: CaseIterable, Sendable { case verify, repair, merge, sweep, diff, inspect, bundle, prune }

  private static let names = ["logo.png", "opaque.png", "mountains.jpg"]
  private static let expired = Date(timeIntervalSince1970: 1_700_000_000)

  /// A cache with a damaged entry and one that has expired beside whole ones, and caches that are whole.
  private struct Stage {
    let scene: ToolScene
    let whole: [String: Data]

    init() throws {
      scene = ToolScene()
      whole = try ToolScene.pictures(LookFaultTests.names)
      for name in ["a", "b", "damaged"] { try scene.cache(name, whole) }
      let client = "kingfisher 8.11.0"
      let later = LookFaultTests.expired + 1e9
      try scene.cache("swept", whole, client: client, modified: later, stamp: nil)
      try scene.cache("swept", ["old": Data("x".utf8)], client: client, modified: expired, stamp: nil)
      try Data("x".utf8).write(to: scene.temporary.file("damaged/\(ToolScene.name("logo.png"))"))
      try scene.cache("b", ["more": Data("x".utf8)])
    }

    /// What a tool says and leaves, in words that are the same each time.
    func result(_ tool: Tool, _ calls: FileCalls) async throws -> String {
      let verifier = CacheVerifier(calls: calls)
      switch tool {
      case .verify:
        let report = try await verifier.verify(scene.path("a"))
        if let unread = report.unread { throw ToolError(.cache(.read), unread.message) }
        return "\(report.findings.map(\.code)) \(report.digested)"
      case .repair:
        var report = try await verifier.verify(scene.path("damaged"))
        let removed = try await CacheRepair(calls: calls).remove(&report, verifier)
        if let unread = report.unread { throw ToolError(.cache(.read), unread.message) }
        return "\(removed.files)"
      case .merge:
        let report = try CacheMerger(output: scene.path("out"), calls: calls).merge(
          ["a", "b"].map(scene.path))
        return "\(report.files) \(report.shared) \(try scene.names("out")) \(try scene.rows("out").count)"
      case .sweep:
        var sweeper = CacheSweeper(calls: calls)
        sweeper.now = LookFaultTests.expired + 100
        let report = try sweeper.sweep(scene.path("swept"))
        return "\(report.removed.map(\.reason)) \(report.filesBefore) \(try scene.rows("swept").count)"
      case .diff:
        let found = try CacheDifference(from: scene.path("a"), to: scene.path("b"), calls: calls)
        return "\(found.added.map(\.file)) \(found.removed.count) \(found.changed.count) \(found.same)"
      case .inspect:
        let found = try CacheInspection(of: scene.path("a"), calls: calls)
        let entries = Array(found.entries)
        if let failure = entries.compactMap(\.failure).first { throw failure }
        return "\(entries.map { "\($0.fate) \($0.size)" }) \(found.bytes)"
      case .bundle:
        var options = BundleOptions(output: scene.path("out.bundle"), format: .folder)
        options.allowsLocalKeys = true
        let report = try BundleMaker(options, calls: calls).make(from: scene.path("a"))
        return "\(report.files) \(report.id)"
      case .prune:
        let state = StateFolder(cache: scene.path("swept"), calls: calls)
        let files = try state.prepare()
        let ledger = try LedgerWriter(path: state.ledger, calls: calls)
        let kept = Set(try scene.rows("swept").filter { $0.origin.key != "old" }.map { ByteText($0.file) })
        let jobs = Pruning(names: kept, jobs: ["kingfisher": [ByteText("../app.job")]], most: 100)
        let result = try CachePruner.prune(files, ledger, to: jobs)
        return "\(result.files) \(try scene.rows("swept").count)"
      }
    }

    /// Entries that are right and still there.
    func healthy() throws -> [String] {
      var found: [String] = []
      for cache in ["a", "b", "damaged", "swept"] {
        for name in try scene.names(cache) {
          let bytes = try Data(contentsOf: scene.temporary.file("\(cache)/\(name)"))
          if whole.values.contains(bytes) { found.append("\(cache)/\(name)") }
        }
      }
      return found
    }
  }

  @Test(arguments: Tool.allCases)
  func aLookThatFailsIsAnErrorAndNothingIsRemovedOrLeftOut(tool: Tool) async throws {
    let codes = [EMFILE, EACCES, EIO, ESTALE]
    let counting = FileFaults(atLooks: true)
    var stage = try Stage()
    let healthy = try stage.healthy()
    let expected = try await stage.result(tool, counting.calls)
    #expect(counting.log.count > 5 && counting.log.contains(.look))
    stage = try Stage()
    for number in counting.log.indices {
      for (place, extent) in FileFaults.Extent.allCases.enumerated() {
        let faults = FileFaults(
          failing: number, with: codes[(number + place) % codes.count], extent, atLooks: true)
        do {
          let result = try await stage.result(tool, faults.calls)
          let isHidden = extent == .lasting && faults.failed != nil
          #expect(result == expected && !isHidden, "\(number) \(faults.log)")
          stage = try Stage()
        } catch let error as ToolError {
          #expect([.read, .write].contains(error.code.kind), "\(number) \(error) \(faults.log)")
        } catch let error as StoreFailure {
          #expect([.unreadable, .notWritable].contains(error.code), "\(number) \(error) \(faults.log)")
        } catch { #expect(error is FileStoreError || error is LedgerFailure, "\(error)") }
        #expect(try stage.healthy() == healthy, "\(number) \(faults.log)")
      }
    }
  }

  /// Without a lock the damage is an earlier moment's.
  @Test func aFileThatWasMadeRightMeanwhileStays() async throws {
    let stage = try Stage()
    let verifier = CacheVerifier()
    var report = try await verifier.verify(stage.scene.path("damaged"))
    let file = stage.scene.temporary.file("damaged/\(ToolScene.name("logo.png"))")
    #expect(report.damagedFiles == [file.lastPathComponent])
    try #require(stage.whole["logo.png"]).write(to: file)
    #expect(try await CacheRepair().remove(&report, verifier).files.isEmpty && !report.isDamaged)
    #expect(try stage.scene.names("damaged").count == 3 && stage.scene.rows("damaged").count == 3)
  }

  @Test(arguments: ["gone", "link", "pipe", "folder"])
  func whatIsNoPlainFileEndsABundle(kind: String) throws {
    let stage = try Stage()
    let file = stage.scene.temporary.file("a/\(ToolScene.name("logo.png"))")
    try FileManager.default.removeItem(at: file)
    switch kind {
    case "link":
      let other = stage.scene.temporary.file("b/\(file.lastPathComponent)")
      try FileManager.default.createSymbolicLink(at: file, withDestinationURL: other)
    case "pipe": #expect(mkfifo(file.path, 0o600) == 0)
    case "folder": try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
    default: break
    }
    var options = BundleOptions(output: stage.scene.path("out.bundle"), format: .folder)
    options.allowsLocalKeys = true
    let error = #expect(throws: ToolError.self) { try BundleMaker(options).make(from: stage.scene.path("a")) }
    #expect(error?.code == .bundle(.damaged))
    #expect(!FileManager.default.fileExists(atPath: options.output))
  }
}
