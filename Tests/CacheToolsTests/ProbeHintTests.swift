import Foundation
import JobSupport
import TestSupport
import Testing

@testable import CacheTools
@testable import Planning

/// A miss names the setting under which there would be a hit.
/// What a plan says of animated sources without a network.
@Suite(.timeLimit(.minutes(10)))
struct ProbeHintTests {
  private let folder = TemporaryFolder.new

  private func plan(_ client: String, _ chain: String) throws -> Plan {
    try #require(Preheat.plan("\(client)\ncache c\nhttps://e.com/1.jpg \(chain)\n").plan)
  }

  /// What a request finds in a cache that was made for another one.
  private func reason(made: (String, String), asked: (String, String)) throws -> String {
    for rendition in try plan(made.0, made.1).renditions {
      for store in rendition.stores {
        try Data("x".utf8).write(to: folder.file(store.fileName))
        try FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSince1970: 2_100_000_000)],
          ofItemAtPath: folder.file(store.fileName).path)
      }
    }
    return try #require(try plan(asked.0, asked.1).probes(in: folder.path).first).finding.reason
  }

  @Test(arguments: [
    ("client nuke 12", "client nuke 12\nscale 2", "resize(width: 20)", "for screen scale 1:"),
    ("client nuke 12\nscale 2 3", "client nuke 12", "resize(width: 20)", "for screen scale 2 and 3:"),
    ("client nuke 11", "client nuke 12", "thumbnail(maxPixelSize: 64)", "made for nuke 11.6.4 is"),
    ("client kingfisher 7", "client kingfisher 8", "blackWhite", "made for kingfisher 7.12.0 is"),
    ("client kingfisher 8\nstyle builder", "client kingfisher 8", "blackWhite", "style builder is"),
    ("client kingfisher 8", "client kingfisher 8\nstyle builder", "blackWhite", "style options is"),
  ])
  func theOtherSettingIsNamed(made: String, asked: String, chain: String, hint: String) throws {
    let reason = try reason(made: (made, chain), asked: (asked, chain))
    #expect(reason.contains(hint), "\(reason)")
  }

  @Test func aHitNeedsNoHint() throws {
    let both = ("client nuke 12", "resize(width: 20)")
    #expect(
      try reason(made: both, asked: both) == "the request's own entry is there; it only has to be decoded")
  }

  @Test func anOriginalThatServesInItsPlaceDoesNotHideTheReason() throws {
    let client = "client kingfisher 8"
    _ = try reason(made: (client, "original"), asked: (client, "original"))
    let reason = try reason(made: ("\(client)\nstyle builder", "blackWhite"), asked: (client, "blackWhite"))
    #expect(reason.contains("the original is") && reason.contains("style builder is"))
  }

  @Test(arguments: [
    ("circle noDiskRead", "never looks in the disk cache"),
    ("circle offline", "with returnCacheDataDontLoad"),
  ])
  func aRequestsOptionsAreTheReason(line: String, reason: String) throws {
    let client = "client nuke 12"
    _ = try self.reason(made: (client, "original"), asked: (client, "original"))
    let said = try self.reason(made: (client, "original"), asked: (client, line))
    #expect(said.contains(reason), "\(said)")
  }

  @Test func anEmptyFolderGivesNoHint() throws {
    let probe = try #require(try plan("client nuke 12", "resize(width: 20)").probes(in: folder.path).first)
    #expect(probe.finding.reason == "none of the keys that are looked up has a file")
  }

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
