import Testing

@testable import Pictures
@testable import Rendering

@Suite(.timeLimit(.minutes(10)))
struct RenderPixelsTests {
  @Test(arguments: [
    (2, 3, 24), (1, 1, 4), (0, 5, .max), (5, -1, .max), (-2, -2, .max), (.max, .max, .max),
    (1 << 40, 1 << 40, .max),
  ])
  func bytesAreCountedAndSizesThatMakeNoSenseAreEndless(width: Int, height: Int, bytes: Int) {
    let pixels = RenderPixels(width: width, height: height, channels: 3)
    #expect(pixels.byteCount == bytes)
    #expect(RenderAnswer.OutputResult.pixels(pixels, note: nil).payloadBytes == bytes)
  }

  @Test(arguments: [(5, 5, 10, 10), (0, 5, 10, .max), (5, 5, 0, .max), (5, 5, -1, .max)])
  func anEncodedResultIsBelievedOnlyWithASizeAndBytes(width: Int, height: Int, count: Int, bytes: Int) {
    let result = RenderAnswer.OutputResult.encoded(
      format: .png, width: width, height: height, byteCount: count, note: nil)
    #expect(result.payloadBytes == bytes)
    #expect(RenderAnswer.OutputResult.original.payloadBytes == 0)
  }

  @Test func whetherAPictureIsOpaqueFollowsFromItsChannels() {
    #expect(
      (1...4).map { RenderPixels(width: 1, height: 1, channels: $0).isOpaque } == [true, false, true, false])
  }
}
