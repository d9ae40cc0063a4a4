import JobSupport
import Pictures
import Testing

@testable import KingfisherClient

/// What Kingfisher's releases store of animated sources.
@Suite(.timeLimit(.minutes(10)))
struct KingfisherAnimationTests {
  @Test(
    arguments: ["5.0.0", "6.3.1", "8.11.0"], ["blur(blurRadius: 4)", "downsampling(size: 20x20)"])
  func nothingIsStoredOfAProcessedGIF(version: String, chain: String) {
    for kind in [AnimatedKind.gif, .stillGIF] {
      #expect(Preheat.stored("kingfisher \(version)", chain, of: kind) == "nothing; found nothing")
    }
    #expect(Preheat.stored("kingfisher \(version)", chain, of: .apng) == "own encoded; found exact")
    let webp = version == "5.0.0" ? "original" : "encoded"
    #expect(Preheat.stored("kingfisher \(version)", chain, of: .webp) == "own \(webp); found exact")
  }

  @Test func anOriginalIsStoredAsItCame() {
    #expect(Preheat.stored("kingfisher 8.11.0", "original", of: .gif) == "own original; found exact")
  }

  @Test func theAppFindsTheOriginalThatAnotherChainStores() {
    #expect(
      Preheat.stored("kingfisher 8.11.0", "blur(blurRadius: 4) original", of: .gif) == "nothing; found part")
  }

  @Test(arguments: AnimatedKind.allCases)
  func aPreferredOriginalIsStoredUnderTheChainsKey(kind: AnimatedKind) {
    for version in ["5.13.0", "7.4.0", "8.11.0"] {
      let stored = Preheat.stored(
        "kingfisher \(version)", "blur(blurRadius: 4)", of: kind, settings: "original-data on")
      #expect(stored.hasPrefix("own original"), "\(version)")
    }
  }

  @Test func aFormatThatIsNamedIsWritten() {
    #expect(
      Preheat.stored("kingfisher 8.11.0", "blur(blurRadius: 4) encode=png", of: .gif)
        == "own encoded; found exact")
  }

  /// Of formats other than JPEG, PNG and GIF 5.0.0 to 5.2.0 store what came, whatever was made of it.
  @Test(arguments: [AnimatedKind.webp, .rarer])
  func rarerFormatsAreStoredAsTheyCameBefore530(kind: AnimatedKind) {
    for (version, content) in [
      ("5.0.0", "original"), ("5.2.0", "original"), ("5.3.0", "encoded"), ("8", "encoded"),
    ] {
      let line = "blur(blurRadius: 4)"
      #expect(Preheat.stored("kingfisher \(version)", line, of: kind) == "own \(content); found exact")
    }
    #expect(
      Preheat.stored("kingfisher 5.2.0", "blur(blurRadius: 4) encode=png", of: kind).contains("encoded"))
  }
}
