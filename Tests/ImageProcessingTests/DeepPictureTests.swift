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

  private let profile: [UInt8]
  private let chunk: TestPicture.Chunk

  init() throws {
    profile = [UInt8](try Fixtures.image("srgb.icc"))
    chunk = ("iCCP", Array("p".utf8) + [0, 0] + TestPicture.zlib(profile))
  }

  @Test(arguments: [[], [RenderStep.resize(20, 10)], [.gaussianBlur(radius: 1, keepsOpaque: false)]])
  func sixteenBitsWithAProfileKeepTheirTransparency(steps: [RenderStep]) throws {
    let grey = TestPicture(40, 20, bands: 2) { x, _, band in band == 0 ? 90 : x < 20 ? 0 : 128 }
    for file in [
      Self.half.png(chunks: [chunk], isDeep: true), grey.png(chunks: [chunk], isDeep: true),
      Self.half.tiff(TIFFKind(isDeep: true, extraSamples: 2, profile: profile)),
    ] {
      let image = try render(file, steps, formats: Set(ImageFormat.allCases)).image()
      try #require(image.hasAlpha)
      #expect(image.pixel(1, image.height / 2).last == 0)
      #expect((127...129).contains(image.pixel(image.width - 2, image.height / 2).last ?? 0))
    }
  }

  @Test func aCutInsideAProfileOrAColourMapIsNoPicture() throws {
    let map = (0..<768).map { $0 * 85 }
    let palette = TestPicture(16, 16, bands: 1) { x, y, _ in x * 16 + y }
    let files = [
      Self.half.tiff(TIFFKind(extraSamples: 2, profile: profile)),
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
