import Foundation
import TestSupport
import Testing

@testable import CacheTools

/// After a power cut a tool's cache has no damage, and the tool completes it.
@Suite(.timeLimit(.minutes(FaultCount.minutes)))
struct ToolPowerCutTests {
  private static let seeds = FaultCount.of(1, full: 10)
  private static let names = ["logo.png", "opaque.png", "thumbnail.jpg"]

  private static func verify(_ path: String) async throws -> VerifyReport {
    try await CacheVerifier().verify(path)
  }

  /// A cache of small pictures; two in a shard, so that one is in both.
  private static func shard(_ scene: ToolScene, _ name: String, _ pictures: ArraySlice<String>, expiry: Date?)
    throws -> String
  {
    for picture in pictures {
      let isFirst = picture == names[0]
      try scene.cache(
        name, [picture: Fixtures.image(picture)], client: expiry == nil ? "nuke 12.9.0" : "kingfisher 8.11.0",
        modified: isFirst ? expiry : expiry?.addingTimeInterval(1_000_000_000),
        stamp: expiry == nil ? .distantFuture : nil)
    }
    return scene.path(name)
  }

  @Test func aMergeIsWholeOrNotThere() async throws {
    let scene = ToolScene()
    let shards = [
      try Self.shard(scene, "a", Self.names.prefix(2), expiry: nil),
      try Self.shard(scene, "b", Self.names.suffix(2), expiry: nil),
    ]
    let log = try WriteLog(root: scene.temporary.url)
    _ = try CacheMerger(output: scene.path("out"), calls: log.calls).merge(shards)
    let played = try await log.playPowerCuts(seeds: Self.seeds) { root, _, moment in
      let path = { (name: String) in root.appendingPathComponent(name).path }
      let found = (try? FileManager.default.contentsOfDirectory(atPath: path("out"))) ?? []
      if found.isEmpty {
        _ = try CacheMerger(output: path("out")).merge([path("a"), path("b")])
      }
      let report = try await Self.verify(path("out"))
      #expect(report.findings.isEmpty && report.digested == 3, "\(moment): \(report.findings)")
    }
    #expect(played > 30)
  }

  @Test func aSweepLeavesNoRowWithoutAFile() async throws {
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    let scene = ToolScene()
    let cache = try Self.shard(scene, "cache", Self.names[...], expiry: now.addingTimeInterval(-10))
    let log = try WriteLog(root: scene.temporary.url)
    var (sweeper, next) = (CacheSweeper(calls: log.calls), CacheSweeper())
    (sweeper.now, next.now) = (now, now)
    _ = try sweeper.sweep(cache)
    let played = try await log.playPowerCuts(seeds: Self.seeds) { root, _, moment in
      let path = root.appendingPathComponent("cache").path
      let between = try await Self.verify(path)
      #expect(!between.isDamaged, "\(moment): \(between.damage)")
      _ = try next.sweep(path)
      let after = try await Self.verify(path)
      #expect(after.findings.isEmpty && after.digested == 2, "\(moment): \(after.findings)")
    }
    #expect(played > 15)
  }
}
