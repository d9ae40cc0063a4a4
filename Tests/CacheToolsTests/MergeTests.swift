import Foundation
import NukeCache
import Synchronization
import Testing

@testable import Bundles
@testable import CacheStore
@testable import CacheTools
@testable import FileStore

@Suite(.timeLimit(.minutes(10)))
struct MergeTests {
  private let scene = ToolScene()

  private func text(_ text: String) -> Data { Data(text.utf8) }

  private func file(_ cache: String, _ key: String) -> URL {
    scene.temporary.file("\(cache)/\(ToolScene.name(key))")
  }

  @discardableResult
  private func merge(
    _ paths: [String], to output: String = "out", calls: FileCalls = .system,
    _ change: (inout CacheMerger) -> Void = { _ in }
  ) throws -> MergeReport {
    var merger = CacheMerger(output: scene.path(output), calls: calls)
    change(&merger)
    return try merger.merge(paths)
  }

  private func refusal(
    _ paths: [String], to output: String = "out", calls: FileCalls = .system,
    _ change: (inout CacheMerger) -> Void = { _ in }
  ) -> ToolError? {
    let error = #expect(throws: (any Error).self) { try merge(paths, to: output, calls: calls, change) }
    return error.map { $0 as? ToolError ?? ToolError($0) }
  }

  private final class FirstCall: Sendable {
    private let count = Atomic(0)
    var isFirst: Bool { count.add(1, ordering: .relaxed).oldValue == 0 }
  }

  @Test func shardsBecomeOneCacheWithOneLedger() throws {
    let early = Date(timeIntervalSinceReferenceDate: 800_000_000)
    let paths = [
      try scene.cache("a", ["k1": text("1"), "k2": text("2")], stamp: early),
      try scene.cache("b", ["k2": text("2"), "k3": text("3")], stamp: early + 60),
    ]
    try text("x").write(to: scene.temporary.file("a/README"))
    let report = try merge(paths)
    #expect(report.files == 3 && report.shared == 1 && report.foreign.count == 1 && report.bytes == 3)
    #expect(try scene.names("out") == ["k1", "k2", "k3"].map(ToolScene.name).sorted())
    for row in try scene.rows("out") {
      let status = try CacheFileStatus(folder: scene.path("out"), name: row.file)
      #expect(status?.modified == row.modified && status?.size == row.size)
    }
    let info = try DataCacheInfo(readingFrom: try FileStore(folder: scene.temporary.file("out")))
    #expect(info.lastSweepDate == early + 60)
    #expect(try FileManager.default.contentsOfDirectory(atPath: scene.path("out.preheat/tmp")).isEmpty)
  }

  @Test func theOrderOfShardsLeavesNoTrace() throws {
    let dates = Date(timeIntervalSince1970: 1_700_000_000)
    let paths = [
      try scene.cache("a", ["k1": text("1"), "k2": text("2")], modified: dates),
      try scene.cache("b", ["k2": text("2"), "k3": text("3")], modified: dates),
    ]
    try merge(paths, to: "one")
    try merge(paths.reversed(), to: "two") { $0.links = true }
    #expect(try CacheDifference(from: scene.path("one"), to: scene.path("two")).isEmpty)
    #expect(try scene.rows("one") == scene.rows("two"))
  }

  @Test func differentBytesAreRefusedAndBothFilesNamed() throws {
    let paths = [try scene.cache("a", ["k": text("1")]), try scene.cache("b", ["k": text("22")])]
    let error = refusal(paths)
    #expect(error?.code == .cache(.conflict))
    for cache in ["a", "b"] { #expect(error?.message.contains(file(cache, "k").path) == true) }
    #expect(!FileManager.default.fileExists(atPath: scene.path("out")))
  }

  @Test func cachesOfDifferentClientsAreRefused() throws {
    let paths = [
      try scene.cache("a", ["k": text("1")]), try scene.cache("b", ["k": text("1")], client: "nuke 10.4.0"),
    ]
    let error = refusal(paths)
    #expect(error?.code == .cache(.client) && error?.message.contains("nuke 10.4.0") == true)
  }

  @Test func whatIsThereIsNotTouched() throws {
    let a = try scene.cache("a", ["k": text("1")])
    _ = try scene.cache("out", ["other": text("2")])
    for output in ["out", "a"] {
      #expect(refusal([a], to: output)?.code == .cache(.input))
    }
    #expect(try scene.names("out") == [ToolScene.name("other")])
  }

  /// A part's damage does not come into the whole.
  @Test(arguments: ["cut", "changed", "changed and dated", "missing"])
  func aDamagedFileIsRefusedAndNamed(damage: String) throws {
    let old = Date(timeIntervalSince1970: 1_700_000_000)
    let paths = [
      try scene.cache("a", ["k1": text("11"), "k2": text("22")], modified: old),
      try scene.cache("b", ["k3": text("33")], modified: old),
    ]
    let victim = file("a", "k2")
    switch damage {
    case "cut": try text("2").write(to: victim)
    case "missing": try FileManager.default.removeItem(at: victim)
    default: try text("2x").write(to: victim)
    }
    // As it is after a device has lost a bit: only the bytes tell.
    let isHidden = damage == "changed and dated"
    if isHidden { try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: victim.path) }
    if isHidden { try merge(paths, to: "unread") }
    let error = refusal(paths) { $0.checksBytes = isHidden }
    #expect(error?.code == .cache(.damaged) && error?.message.contains(victim.lastPathComponent) == true)
    #expect(!FileManager.default.fileExists(atPath: scene.path("out")))
  }

