import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(FaultCount.minutes)))
struct LargeJobTests {
  /// Peak of the command's own resident memory in KB, into the file `peak`.
  private static let measured = [
    "python3", "-c",
    """
    import os, sys
    child = os.spawnv(os.P_NOWAIT, sys.argv[1], sys.argv[1:])
    _, status, usage = os.wait4(child, 0)
    open("peak", "w").write(str(usage.ru_maxrss))
    sys.exit(os.waitstatus_to_exitcode(status))
    """,
  ]

  /// A PNG of one pixel.
  private static let picture =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

  @Test func aSecondRunOfManyEntriesFetchesAndMakesNothing() async throws {
    try await OwnThread {
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

      let second = try scene.run(["--json", "--quiet"], wrapper: Self.measured)
      #expect(second.status == 0)
      let summary = try #require(try second.objects().last)
      #expect(summary["current"] as? Int == count && summary["made"] as? Int == 0)
      #expect(try server.requests().count == requests)
      let peak = try #require(Int(String(contentsOf: scene.folder.file("peak"), encoding: .utf8)))
      #expect(peak < 200 << 10)
    }.value
  }

  /// Of each request about a kilobyte, with the job of all that was missed.
  @Test func aReplayOfManyKeysHasBoundedMemory() async throws {
    try await OwnThread {
      let count = FaultCount.of(20_000, full: 1_000_000)
      let folder = try TemporaryFolder()
      let keys = (0..<count).map {
        "https://img.example.com/catalog/\($0 / 2).jpgcom.github.kean/nuke/resize?"
          + "s=(\($0 % 2 == 0 ? 320 : 640).0, 9999.0),cm=.aspectFit,crop=false,upscale=false"
      }
      try keys.joined(separator: "\n").write(to: folder.file("keys.txt"), atomically: true, encoding: .utf8)
      try FileManager.default.createDirectory(at: folder.file("cache"), withIntermediateDirectories: true)
      let result = try BuiltCommand.run(
        ["replay", "keys.txt", "--in", "cache", "--client", "nuke 12", "--quiet"], in: folder.url,
        wrapper: Self.measured)
      #expect(result.status == 0, "\(result.messages)")
      let peak = try #require(Int(String(contentsOf: folder.file("peak"), encoding: .utf8)))
      #expect(peak < (60 << 10) + count * 5 / 4, "\(peak) KB for \(count) requests")
    }.value
  }

  /// Each line a source with a key of its own; the text is read, planned and let go of.
  @Test func aPlanOfAMillionLinesHasBoundedMemoryAndNoStepThatGrowsFasterThanTheJob() async throws {
    try await OwnThread {
      let count = FaultCount.of(20_000, full: 1_000_000)
      var times: [Duration] = []
      for part in [count / 4, count] {
        let lines = (0..<part).map { "https://img.example.com/catalog/\($0).jpg card" }
        let scene = try Scene(lines.joined(separator: "\n"))
        let start = ContinuousClock.now
        let result = try BuiltCommand.run(
          ["plan", "test.job", "--quiet"], in: scene.folder.url, wrapper: Self.measured)
        times.append(ContinuousClock.now - start)
        #expect(result.status == 0, "\(result.messages)")
        let peak = try #require(Int(String(contentsOf: scene.folder.file("peak"), encoding: .utf8)))
        #expect(peak < 400 << 10, "\(peak) KB for \(part) lines")
      }
      // Four times the lines: sixteen times the time would be a step that is quadratic.
      #expect(times[1] < times[0] * 10 + .seconds(2), "\(times)")
    }.value
  }
}
