import TestSupport
import Testing

@testable import Pictures

/// What moves, by the file's own marks.
@Suite(.timeLimit(.minutes(10)))
struct AnimatedKindTests {
  @Test func aGIFMovesWithTwoFrames() {
    #expect(AnimatedKind(GIFFilm.sample) == .gif)
    #expect(AnimatedKind(GIFFilm.still) == .stillGIF)
  }

  @Test func aPNGMovesByItsControlChunk() {
    func chunk(_ frames: Int) -> [UInt8] {
      Samples.chunk("acTL", Samples.bigEndian(frames, 4) + [0, 0, 0, 0])
    }
    #expect(AnimatedKind(Samples.png(9, 8, more: chunk(3))) == .apng)
    #expect(AnimatedKind(Samples.png(9, 8, more: chunk(1))) == nil)
    #expect(AnimatedKind(Samples.png(9, 8)) == nil)
  }

  @Test func picturesAndNoiseDoNot() {
    #expect(AnimatedKind(Samples.jpeg(9, 8)) == nil)
    #expect(AnimatedKind(Samples.webpLossy(9, 8)) == .rarer)
    #expect(AnimatedKind(Array("GIF89a".utf8)) == nil)
    #expect(AnimatedKind([]) == nil)
  }
}