  @Test func aCopyOfAPartMayHaveOtherDates() throws {
    let a = try scene.cache("a", ["k1": text("1")])
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 5)], ofItemAtPath: file("a", "k1").path)
    #expect(try merge([a]).files == 1)
    let status = try CacheFileStatus(folder: scene.path("out"), name: ToolScene.name("k1"))
    #expect(try scene.rows("out").map(\.status) == [status])
  }

  @Test func aPartThatIsChangedWhileItIsJoinedIsNotJoined() throws {
    let a = try scene.cache("a", ["k1": text("1")])
    let change = [file("a", "k1").path, scene.path("a.preheat/\(ShardRecord.name)")]
    for path in change {
      let calls = FileCalls { call, place in
        // Behind the look at the parts.
        if call == .lock, place == self.scene.path("out.preheat/lock") {
          try? Data("run".utf8).write(to: URL(fileURLWithPath: path))
        }
        return .perform
      }
      #expect(refusal([a], calls: calls)?.code == .cache(.locked), "\(path)")
      #expect(try scene.names("out").isEmpty && scene.rows("out").isEmpty)
      try text("1").write(to: file("a", "k1"))
    }
  }

  /// Linked files are one file with two names: who writes gives a name another file.
  @Test func noWriterOfAPartChangesTheWhole() throws {
    let old = Date(timeIntervalSince1970: 1_700_000_000)
    let keys = ["k1": text("1"), "k2": text("2"), "k3": text("3"), "k4": text("4")]
    let a = try scene.cache("a", keys, client: "kingfisher 8.11.0", modified: old, stamp: nil)
    try merge([a]) { $0.links = true }
    let names = try scene.names("out")
    func state() throws -> [String] {
      try names.map { name in
        let path = scene.path("out/\(name)")
        let date = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
        return "\(try String(contentsOfFile: path, encoding: .utf8)) \(date?.timeIntervalSince1970 ?? 0)"
      }
    }
    let before = try state()
    let files = FileStore(existing: URL(fileURLWithPath: a))
    try files.write(text("written"), as: names[0])
    let staged = try files.stage(text("staged"), as: names[1])
    try files.publish(staged)
    try files.remove(names[2])
    try files.separate([names[3]])
    try files.setDates(FileDates(modification: old + 9), of: names[3])
    #expect(try state() == before)
    #expect(try CacheFileStatus(folder: a, name: names[3])?.size == 1)
  }

  /// A merge that waits for another one finds what that one has made, of the same caches or of others.
  @Test(arguments: [true, false]) func aMergeThatComesSecondTakesNothingAway(isSame: Bool) throws {
    let a = try scene.cache("a", ["k1": text("1"), "k2": text("2")])
    let b = try scene.cache("b", ["k3": text("3")])
    let comes = FirstCall()
    let calls = FileCalls { call, _ in
      // The other one has come and gone before this one has the lock.
      if call == .lock, comes.isFirst { _ = try? self.merge(isSame ? [a] : [b]) { $0.waitsForLock = true } }
      return .perform
    }
    if isSame {
      #expect(try merge([a], calls: calls) { $0.waitsForLock = true }.isRepeated)
    } else {
      #expect(refusal([a], calls: calls) { $0.waitsForLock = true }?.code == .cache(.input))
    }
    let names = (isSame ? ["k1", "k2"] : ["k3"]).map(ToolScene.name).sorted()
    #expect(try scene.names("out") == names)
    #expect(try scene.rows("out").map(\.file) == names)
  }

  /// Files that come into the folder from elsewhere end the merge, and only what it wrote itself is undone.
  @Test func aMergeThatFailsLeavesTheLedgerAsItWas() throws {
    let a = try scene.cache("a", ["k1": text("1")])
    try scene.cache("out", ["old": text("2")])
    let before = try scene.rows("out")
    try FileManager.default.moveItem(atPath: scene.path("out"), toPath: scene.path("aside"))
    let calls = FileCalls { [path = scene.path("out"), aside = scene.path("aside")] call, place in
      if call == .rename, place == path {
        try? FileManager.default.removeItem(atPath: path)
        try? FileManager.default.copyItem(atPath: aside, toPath: path)
      }
      return .perform
    }
    _ = refusal([a], calls: calls)
    #expect(try scene.rows("out") == before)
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
