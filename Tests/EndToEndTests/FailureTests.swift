import Foundation
import TestSupport
import Testing

/// What a run does when the world is not as it should be.
@Suite(.ownThreads, .timeLimit(.minutes(10)))
struct FailureTests {
  private static let head = "client nuke 12\nallow-private 127.0.0.1\ncache cache\n"

  private func scene(_ lines: [String], head: String = head) throws -> Scene {
    try Scene(lines.joined(separator: "\n"), head: head)
  }

  @Test func oneBadSourceFailsItsOwnRenditionsOnly() throws {
    let server = try FaultServer(files: Scene.images)
    let scene = try scene([
      "\(server.url("/file/logo.png")) circle", "\(server.url("/status/404")) circle original",
    ])
    try scene.run().expect(3, prints: "1 made", "2 failed", "test.job:5", "404")
    #expect(try scene.names().count == 1)
  }

  /// Its rendition is served by another line's entry as long as that lies in the folder.
  @Test func aLineThatFailedServesNobody() throws {
    let chains = ["original id=a", "blackWhite noDiskWrite id=a", "tint(color: red) noDiskWrite id=b"]
    let scene = try scene(
      chains.map { "./picture.png \($0)" }, head: "client kingfisher 8\nstyle options\ncache cache\n")
    try scene.run(["--json"]).expect(4, prints: "\"foundInPart\":0,\"notFound\":2,")
    let picture = scene.folder.file("picture.png")
    try FileManager.default.copyItem(at: Scene.images.appendingPathComponent("logo.png"), to: picture)
    try scene.run(["--json"]).expect(0, prints: "\"foundInPart\":1,\"notFound\":1,")
    // The entry of the run before stays.
    try scene.folder.remove("picture.png")
    try scene.run(["--json"]).expect(4, prints: "\"foundInPart\":1,\"notFound\":1,")
  }

  @Test func onlyRetryableFailuresHaveTheirOwnCode() throws {
    let server = try FaultServer(files: Scene.images)
    let lines = ["/file/logo.png", "/status/503"].map { "\(server.url($0)) circle" }
    try scene(lines).run().expect(5)
  }

  @Test func privateAddressesAreRefusedUnlessNamed() throws {
    let server = try FaultServer(files: Scene.images)
    let scene = try scene(["\(server.url("/file/logo.png")) circle"], head: "client nuke 12\ncache cache\n")
    try scene.run().expect(4, prints: "fetch.private-address", "allow-private")
    #expect(try scene.files().isEmpty)
    #expect(try server.stats().connections <= 1)
  }

  @Test func htmlEmptyAndTruncatedBodiesNeverEnterTheCache() throws {
    let folder = try TemporaryFolder()
    let whole = try Data(contentsOf: Scene.images.appendingPathComponent("mountains.jpg"))
    try folder.write("<!doctype html><title>404</title>", to: "page.jpg")
    try folder.write("", to: "empty.jpg")
    try whole.prefix(whole.count / 2).write(to: folder.file("half.jpg"))
    let server = try FaultServer(files: folder.url)
    let names = ["page.jpg", "empty.jpg", "half.jpg"]
    let scene = try scene(names.map { "\(server.url("/file/\($0)")) circle original" })
    let result = try scene.run(["--json"]).expect(4)
    #expect(try scene.files().isEmpty)
    #expect(try Set(result.errorCodes()) == ["image.format", "fetch.empty", "image.truncated"])
  }

  /// The frames of a GIF before a cut are whole, and so is a GIF without its trailer where the server says its length.
  @Test func aBodyWithoutALengthIsCutWhereItsEndIsMissing() throws {
    let folder = try TemporaryFolder()
    let whole = try Data(contentsOf: Scene.images.appendingPathComponent("planets.gif"))
    try whole.write(to: folder.file("whole.gif"))
    try whole.dropLast().write(to: folder.file("open.gif"))
    let frame = try #require(whole.lastRange(of: Data([0x21, 0xF9])))
    let server = try FaultServer(files: folder.url)
    let cut = "/close-delimited/whole.gif?cut=\(frame.lowerBound)"
    let targets = ["/close-delimited/whole.gif", "/file/open.gif", "/close-delimited/open.gif", cut]
    let scene = try scene(targets.map { "\(server.url($0)) original" })
    // They may pass another time.
    let result = try scene.run(["--json", "--retries", "1"]).expect(5)
    #expect(try scene.names().count == 2)
    #expect(try result.errorCodes() == ["fetch.truncated", "fetch.truncated"])
    #expect(try server.stats().requests[cut] == 2)
  }

  /// Markers do not say whether a JPEG without its end mark is whole.
  @Test func anOriginalThatLacksOnlyItsEndMarkIsStored() throws {
    let folder = try TemporaryFolder()
    let whole = try Data(contentsOf: Scene.images.appendingPathComponent("mountains.jpg"))
    let picture = whole.dropLast(2)
    try picture.write(to: folder.file("picture.jpg"))
    try (picture.prefix(picture.count / 2) + Data(count: picture.count / 2)).write(
      to: folder.file("zeros.jpg"))
    try (picture + Data(repeating: 7, count: 40) + whole.suffix(2)).write(to: folder.file("odd.jpg"))
    let server = try FaultServer(files: folder.url)
    let made = try scene(["picture", "zeros"].map { "\(server.url("/file/\($0).jpg")) original circle" })
    try made.run(["--json"]).expect(3, prints: "image.truncated", lacks: "not quite in order")
    #expect(try made.names().count == 2)
    for depth in [[], ["--quick"]] { try made.preheat(["verify", "cache"] + depth).expect(0) }
    let odd = "\(server.url("/file/odd.jpg")) original"
    try scene(["check decode", odd]).run(["--json"]).expect(0, prints: "not quite in order")
    try scene([odd]).run(["--json", "--strict"]).expect(4)
  }

  @Test func aWrongDigestIsRefused() throws {
    let server = try FaultServer(files: Scene.images)
    let digest = String(repeating: "0", count: 64)
    let scene = try scene(["\(server.url("/file/logo.png")) circle sha256=\(digest)"])
    try scene.run().expect(4, prints: "source.sha256")
    #expect(try scene.files().isEmpty)
  }

  @Test func theJobsLimitEndsADownloadAndNotOnlyItsDecoding() throws {
    let server = try FaultServer(files: Scene.images)
    let lines = ["/ok", "/big-chunked"].map { "\(server.url("\($0)?size=10000000")) circle" }
    let result = try scene(["max-bytes 100K"] + lines).run(["--json"]).expect(4)
    #expect(try result.errorCodes() == ["fetch.too-large", "fetch.too-large"])
  }

  @Test func aReadOnlyPlaceIsReportedBeforeAnythingIsFetched() throws {
    let server = try FaultServer(files: Scene.images)
    let line = "\(server.url("/file/logo.png")) circle"
    try scene([line], head: "client nuke 12\ncache /proc/preheat\n").run().expect(9)
    #expect(try server.stats().requests.isEmpty)
  }
}
