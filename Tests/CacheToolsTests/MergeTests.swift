import Foundation
import NukeCache
import TestSupport
import Testing

@testable import Bundles
@testable import CacheStore
@testable import CacheTools
@testable import FileStore

@Suite(.timeLimit(.minutes(10)))
struct MergeTests {
  private let scene: ToolScene

  init() throws {
    scene = try ToolScene()
  }

  private func text(_ text: String) -> Data { Data(text.utf8) }

  private func file(_ cache: String, _ key: String) -> URL {
    scene.temporary.file("\(cache)/\(ToolScene.name(key))")
  }

  @Test func shardsBecomeOneCacheWithOneLedger() throws {
    let early = Date(timeIntervalSinceReferenceDate: 800_000_000)
    let paths = [
      try scene.cache("a", ["k1": text("1"), "k2": text("2")], stamp: early),
      try scene.cache("b", ["k2": text("2"), "k3": text("3")], stamp: early + 60),
    ]
    try text("x").write(to: scene.temporary.file("a/README"))
    let report = try CacheMerger(MergeOptions(output: scene.path("out"))).merge(paths)
    #expect(report.files == 3 && report.shared == 1 && report.foreign.count == 1 && report.bytes == 3)
    #expect(try scene.names("out") == ["k1", "k2", "k3"].map(ToolScene.name).sorted())
    for row in try scene.rows("out") {
      let status = CacheFileStatus(folder: scene.path("out"), name: row.file)
      #expect(status?.modified == row.modified && status?.size == row.size)
    }
    let info = DataCacheInfo(readingFrom: try FileStore(folder: scene.temporary.file("out")))
    #expect(info.lastSweepDate == early + 60)
    #expect(try FileManager.default.contentsOfDirectory(atPath: scene.path("out.preheat/tmp")).isEmpty)
  }

  @Test func theOrderOfShardsLeavesNoTrace() throws {
    let dates = Date(timeIntervalSince1970: 1_700_000_000)
    let paths = [
      try scene.cache("a", ["k1": text("1"), "k2": text("2")], modified: dates),
      try scene.cache("b", ["k2": text("2"), "k3": text("3")], modified: dates),
    ]
    _ = try CacheMerger(MergeOptions(output: scene.path("one"))).merge(paths)
    var links = MergeOptions(output: scene.path("two"))
    links.links = true
    _ = try CacheMerger(links).merge(paths.reversed())
    #expect(try CacheDifference(from: scene.path("one"), to: scene.path("two")).isEmpty)
    #expect(try scene.rows("one") == scene.rows("two"))
  }

  @Test func differentBytesAreRefusedAndBothFilesNamed() throws {
    let paths = [try scene.cache("a", ["k": text("1")]), try scene.cache("b", ["k": text("22")])]
    let error = #expect(throws: ToolError.self) {
      try CacheMerger(MergeOptions(output: scene.path("out"))).merge(paths)
    }
    #expect(error?.code == .cache(.conflict))
    for cache in ["a", "b"] { #expect(error?.message.contains(file(cache, "k").path) == true) }
    #expect(!FileManager.default.fileExists(atPath: scene.path("out")))
  }

  @Test(arguments: [(MergeOptions.Preference.first, "1"), (.last, "3"), (.newest, "22")])
  func aPreferenceDecides(preference: MergeOptions.Preference, expected: String) throws {
    let paths = try [("a", "1", 10.0), ("b", "22", 30), ("c", "3", 20)].map { name, content, date in
      try scene.cache(name, ["k": text(content)], modified: Date(timeIntervalSince1970: date))
    }
    var options = MergeOptions(output: scene.path("out"))
    options.preference = preference
    let report = try CacheMerger(options).merge(paths)
    #expect(report.decided == [ToolScene.name("k")])
    #expect(try Data(contentsOf: file("out", "k")) == text(expected))
    #expect(try scene.rows("out").map(\.size) == [Int64(expected.utf8.count)])
  }

  @Test func cachesOfDifferentClientsAreRefused() throws {
    let paths = [
      try scene.cache("a", ["k": text("1")]), try scene.cache("b", ["k": text("1")], client: "nuke 10.4.0"),
    ]
    let error = #expect(throws: ToolError.self) {
      try CacheMerger(MergeOptions(output: scene.path("out"))).merge(paths)
    }
    #expect(error?.code == .cache(.client) && error?.message.contains("nuke 10.4.0") == true)
  }

  @Test func whatIsThereIsNotTouched() throws {
    let a = try scene.cache("a", ["k": text("1")])
    _ = try scene.cache("out", ["other": text("2")])
    for output in ["out", "a"] {
      let error = #expect(throws: ToolError.self) {
        try CacheMerger(MergeOptions(output: scene.path(output))).merge([a])
      }
      #expect(error?.code == .cache(.input))
    }
    #expect(try scene.names("out") == [ToolScene.name("other")])
  }

  @Test func differencesAreAddedRemovedOrChanged() throws {
    let a = try scene.cache("a", ["k1": text("1"), "k2": text("2"), "k3": text("3")])
    let b = try scene.cache("b", ["k2": text("2"), "k3": text("33"), "k4": text("4")])
    let difference = try CacheDifference(from: a, to: b)
    #expect(difference.removed.map(\.key) == ["k1"] && difference.added.map(\.key) == ["k4"])
    #expect(difference.changed.map(\.newSize) == [2] && difference.same == 1)
    let bundle = scene.path("a.zip")
    _ = try BundleMaker(BundleOptions(output: bundle, format: .zip)).make(from: a)
    #expect(try CacheDifference(from: a, to: bundle).isEmpty)
    // A file that was changed behind the ledger's back is read.
    try text("9").write(to: file("a", "k1"))
    #expect(try CacheDifference(from: bundle, to: a).changed.map(\.key) == ["k1"])
  }
}
