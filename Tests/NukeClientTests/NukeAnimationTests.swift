import JobSupport
import Pictures
import Testing

@testable import NukeClient

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

  @Test func aFormatThatIsNamedIsWritten() {
    #expect(Preheat.stored("nuke 13.2.0", "circle encode=png", of: .gif) == "own encoded; found exact")
    #expect(Preheat.stored("nuke 13.2.0", "circle encode=keep", of: .gif) == "own original; found exact")
  }
}
