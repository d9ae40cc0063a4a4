import Foundation
import JobSupport
import TestSupport
import Testing

@testable import CacheTools
@testable import Planning

/// A miss names the setting under which there would be a hit.
@Suite(.timeLimit(.minutes(10)))
struct ProbeHintTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

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
}
