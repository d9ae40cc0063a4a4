import Foundation
import TestSupport
import Testing

@Suite(.ownThreads, .timeLimit(.minutes(FaultCount.minutes)))
struct LargeJobTests {
  /// A PNG of one pixel.
  private static let picture =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

  @Test func aSecondRunOfManyEntriesFetchesAndMakesNothing() throws {
    // Tiny pictures under many image IDs: entries are what counts here.
    let count = FaultCount.of(20_000, full: 100_000)
    let pictures = try TemporaryFolder()
    try #require(Data(base64Encoded: Self.picture)).write(to: pictures.file("dot.png"))
    // Old enough to be taken for fresh for a day (RFC 9111, section 4.2.2), so that nothing is asked.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -30 * 86_400)],
      ofItemAtPath: pictures.file("dot.png").path)
    let server = try NginxServer(serving: pictures.url)
    let lines = (0..<count).map { "\(server.baseURL)/dot.png?\($0 / 1000) original id=\($0)" }
    let scene = try Scene(lines.joined(separator: "\n"))
    #expect(try scene.run(["--quiet"]).status == 0)
    let requests = try server.requests().count
    #expect(requests == count / 1000)

    let second = try scene.run(["--json", "--quiet"], wrapper: Scene.measured).expect(0)
    let summary = try #require(try second.objects().last)
    #expect(summary["current"] as? Int == count && summary["made"] as? Int == 0)
    #expect(try server.requests().count == requests)
    #expect(try scene.folder.peak() < 200 << 10)
  }

  /// So many renditions are looked up in one listing of the folder.
  @Test func ofManyEntriesJustThoseAreMadeAgainWhoseFilesAreNotAsTheyWere() throws {
    let pictures = try TemporaryFolder()
    try #require(Data(base64Encoded: Self.picture)).write(to: pictures.file("dot.png"))
    let source = pictures.file("dot.png").absoluteString
    let lines = ["policy reachable"] + (0..<1200).map { "\(source) original id=\($0)" }
    let scene = try Scene(lines.joined(separator: "\n"))
    #expect(try scene.run(["--quiet"]).status == 0)
    let cache = scene.folder.file("cache")
    let names = try FileManager.default.contentsOfDirectory(atPath: cache.path)
      .filter { !$0.hasPrefix(".") }.sorted()
    try #require(names.count == 1200)
    try FileManager.default.removeItem(at: cache.appendingPathComponent(names[0]))
    try Data("grown".utf8).write(to: cache.appendingPathComponent(names[1]))
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_600_000_000)],
      ofItemAtPath: cache.appendingPathComponent(names[2]).path)
    for made in [3, 0] {
      let again = try scene.run(["--json", "--quiet"])
      let summary = try #require(try again.objects().last)
      #expect(again.status == 0)
      #expect(summary["made"] as? Int == made && summary["current"] as? Int == 1200 - made)
    }
    let bytes = try names.prefix(3).map { try Data(contentsOf: cache.appendingPathComponent($0)) }
    #expect(try bytes.allSatisfy { $0 == (try Data(contentsOf: pictures.file("dot.png"))) })
  }

  /// Of each request about a kilobyte, with the job of all that was missed.
  @Test func aReplayOfManyKeysHasBoundedMemory() throws {
    let count = FaultCount.of(20_000, full: 1_000_000)
    let folder = try TemporaryFolder()
    let keys = (0..<count).map {
      "https://img.example.com/catalog/\($0 / 2).jpgcom.github.kean/nuke/resize?"
        + "s=(\($0 % 2 == 0 ? 320 : 640).0, 9999.0),cm=.aspectFit,crop=false,upscale=false"
    }
    try keys.joined(separator: "\n").write(to: folder.file("keys.txt"), atomically: true, encoding: .utf8)
    try folder.makeFolder("cache")
    try BuiltCommand.run(
      ["replay", "keys.txt", "--in", "cache", "--client", "nuke 12"], in: folder.url, wrapper: Scene.measured
    ).expect(0)
    #expect(try folder.peak() < (60 << 10) + count * 5 / 4)
  }

  /// Each line a source with a key of its own; the text is read, planned and let go of.
  @Test func aPlanOfAMillionLinesHasBoundedMemoryAndNoStepThatGrowsFasterThanTheJob() throws {
    let count = FaultCount.of(20_000, full: 1_000_000)
    var times: [Duration] = []
    for part in [count / 4, count] {
      let lines = (0..<part).map { "https://img.example.com/catalog/\($0).jpg card" }
      let scene = try Scene(lines.joined(separator: "\n"))
      let start = ContinuousClock.now
      let result = try scene.preheat(["plan", "test.job", "--quiet", "--rows"], wrapper: Scene.measured)
      times.append(ContinuousClock.now - start)
      #expect(result.status == 0, "\(result.messages)")
      #expect(try scene.folder.peak() < 400 << 10)
    }
    // Four times the lines: sixteen times the time would be a step that is quadratic.
    #expect(times[1] < times[0] * 10 + .seconds(2), "\(times)")
  }
}
