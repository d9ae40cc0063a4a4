import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
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

  @Test func aSecondRunOfTwentyThousandEntriesFetchesAndMakesNothing() async throws {
    try await OwnThread {
      // Tiny pictures under 20,000 image IDs: entries are what counts here.
      let pictures = try TemporaryFolder()
      try #require(Data(base64Encoded: Self.picture)).write(to: pictures.file("dot.png"))
      // Old enough to be taken for fresh for a day (RFC 9111, section 4.2.2), so that nothing is asked.
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -30 * 86_400)],
        ofItemAtPath: pictures.file("dot.png").path)
      let server = try NginxServer(serving: pictures.url)
      let lines = (0..<20_000).map { "\(server.baseURL)/dot.png?\($0 / 1000) original id=\($0)" }
      let scene = try Scene(lines.joined(separator: "\n"))
      #expect(try scene.run(["--quiet"]).status == 0)
      let requests = try server.requests().count
      #expect(requests == 20)

      let second = try scene.run(["--json", "--quiet"], wrapper: Self.measured)
      #expect(second.status == 0)
      let summary = try #require(try second.objects().last)
      #expect(summary["current"] as? Int == 20_000 && summary["made"] as? Int == 0)
      #expect(try server.requests().count == requests)
      let peak = try #require(Int(String(contentsOf: scene.folder.file("peak"), encoding: .utf8)))
      #expect(peak < 200 << 10)
    }.value
  }
}
