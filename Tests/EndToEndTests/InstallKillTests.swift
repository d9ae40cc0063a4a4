import CacheBundleInstaller
import Foundation
import TestSupport
import Testing

/// An installer that is killed anywhere leaves whole files, and the next one completes it.
@Suite(.ownThreads, .timeLimit(.minutes(FaultCount.minutes)))
struct InstallKillTests {
  private static let kills = FaultCount.of(24, full: 1000)

  /// Two bundles of one cache: the second changes, drops and adds files. Kingfisher's, whose dates are in the index.
  private struct Stage {
    let scene: Scene
    let old: URL
    let new: URL
    /// What an undisturbed installation of the second over the first leaves.
    let whole: [String: Device.File]
    let known: [String: Set<Data>]

    init() throws {
      scene = try Scene("")
      old = scene.folder.file("old.zip")
      new = scene.folder.file("new.zip")
      try Self.make(scene, 0..<40, edition: "", as: "old.zip")
      try Self.make(scene, 10..<50, edition: " better", as: "new.zip")
      let target = scene.folder.file("whole/Caches/catalog")
      try BundleInstaller(folder: target).install(old)
      let first = try Device.files(target)
      try BundleInstaller(folder: target).install(new)
      whole = try Device.files(target, dates: true)
      var known = first.mapValues { Set([$0.bytes]) }
      for (name, file) in whole { known[name, default: []].insert(file.bytes) }
      self.known = known
    }

    private static func make(_ scene: Scene, _ range: Range<Int>, edition: String, as name: String) throws {
      let cache = scene.folder.file("cache")
      try? FileManager.default.removeItem(at: cache)
      try FileManager.default.createDirectory(at: cache, withIntermediateDirectories: true)
      for number in range {
        // Every third file is the same in both.
        let text = "picture \(number)\(number % 3 == 0 ? "" : edition)"
        let url = cache.appendingPathComponent("file\(number)")
        try Data(String(repeating: text, count: 1 + number * 100).utf8).write(to: url)
        let date = Date(timeIntervalSince1970: Double(2_000_000_000 + number))
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: url.path)
      }
      let result = try scene.preheat(["bundle", "cache", "-o", name, "--client", "kingfisher 8"])
      try #require(result.status == 0, "\(result.messages)")
    }

    /// A device with the first bundle installed.
    func device(_ number: Int) throws -> URL {
      let target = scene.folder.file("device\(number)/Caches/catalog")
      try BundleInstaller(folder: target).install(old)
      return target
    }

    /// After the end of an installer, however it came.
    func check(_ target: URL, _ comment: Comment) throws {
      for (name, file) in try Device.files(target) {
        #expect(known[name]?.contains(file.bytes) == true, "\(comment): \(name) is torn or foreign")
      }
      let report = try BundleInstaller(folder: target).install(new)
      #expect(report.kept == 0, comment)
      #expect(try Device.files(target, dates: true) == whole, comment)
      let beside = try FileManager.default.contentsOfDirectory(
        atPath: target.deletingLastPathComponent().path)
      #expect(beside.sorted() == ["catalog", "catalog.preheat-bundle"], comment)
      try FileManager.default.removeItem(at: target.deletingLastPathComponent())
    }
  }

  @Test func anInstallerKilledAtAnyMomentIsCompletedByTheNext() throws {
    let stage = try Stage()
    // How long one takes here and now, so that the kills fall into it.
    let start = ContinuousClock.now
    try Device.install(stage.new, into: stage.device(-1))
    let time = max(10_000, Int((ContinuousClock.now - start) / .microseconds(1)))
    for number in 0..<Self.kills {
      let target = try stage.device(number)
      let moment = UInt32.random(in: 0...UInt32(time))
      try Device.install(stage.new, into: target, killAfter: moment)
      try stage.check(target, "killed after \(moment) µs")
    }
  }

  @Test(.enabled(if: Tracing.isPossible))
  func anInstallerKilledAtASystemCallIsCompletedByTheNext() throws {
    let stage = try Stage()
    // Of some forty files a third is left, so about thirty are staged, renamed and dated.
    let last = ["openat": 60, "write": 30, "rename": 30, "unlink": 10, "futimens": 30, "utimensat": 30]
    var struck = 0
    for number in 0..<Self.kills {
      let call = try #require(["openat", "write", "rename", "unlink", "utimensat"].randomElement())
      let when = Int.random(in: 1...(last[call] ?? 1))
      let target = try stage.device(number)
      let status = try Device.install(
        stage.new, into: target, wrapper: Tracing.wrapper(call, number: when, fault: "signal=KILL"))
      #expect([0, 137].contains(status))
      if status == 137 { struck += 1 }
      try stage.check(target, "killed at \(call) \(when)")
    }
    #expect(struck > Self.kills / 4)
  }

  /// A full disk ends an installation; with room again the next completes it.
  @Test(.enabled(if: Tracing.isPossible), arguments: [("write", 7), ("rename", 3), ("syncfs", 1)])
  func anInstallerThatMeetsAFullDiskIsCompletedByTheNext(call: String, number: Int) throws {
    let stage = try Stage()
    let target = try stage.device(0)
    let status = try Device.install(
      stage.new, into: target, wrapper: Tracing.wrapper(call, number: number, fault: "error=ENOSPC"))
    #expect(status == 1)
    try stage.check(target, "full at \(call) \(number)")
  }
}
