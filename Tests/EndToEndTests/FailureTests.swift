import Foundation
import TestSupport
import Testing

/// What a run does when the world is not as it should be.
@Suite(.timeLimit(.minutes(10)))
struct FailureTests {
  private func run(
    _ lines: String, _ arguments: [String] = [], cache: String = "cache",
    head: String = "client nuke 12\nallow-private 127.0.0.1\n", environment: [String: String] = [:]
  ) throws -> (result: BuiltCommand.Result, folder: TemporaryFolder) {
    let folder = try TemporaryFolder()
    try Data("\(head)cache \(cache)\n\(lines)\n".utf8).write(to: folder.file("test.job"))
    let result = try BuiltCommand.run(
      ["run", "test.job", "--retries", "0"] + arguments, in: folder.url, environment: environment)
    return (result, folder)
  }

  private func files(_ folder: TemporaryFolder) -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.file("cache").path)
    return (names ?? []).filter { $0 != ".data-cache-info" }
  }

  @Test func oneBadSourceFailsItsOwnRenditionsOnly() throws {
    let server = try FaultServer(files: RunTests.images)
    let (result, folder) = try run(
      """
      \(server.url("/file/logo.png")) circle
      \(server.url("/status/404")) circle original
      """)
    #expect(result.status == 3)
    #expect(files(folder).count == 1)
    #expect(result.output.contains("1 made") && result.output.contains("2 failed"))
    #expect(result.output.contains("test.job:5") && result.output.contains("404"))
  }

  /// Its rendition is served by another line's entry as long as that lies in the folder.
  @Test func aLineThatFailedServesNobody() throws {
    let head = "client kingfisher 8\nstyle options\n"
    let (result, folder) = try run(
      "./picture.png original id=a\n./picture.png blackWhite noDiskWrite id=a\n./picture.png tint(color: red) noDiskWrite id=b",
      ["--json"], head: head)
    #expect(result.status == 4 && result.output.contains("\"foundInPart\":0,\"notFound\":2,"))
    func again() throws -> BuiltCommand.Result {
      try BuiltCommand.run(["run", "test.job", "--json"], in: folder.url)
    }
    let picture = folder.file("picture.png")
    try FileManager.default.copyItem(at: Scene.images.appendingPathComponent("logo.png"), to: picture)
    let made = try again()
    #expect(made.status == 0 && made.output.contains("\"foundInPart\":1,\"notFound\":1,"))
    // The entry of the run before stays.
    try FileManager.default.removeItem(at: picture)
    let left = try again()
    #expect(left.status == 4 && left.output.contains("\"foundInPart\":1,\"notFound\":1,"))
  }

  @Test func aRunWithoutAnySuccessSaysSo() throws {
    let server = try FaultServer()
    let (result, folder) = try run("\(server.url("/status/404")) circle")
    #expect(result.status == 4)
    #expect(files(folder).isEmpty)
  }

  @Test func onlyRetryableFailuresHaveTheirOwnCode() throws {
    let server = try FaultServer(files: RunTests.images)
    let (result, _) = try run(
      "\(server.url("/file/logo.png")) circle\n\(server.url("/status/503")) circle")
    #expect(result.status == 5)
  }

  @Test(arguments: [("none", Int32(0)), ("any", 3), ("all", 0)])
  func failOnDecidesTheExitCode(when: String, status: Int32) throws {
    let server = try FaultServer(files: RunTests.images)
    let (result, _) = try run(
      "\(server.url("/file/logo.png")) circle\n\(server.url("/status/404")) circle", ["--fail-on", when])
    #expect(result.status == status)
  }

  @Test func privateAddressesAreRefusedUnlessNamed() throws {
    let server = try FaultServer(files: RunTests.images)
    let (result, folder) = try run("\(server.url("/file/logo.png")) circle", head: "client nuke 12\n")
    #expect(result.status == 4)
    #expect(result.output.contains("fetch.private-address"))
    #expect(result.output.contains("allow-private"))
    #expect(files(folder).isEmpty)
    #expect(try server.stats().connections <= 1)
  }

  @Test func aJobWithErrorsStartsNothing() throws {
    let server = try FaultServer(files: RunTests.images)
    let (result, folder) = try run(
      "chain card = resise(width: 3)\n\(server.url("/file/logo.png")) circel\n\(server.url("/file/logo.png")) circle"
    )
    #expect(result.status == 2)
    #expect(result.messages.contains("test.job:4:14: error:"))
    #expect(result.messages.contains("test.job:5:"))
    #expect(result.messages.contains("resize"))
    #expect(!FileManager.default.fileExists(atPath: folder.file("cache").path))
    #expect(try server.stats().requests.isEmpty)
  }

  @Test func htmlEmptyAndTruncatedBodiesNeverEnterTheCache() throws {
    let folder = try TemporaryFolder()
    let whole = try Data(contentsOf: RunTests.images.appendingPathComponent("mountains.jpg"))
    try Data("<!doctype html><title>404</title>".utf8).write(to: folder.file("page.jpg"))
    try Data().write(to: folder.file("empty.jpg"))
    try whole.prefix(whole.count / 2).write(to: folder.file("half.jpg"))
    let server = try FaultServer(files: folder.url)
    let (result, made) = try run(
      ["page.jpg", "empty.jpg", "half.jpg"].map { "\(server.url("/file/\($0)")) circle original" }
        .joined(separator: "\n"), ["--json"])
    #expect(result.status == 4)
    #expect(files(made).isEmpty)
    let codes = try result.objects().compactMap { ($0["error"] as? [String: Any])?["code"] as? String }
    #expect(Set(codes) == ["image.format", "fetch.empty", "image.truncated"])
  }

  /// The frames of a GIF before a cut are whole, and so is a GIF without its trailer where the server says its length.
  @Test func aBodyWithoutALengthIsCutWhereItsEndIsMissing() throws {
    let folder = try TemporaryFolder()
    let whole = try Data(contentsOf: RunTests.images.appendingPathComponent("planets.gif"))
    try whole.write(to: folder.file("whole.gif"))
    try whole.dropLast().write(to: folder.file("open.gif"))
    let frame = try #require(whole.lastRange(of: Data([0x21, 0xF9])))
    let server = try FaultServer(files: folder.url)
    let cut = "/close-delimited/whole.gif?cut=\(frame.lowerBound)"
    let (result, made) = try run(
      ["/close-delimited/whole.gif", "/file/open.gif", "/close-delimited/open.gif", cut]
        .map { "\(server.url($0)) original" }.joined(separator: "\n"), ["--json", "--retries", "1"])
    // They may pass another time.
    #expect(result.status == 5)
    #expect(files(made).count == 2)
    let codes = try result.objects().compactMap { ($0["error"] as? [String: Any])?["code"] as? String }
    #expect(codes == ["fetch.truncated", "fetch.truncated"])
    #expect(try server.stats().requests[cut] == 2)
  }

  /// Markers do not say whether a JPEG without its end mark is whole.
  @Test func anOriginalThatLacksOnlyItsEndMarkIsStored() throws {
    let folder = try TemporaryFolder()
    let whole = try Data(contentsOf: RunTests.images.appendingPathComponent("mountains.jpg"))
    let picture = whole.dropLast(2)
    try picture.write(to: folder.file("picture.jpg"))
    try (picture.prefix(picture.count / 2) + Data(count: picture.count / 2)).write(
      to: folder.file("zeros.jpg"))
    try (picture + Data(repeating: 7, count: 40) + whole.suffix(2)).write(to: folder.file("odd.jpg"))
    let server = try FaultServer(files: folder.url)
    let (result, made) = try run(
      "\(server.url("/file/picture.jpg")) original circle\n\(server.url("/file/zeros.jpg")) original circle",
      ["--json"])
    #expect(result.status == 3)
    #expect(files(made).count == 2)
    #expect(result.output.contains("image.truncated") && !result.output.contains("not quite in order"))
    #expect(try BuiltCommand.run(["verify", "cache"], in: made.url).status == 0)
    #expect(try BuiltCommand.run(["verify", "cache", "--quick"], in: made.url).status == 0)
    let (odd, _) = try run("check decode\n\(server.url("/file/odd.jpg")) original", ["--json"])
    #expect(odd.status == 0 && odd.output.contains("not quite in order"))
    let (strict, _) = try run("\(server.url("/file/odd.jpg")) original", ["--json", "--strict"])
    #expect(strict.status == 4)
  }

  @Test func aWrongDigestIsRefused() throws {
    let server = try FaultServer(files: RunTests.images)
    let digest = String(repeating: "0", count: 64)
    let (result, folder) = try run("\(server.url("/file/logo.png")) circle sha256=\(digest)")
    #expect(result.status == 4)
    #expect(result.output.contains("source.sha256"))
    #expect(files(folder).isEmpty)
  }

  @Test func theJobsLimitEndsADownloadAndNotOnlyItsDecoding() throws {
    let server = try FaultServer(files: RunTests.images)
    let (result, _) = try run(
      "max-bytes 100K\n\(server.url("/ok?size=10000000")) circle\n\(server.url("/big-chunked?size=10000000")) circle",
      ["--json"])
    #expect(result.status == 4)
    let codes = try result.objects().compactMap { ($0["error"] as? [String: Any])?["code"] as? String }
    #expect(codes == ["fetch.too-large", "fetch.too-large"])
  }

  @Test func secretsAppearNowhere() throws {
    let server = try FaultServer(files: RunTests.images)
    let secret = "S3CRETvalue"
    let (result, folder) = try run(
      """
      header 127.0.0.1 Authorization: Bearer ${TOKEN}
      \(server.url("/status/403?token=\(secret)")) circle
      http://me:\(secret)@127.0.0.1:\(server.port)/file/logo.png circle
      """, ["--json", "--verbose"], environment: ["TOKEN": secret])
    #expect(!result.output.contains(secret))
    #expect(!result.messages.contains(secret))
    let ledger = try Data(contentsOf: folder.file("cache.preheat/ledger.sqlite"))
    #expect(ledger.range(of: Data(secret.utf8)) == nil)
  }

  @Test func aReadOnlyPlaceIsReportedBeforeAnythingIsFetched() throws {
    let server = try FaultServer(files: RunTests.images)
    let (result, _) = try run("\(server.url("/file/logo.png")) circle", cache: "/proc/preheat")
    #expect(result.status == 9)
    #expect(try server.stats().requests.isEmpty)
  }

  @Test func aMissingJobIsAUsageError() throws {
    let result = try BuiltCommand.run(["run", "no-such.job"])
    #expect(result.status == 2)
    #expect(result.messages.contains("no-such.job"))
  }
}
