import Foundation
import JobSupport
import Pictures
import Planning
import TestSupport
import Testing

@testable import CacheTools

/// What a plan says of animated sources without a network.
@Suite(.timeLimit(.minutes(10)))
struct AnimatedSourcesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func rendition(_ line: String, client: String = "kingfisher 8") throws -> PlannedRendition {
    let planned = Preheat.plan("client \(client)\ncache \(folder.path)/cache\n\(line)")
    #expect(planned.errors == [])
    let plan = try #require(planned.plan)
    return try #require(AnimatedSources(plan).renditions(ofSource: 0).first)
  }

  @Test func aLocalFileSaysWhatItIs() throws {
    try Data(GIFFilm.sample).write(to: folder.file("a.gif"))
    try Data(GIFFilm.still).write(to: folder.file("b.png"))
    let moving = try rendition("\(folder.path)/a.gif blur(blurRadius: 4)")
    #expect(moving.animated == .gif && moving.stores == [] && moving.found == .nothing)
    #expect(moving.note?.hasPrefix("animated GIF: Kingfisher 8.11.0 keeps") == true)
    #expect(try rendition("\(folder.path)/b.png blur(blurRadius: 4)").animated == .stillGIF)
  }

  @Test func aDataURLSaysWhatItIs() throws {
    let data = Data(GIFFilm.sample).base64EncodedString()
    #expect(try rendition("data:image/gif;base64,\(data) blur(blurRadius: 4) id=x").animated == .gif)
  }

  /// What a run refuses is not read.
  @Test func theJobsLimitOfASourceHolds() throws {
    let line = "data:image/gif;base64,\(Data(GIFFilm.sample).base64EncodedString()) blur(blurRadius: 4) id=x"
    #expect(try rendition("max-bytes \(GIFFilm.sample.count - 1)\n\(line)").animated == nil)
    #expect(try rendition("max-bytes \(GIFFilm.sample.count)\n\(line)").animated == .gif)
  }

  @Test func anEarlierRunsOriginalSaysWhatItIs() throws {
    let line = "https://e.com/1 blur(radius: 2)"
    let before = try rendition(line, client: "sdwebimage 5.21.5")
    #expect(before.animated == nil && before.note == nil)
    let original = try #require(before.stores.first { $0.content == .original })
    try FileManager.default.createDirectory(at: folder.file("cache"), withIntermediateDirectories: true)
    try Data(GIFFilm.sample).write(to: folder.file("cache/\(original.fileName)"))
    let after = try rendition(line, client: "sdwebimage 5.21.5")
    #expect(after.animated == .gif && after.stores.map(\.content) == [.original, .original])
  }

  @Test func anExtensionMakesItLikely() throws {
    let gif = try rendition("https://e.com/1.gif?v=2 blur(blurRadius: 4)")
    #expect(gif.animated == nil && gif.stores.map(\.content) == [.encoded])
    #expect(gif.note?.hasPrefix("by its name the source may be animated; animated GIF: ") == true)
    #expect(try rendition("https://e.com/1.jpg blur(blurRadius: 4)").note == nil)
  }
}
