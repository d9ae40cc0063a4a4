import JobSupport
import Pictures
import Planning
import TestSupport
import Testing

/// What Nuke's releases store of animated sources.
@Suite(.timeLimit(.minutes(10)))
struct NukeAnimationTests {
  @Test(arguments: ["12.1.0", "12.6.0", "13.2.0"], [AnimatedKind.gif, .stillGIF])
  func aGIFIsStoredAsItCame(version: String, kind: AnimatedKind) {
    #expect(
      Preheat.stored("nuke \(version)", "resize(width: 20) | circle", of: kind)
        == "own original; found exact")
  }

  @Test(arguments: ["10.0.0", "11.6.4", "12.0.0"])
  func olderReleasesStoreTheFirstFrame(version: String) {
    #expect(Preheat.stored("nuke \(version)", "circle", of: .gif) == "own encoded; found exact")
  }

  @Test(arguments: [AnimatedKind.webp, .apng])
  func otherAnimationsAreStills(kind: AnimatedKind) {
    #expect(Preheat.stored("nuke 13.2.0", "circle", of: kind) == "own encoded; found exact")
  }

  @Test func aThumbnailsGIFIsStoredWhereThumbnailsAre() {
    let line = "thumbnail(maxPixelSize: 20)"
    #expect(Preheat.stored("nuke 12.6.0", line, of: .gif).hasPrefix("own original"))
    // Nothing is encoded there: the download itself has the thumbnail's key.
    #expect(Preheat.stored("nuke 12.5.0", line, of: .webp) == "own original; found exact")
    let reachable = Preheat.stored("nuke 12.5.0", line, of: .gif, settings: "policy reachable")
    #expect(reachable == "own original; found exact")
  }

  /// By its first three letters up to 13.1.0, then by its version.
  @Test func aGIFIsKnownAsTheReleaseKnowsIt() {
    let bytes = Array("GIF88a".utf8) + GIFFilm.sample.dropFirst(6)
    #expect(AnimatedKind(bytes) == .oddGIF && AnimatedKind(GIFFilm.sample) == .gif)
    for (version, content) in [
      ("12.0.0", "encoded"), ("12.1.0", "original"), ("13.1.0", "original"), ("13.2.0", "encoded"),
    ] {
      #expect(Preheat.stored("nuke \(version)", "circle", of: .oddGIF) == "own \(content); found exact")
    }
  }

  /// `request.url` decides in every release, and an image ID is not it.
  @Test func aLocalSourceStaysLocalUnderAnID() throws {
    func rendition(_ version: String, _ line: String) throws -> PlannedRendition {
      let text = "client nuke \(version)\ncache out\n\(line)"
      let plan = try #require(Preheat.plan(text).plan)
      return plan.rendition(at: try #require(plan.rows.first))
    }
    for url in ["/photos/1.png", "data:image/png;base64,AAAA"] {
      for version in ["10.0.0", "11.6.4", "12.8.0"] {
        let found = try rendition(version, "\(url) circle id=https://e.com/1.png")
        #expect(found.key.hasPrefix("https://e.com/1.png") && found.stores.isEmpty)
        #expect(found.note?.contains("for a picture of this kind of URL") == true)
      }
      let later = try rendition("12.9.0", "\(url) circle id=https://e.com/1.png")
      #expect(later.stores.map(\.content) == [.encoded])
    }
  }

  @Test func aFormatThatIsNamedIsWritten() {
    #expect(Preheat.stored("nuke 13.2.0", "circle encode=png", of: .gif) == "own encoded; found exact")
    #expect(Preheat.stored("nuke 13.2.0", "circle encode=keep", of: .gif) == "own original; found exact")
  }
}
