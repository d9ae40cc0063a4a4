import Foundation
import TestSupport
import Testing

@testable import ImageProcessing
@testable import Pictures
@testable import Rendering

/// Pictures with more than eight bits, with profiles, and TIFFs that say unusual things of their samples.
@Suite(.timeLimit(.minutes(10))) struct DeepPictureTests {
  private static let half = TestPicture(40, 20, bands: 4) { x, _, band in
    band < 3 ? [200, 100, 50][band] : x < 20 ? 0 : 128
  }

  private func profile() throws -> [UInt8] { [UInt8](try Fixtures.image("srgb.icc")) }

  private func expectTransparency(of file: [UInt8], _ steps: [RenderStep]) throws {
    let image = try render(file, steps, formats: Set(ImageFormat.allCases)).image()
    try #require(image.hasAlpha)
    let samples = image.samples
    let row = image.width * image.bands
    func alpha(_ x: Int) -> Int { Int(samples[row * (image.height / 2) + x * image.bands + image.bands - 1]) }
    #expect(alpha(1) == 0)
    #expect((127...129).contains(alpha(image.width - 2)))
  }

  @Test(arguments: [[], [RenderStep.resize(20, 10)], [.gaussianBlur(radius: 1, keepsOpaque: false)]])
  func sixteenBitsWithAProfileKeepTheirTransparency(steps: [RenderStep]) throws {
    let chunk = Array("p".utf8) + [0, 0] + TestPicture.zlib(try profile())
    try expectTransparency(of: Self.half.png(chunks: [("iCCP", chunk)], isDeep: true), steps)
    try expectTransparency(
      of: Self.half.tiff(TIFFKind(isDeep: true, extraSamples: 2, profile: try profile())), steps)
  }

  @Test func greyOfSixteenBitsWithAlphaAndAProfileKeepsItsTransparency() throws {
    let grey = TestPicture(40, 20, bands: 2) { x, _, band in band == 0 ? 90 : x < 20 ? 0 : 128 }
    let chunk = Array("p".utf8) + [0, 0] + TestPicture.zlib(try profile())
    try expectTransparency(of: grey.png(chunks: [("iCCP", chunk)], isDeep: true), [])
  }

  @Test func aFourthBandOfUnknownMeaningIsNoAlpha() throws {
    for kind in [TIFFKind(extraSamples: 0), TIFFKind()] {
      let image = try render(Self.half.tiff(kind), [], formats: [.tiff]).image()
      #expect(!image.hasAlpha)
      #expect(Array(image.samples.prefix(3)) == [200, 100, 50])
    }
  }

  @Test func signedSamplesAreRefusedByName() {
    let file = TestPicture.plain(8, 8, [100, 100, 100]).tiff(TIFFKind(sampleFormat: 2))
    #expect(failure { try render(file, [], formats: [.tiff]) } == .format)
  }

  /// libvips needs what the colours are (tag 262, here called 263), and older files leave it out.
  @Test func whatLibvipsHasNoCodeForIsAKindAndNoDamage() throws {
    var file = TestPicture.plain(8, 8, [100, 100, 100]).tiff()
    let tag = try #require((0..<file.count - 4).first { file[$0..<$0 + 4] == [1, 6, 0, 3] })
    file[tag + 1] = 7
    #expect(failure { try render(file, [], formats: [.tiff]) } == .format)
  }

  @Test func aCutInsideAProfileOrAColourMapIsNoPicture() throws {
    let map = (0..<768).map { $0 * 85 }
    let palette = TestPicture(16, 16, bands: 1) { x, y, _ in x * 16 + y }
    let files = [
      Self.half.tiff(TIFFKind(extraSamples: 2, profile: try profile())),
      palette.tiff(TIFFKind(colorMap: map)),
    ]
    for file in files {
      #expect(failure { try render(file, [], formats: [.tiff]) } == nil)
      for missing in [1, 100, 500] {
        let cut = Array(file.dropLast(missing))
        #expect(failure { try render(cut, [], formats: [.tiff]) } == .truncated)
        #expect(throws: RenderFailure.self) { try PictureStructure.check(cut, formats: [.tiff]) }
      }
    }
  }
}
