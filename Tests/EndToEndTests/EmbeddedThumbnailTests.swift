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

  /// Chains of one source and its settings; the sizes that are made, requests and bytes that it costs, notes.
  private struct Case {
    var chains: String
    var settings = "embedded prefer"
    var padding = 400_000
    var sizes: [String]
    var requests = 1
    var isFetchedWhole = true
    var notes: [String] = []
    var status: Int32 = 0
  }

  private static let cases = [
    // One that does costs the head of the file,
    Case(
      chains: "resize(width: 120, unit: pixels) thumbnail(maxPixelSize: 100)",
      settings: "embedded prefer\npolicy storeEncodedImages", sizes: ["100x75", "120x90"],
      isFetchedWhole: false, notes: ["embedded thumbnail", "embedded thumbnail"]),
    // one that does not the rest of it and no more, and a short file is fetched once.
    Case(
      chains: "resize(width: 120, unit: pixels) resize(width: 320, unit: pixels)",
      sizes: ["120x90", "320x240"],
      requests: 2, notes: ["too few"]),
    Case(
      chains: "resize(width: 320, unit: pixels) embedded=prefer", settings: "", padding: 0, sizes: ["320x240"]
    ),
    // Where it is not asked for only the flags of a thumbnail use it.
    Case(
      chains: "resize(width: 120, unit: pixels)", settings: "policy storeEncodedImages", sizes: ["120x90"]),
    Case(chains: "thumbnail(maxPixelSize: 120)", settings: "policy storeEncodedImages", sizes: ["120x90"]),
    Case(
      chains: "thumbnail(maxPixelSize: 120, createThumbnailFromImageAlways: false)",
      settings: "policy storeEncodedImages", sizes: ["120x90"], isFetchedWhole: false),
    // Where only it is wanted a larger size fails; an original is fetched whole.
    Case(
      chains: "resize(width: 320, unit: pixels)", settings: "embedded only", sizes: [], isFetchedWhole: false,
      status: 4),
    Case(
      chains: "original resize(width: 120, unit: pixels)", sizes: ["120x90", "640x480"],
      notes: ["drawn from the embedded thumbnail"]),
  ]

  @Test(arguments: cases.indices) func anEmbeddedThumbnailCostsWhatItSaves(_ index: Int) throws {
    let one = Self.cases[index]
    let site = try TemporaryFolder()
    let whole = try Self.photograph(padding: one.padding)
    try whole.write(to: site.file("a.jpg"))
    let server = try NginxServer(serving: site.url)
    let scene = try Scene(
      "\(server.baseURL)/a.jpg \(one.chains)",
      head: "client nuke 12\ncache cache\nallow-private 127.0.0.1\n\(one.settings)\n")
    let objects = try scene.run(["--json"]).expect(one.status).objects()
    let headers = try scene.entries().values.map { try ImageHeader.read([UInt8]($0)) }
    #expect(headers.map { "\($0.width)x\($0.height)" }.sorted() == one.sizes)
    #expect(try server.requests() == Array(repeating: "/a.jpg", count: one.requests))
    #expect(
      objects.last?["bytesFetched"] as? Int == (one.isFetchedWhole ? whole.count : RenderRequest.headBytes))
    let notes = objects.compactMap { $0["note"] as? String }
    for words in one.notes { #expect(notes.contains { $0.contains(words) }, "\(notes)") }
    #expect(notes.count { $0.contains("embedded thumbnail") } >= one.notes.count { $0.contains("embedded") })
  }
}
