import Foundation
import Testing

@testable import ImageProcessing
@testable import Pictures
@testable import Rendering

@Suite(.timeLimit(.minutes(10))) struct EncodingTests {
  static let automatic = RenderRequest.Encoding.automatic(jpegQuality: 80)

  @Test(arguments: [(1, ImageFormat.jpeg), (2, .png), (3, .jpeg), (4, .png)])
  func anAlphaChannelDecidesForPNG(bands: Int, format: ImageFormat) throws {
    // Opaque everywhere: the channel counts, not what is in it.
    let picture = TestPicture.plain(8, 8, [Int](repeating: 255, count: bands))
    #expect(try render(picture.png(), [], Self.automatic).format == format)
  }

  @Test(arguments: [
    RenderStep.circle(border: nil), .roundedCorners(radius: 0, border: nil),
    .gaussianBlur(radius: 2, keepsOpaque: false),
  ])
  func stepsThatAddAlphaGivePNG(step: RenderStep) throws {
    #expect(try render(TestPicture.gradient(8, 8).png(), [step], Self.automatic).format == .png)
  }

  @Test func aBlurThatKeepsOpaqueGivesJPEG() throws {
    let steps = [RenderStep.gaussianBlur(radius: 2, keepsOpaque: true)]
    #expect(try render(TestPicture.gradient(8, 8).png(), steps, Self.automatic).format == .jpeg)
  }

  @Test func jpegLaysAlphaOntoWhite() throws {
    let picture = TestPicture.plain(16, 16, [0, 0, 255, 0])
    let result = try render(picture.png(), [], .jpeg(quality: 100)).image()
    #expect(!result.hasAlpha)
    #expect(result.samples.allSatisfy { $0 >= 253 })
  }

  @Test func aHigherQualityGivesMoreBytes() throws {
    let source = TestPicture.noise(64, 64).png()
    let sizes = try [10, 50, 90].map { try render(source, [], .jpeg(quality: $0)).bytes.count }
    #expect(sizes == sizes.sorted() && Set(sizes).count == 3)
  }

  @Test func ofAnAnimationTheFirstFrameIsDrawn() throws {
    let gif = TestPicture.gradient(20, 10).gif(frames: 3)
    let result = try render(gif, [.resize(10, 5)], .automatic(jpegQuality: 80))
    #expect((result.format, result.width, result.height) == (.jpeg, 10, 5))
  }

  @Test func aJPEGTooLongForItsFormatIsALimit() {
    let source = TestPicture.plain(2, 1, [9]).png()
    let limits = RenderLimits(maxSide: 100_000)
    let steps = [
      RenderStep.resize(65_501, 9999, .aspectFill, crop: true, cropEnlarges: true), .resize(65_501, 1),
    ]
    #expect(failure { try render(source, [steps[0]], .jpeg(quality: 80), limits: limits) } == .limit)
  }

  @Test func resultsCarryNoMetadata() throws {
    let picture = TestPicture.gradient(64, 48)
    let block = Exif.block(text: "Secret Place", thumbnail: try TestPicture.gradient(16, 12).jpeg())
    let text = Array("Comment\0Secret Place".utf8)
    let sources = [
      Exif.insert(block, into: try picture.jpeg()),
      picture.png(chunks: [("eXIf", block), ("tEXt", text)]),
    ]
    for source in sources {
      for encoding in [RenderRequest.Encoding.png, .jpeg(quality: 80)] {
        for steps in [[], [RenderStep.resize(32, 32)]] {
          let bytes = Data(try render(source, steps, encoding).bytes)
          #expect(bytes.range(of: Data("Secret".utf8)) == nil)
          #expect(bytes.range(of: Data("Exif".utf8)) == nil)
          #expect(bytes.range(of: Data("eXIf".utf8)) == nil)
        }
      }
    }
  }

  @Test func greyStaysGreyAndSixteenBitsAreUnderstood() throws {
    let grey = try render(TestPicture.plain(4, 4, [77]).png(), [.resize(2, 2)]).image()
    #expect(grey.bands == 1)
    #expect(grey.samples == [77, 77, 77, 77])
  }

  /// libjpeg-turbo alone writes what libvips has it write.
  @Test func aJPEGHasTheBytesOfLibvips() throws {
    for (bands, size) in [(1, 1), (3, 1), (1, 40), (3, 41), (3, 200)] {
      let image = try render(TestPicture.noise(size, size + 3, bands: bands).png(), []).image().inMemory()
      for quality in [1, 50, 89, 90, 100] {
        for chroma in [EncodingRecipe.Chroma.auto, .halved, .full] {
          for (isProgressive, optimizes) in [(false, false), (false, true), (true, true)] {
            let recipe = EncodingRecipe.Format.jpeg(
              .init(
                quality: quality, isProgressive: isProgressive, optimizesCoding: optimizes, chroma: chroma))
            let theirs = try image.save(
              "jpegsave_buffer", "Q=\(quality)", "optimize-coding=\(optimizes)", "interlace=\(isProgressive)",
              "subsample-mode=\(chroma == .auto ? "auto" : chroma == .full ? "off" : "on")")
            #expect(try image.encoded(as: recipe) == theirs, "\(recipe) of \(bands) bands")
          }
        }
      }
    }
  }
}
