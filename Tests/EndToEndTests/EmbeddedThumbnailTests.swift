import Foundation
import Pictures
import Rendering
import TestSupport
import Testing

/// Embedded thumbnails over HTTP: how much of a file is fetched, and what is made of it.
@Suite(.timeLimit(.minutes(10)))
struct EmbeddedThumbnailTests {
  private static let fixture = Fixtures.folder.appendingPathComponent("images/thumbnail.jpg")

  /// A JPEG of 640x480 with a thumbnail of 160x120 and so many bytes behind its end.
  private static func photograph(padding: Int) throws -> Data {
    try Data(contentsOf: fixture) + Data(count: padding)
  }

  private struct Outcome {
    var sizes: [String: Int] = [:]
    var notes: [String] = []
    var requests: [String]
    var fetched: Int
    var failed: Int
  }

  private func run(_ lines: String, pictures: [String: Data], settings: String = "") throws -> Outcome {
    let folder = try TemporaryFolder()
    let site = folder.file("site")
    try FileManager.default.createDirectory(at: site, withIntermediateDirectories: true)
    for (name, data) in pictures { try data.write(to: site.appendingPathComponent(name)) }
    let server = try NginxServer(serving: site)
    let job = "client nuke 12\ncache cache\nallow-private 127.0.0.1\n\(settings)\n"
    try Data((job + lines.replacing("URL", with: server.baseURL) + "\n").utf8).write(
      to: folder.file("test.job"))
    let result = try BuiltCommand.run(["run", "test.job", "--json"], in: folder.url)
    let objects = try result.objects()
    let summary = try #require(objects.last)
    var outcome = Outcome(
      requests: try server.requests(), fetched: try #require(summary["bytesFetched"] as? Int),
      failed: try #require(summary["failed"] as? Int))
    outcome.notes = objects.compactMap { $0["note"] as? String }
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.file("cache").path) {
      guard let header = try? ImageHeader.read([UInt8](try Data(contentsOf: folder.file("cache/\(name)"))))
      else { continue }
      outcome.sizes["\(header.width)x\(header.height)", default: 0] += 1
    }
    return outcome
  }

  @Test func aThumbnailThatDoesCostsTheHeadOfTheFile() throws {
    let outcome = try run(
      "URL/a.jpg resize(width: 120, unit: pixels) thumbnail(maxPixelSize: 100)",
      pictures: ["a.jpg": try Self.photograph(padding: 400_000)],
      settings: "embedded prefer\npolicy storeEncodedImages")
    #expect(outcome.sizes == ["120x90": 1, "100x75": 1])
    #expect(outcome.notes.count == 2 && outcome.notes.allSatisfy { $0.contains("embedded thumbnail") })
    #expect(outcome.requests == ["/a.jpg"])
    #expect(outcome.fetched == RenderRequest.headBytes)
  }

  @Test func oneThatDoesNotCostsTheRestOfItAndNoMore() throws {
    let whole = try Self.photograph(padding: 400_000)
    let outcome = try run(
      "URL/a.jpg resize(width: 120, unit: pixels) resize(width: 320, unit: pixels)",
      pictures: ["a.jpg": whole], settings: "embedded prefer")
    #expect(outcome.sizes == ["120x90": 1, "320x240": 1])
    #expect(outcome.notes.contains { $0.contains("too few") })
    #expect(outcome.requests == ["/a.jpg", "/a.jpg"])
    #expect(outcome.fetched == whole.count)
  }

  @Test func aShortFileIsFetchedOnce() throws {
    let whole = try Self.photograph(padding: 0)
    let outcome = try run(
      "URL/a.jpg resize(width: 320, unit: pixels) embedded=prefer", pictures: ["a.jpg": whole])
    #expect(outcome.sizes == ["320x240": 1])
    #expect(outcome.requests == ["/a.jpg"])
    #expect(outcome.fetched == whole.count)
  }

  @Test func withoutBeingAskedForOnlyTheFlagsOfAThumbnailUseIt() throws {
    let whole = try Self.photograph(padding: 400_000)
    let chains = [
      "resize(width: 120, unit: pixels)", "thumbnail(maxPixelSize: 120)",
      "thumbnail(maxPixelSize: 120, createThumbnailFromImageAlways: false)",
    ]
    let fetched = try chains.map {
      try run("URL/a.jpg \($0)", pictures: ["a.jpg": whole], settings: "policy storeEncodedImages").fetched
    }
    #expect(fetched == [whole.count, whole.count, RenderRequest.headBytes])
  }

  @Test func whereOnlyItIsWantedALargerSizeFails() throws {
    let outcome = try run(
      "URL/a.jpg resize(width: 320, unit: pixels)",
      pictures: ["a.jpg": try Self.photograph(padding: 400_000)], settings: "embedded only")
    #expect(outcome.failed == 1)
    #expect(outcome.fetched == RenderRequest.headBytes)
  }

  @Test func anOriginalIsFetchedWhole() throws {
    let whole = try Self.photograph(padding: 400_000)
    let outcome = try run(
      "URL/a.jpg original resize(width: 120, unit: pixels)", pictures: ["a.jpg": whole],
      settings: "embedded prefer")
    #expect(outcome.fetched == whole.count)
    #expect(outcome.notes.contains("drawn from the embedded thumbnail"))
  }
}
