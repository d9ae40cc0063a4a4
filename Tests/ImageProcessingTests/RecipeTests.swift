import Foundation
import Testing

@testable import ImageProcessing
@testable import Pictures
@testable import Rendering

@Suite(.timeLimit(.minutes(10))) struct RecipeTests {
  static func recipe(_ format: EncodingRecipe.Format, fitBytes: Int? = nil) -> RenderRequest.Encoding {
    .recipe(EncodingRecipe(format, fitBytes: fitBytes))
  }

  /// Formats that this system's libvips writes; HEIC and AVIF depend on what libheif has.
  static let written: Set<ImageFormat> = {
    VipsLibrary.openPlugins(for: [.heif])
    return Set(WorkerCapabilities.probe([]).encodes)
  }()

  @Test(arguments: [
    (EncodingRecipe.Format.jpeg(.init()), ImageFormat.jpeg), (.png(.init()), .png), (.webp(.init()), .webp),
    (.heic(quality: 60), .heif), (.avif(quality: 60), .avif), (.webp(.init(isLossless: true)), .webp),
    (.png(.init(compression: 9, hasPalette: true)), .png),
  ])
  func everyFormatIsWrittenOrRefusedByName(format: EncodingRecipe.Format, expected: ImageFormat) throws {
    let picture = TestPicture.gradient(48, 32)
    guard Self.written.contains(expected) else {
      #expect(failure { try render(picture.png(), [], Self.recipe(format)) } == .encode)
      return
    }
    let result = try render(picture.png(), [], Self.recipe(format))
    #expect((result.format, result.width, result.height) == (expected, 48, 32))
    #expect(ImageFormat.sniff(result.bytes) == expected)
    let samples = try result.image().plain().inMemory().samples
    let difference = zip(samples, picture.samples).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    #expect(samples.count == picture.samples.count && difference / samples.count < 12, "\(difference)")
  }

  @Test(arguments: [
    (4, EncodingRecipe.Format.jpeg(.init()), ImageFormat.png), (4, .webp(.init()), .webp),
    (2, .webp(.init()), .webp), (1, .webp(.init()), .webp), (4, .source(quality: 80), .png),
  ])
  func alphaIsNeverLost(bands: Int, format: EncodingRecipe.Format, expected: ImageFormat) throws {
    let result = try render(TestPicture.gradient(16, 16, bands: bands).png(), [], Self.recipe(format))
    #expect(result.format == expected)
    #expect(try result.image().hasAlpha == (bands % 2 == 0))
  }

  @Test func theSourcesOwnFormatIsKept() throws {
    let picture = TestPicture.gradient(20, 20)
    let webp = try render(picture.png(), [], Self.recipe(.webp(.init()))).bytes
    for (source, format) in [
      (try picture.jpeg(), ImageFormat.jpeg), (picture.png(), .png), (webp, .webp), (picture.gif(), .jpeg),
    ] {
      #expect(try render(source, [.resize(10, 10)], Self.recipe(.source(quality: 70))).format == format)
      // A circle makes alpha, which a JPEG cannot hold.
      let circle = try render(source, [.circle(border: nil)], Self.recipe(.source(quality: 70))).format
      #expect(circle == (format == .webp ? .webp : .png))
    }
  }

  @Test func likeTheSourceMeansJPEGOrPNGAsKingfisherWritesThem() throws {
    let picture = TestPicture.gradient(20, 20)
    let (jpeg, png, gif) = (try picture.jpeg(), picture.png(), picture.gif())
    // An alpha channel that hides nothing is none.
    let opaque = RenderStep.roundedCorners(radius: 0, border: nil)
    for (source, step, format) in [
      (jpeg, .resize(9, 9), .jpeg), (png, .resize(9, 9), .png), (gif, .resize(9, 9), .png),
      (jpeg, .circle(border: nil), .png), (jpeg, opaque, .jpeg), (png, opaque, .png),
    ] as [([UInt8], RenderStep, ImageFormat)] {
      #expect(try render(source, [step], .likeSource(jpegQuality: 100)).format == format)
    }
  }

  @Test func optionsOfJPEGArriveInTheFile() throws {
    let source = TestPicture.noise(64, 64).png()
    func bytes(_ options: EncodingRecipe.JPEG) throws -> [UInt8] {
      try render(source, [], Self.recipe(.jpeg(options))).bytes
    }
    let plain = try bytes(.init(quality: 80))
    let same = try render(source, [], .automatic(jpegQuality: 80)).bytes
    #expect(plain == same)
    // Frame headers: baseline and progressive; the first component's sampling factors.
    #expect(Self.frame(plain)?.marker == 0xC0 && Self.frame(plain)?.sampling == 0x22)
    #expect(Self.frame(try bytes(.init(quality: 80, isProgressive: true)))?.marker == 0xC2)
    #expect(Self.frame(try bytes(.init(quality: 80, chroma: .full)))?.sampling == 0x11)
    #expect(Self.frame(try bytes(.init(quality: 95, chroma: .halved)))?.sampling == 0x22)
    #expect(try bytes(.init(quality: 80, optimizesCoding: false)).count > plain.count)
  }

  /// Marker of the frame header and sampling factors of the first component.
  private static func frame(_ jpeg: [UInt8]) -> (marker: UInt8, sampling: UInt8)? {
    var offset = 2
    while offset + 11 < jpeg.count, jpeg[offset] == 0xFF {
      let marker = jpeg[offset + 1]
      if marker == 0xC0 || marker == 0xC2 { return (marker, jpeg[offset + 11]) }
      offset += 2 + Int(jpeg[offset + 2]) << 8 + Int(jpeg[offset + 3])
    }
    return nil
  }

  @Test(arguments: [EncodingRecipe.Format.jpeg(.init(quality: 95)), .webp(.init(quality: 95))])
  func theBestQualityThatFitsIsTaken(format: EncodingRecipe.Format) throws {
    let source = TestPicture.noise(96, 96).png()
    let full = try render(source, [], Self.recipe(format))
    let limit = full.bytes.count * 2 / 3
    let fitted = try render(source, [], Self.recipe(format, fitBytes: limit))
    #expect(fitted.bytes.count <= limit)
    let note = try #require(fitted.note)
    let quality = try #require(note.split(separator: " ").dropFirst().first.flatMap { Int($0) })
    // One more would not have fitted.
    let above = try render(source, [], Self.recipe(format.with(quality: quality + 1)))
    #expect(above.bytes.count > limit)
    #expect(try render(source, [], Self.recipe(format.with(quality: quality))).bytes == fitted.bytes)
    // What fits at once is left alone.
    #expect(try render(source, [], Self.recipe(format, fitBytes: full.bytes.count)).bytes == full.bytes)
  }

  @Test func whatCannotFitIsTheSmallestWithANote() throws {
    let source = TestPicture.noise(96, 96).png()
    let result = try render(source, [], Self.recipe(.jpeg(.init(quality: 90)), fitBytes: 100))
    let least = try render(source, [], .jpeg(quality: SizeSearch.leastQuality))
    #expect(result.bytes == least.bytes)
    #expect(result.note?.contains("do not fit 100") == true)
  }

  @Test func aSearchAsksAFewTimesOnly() throws {
    var asked: [Int] = []
    let file = try SizeSearch(limit: 4200).run(.heic(quality: 100)) { format in
      asked.append(format.quality ?? 0)
      return .init(format: .heif, bytes: [UInt8](repeating: 0, count: (format.quality ?? 0) * 100))
    }
    #expect(file.bytes.count == 4200)
    #expect(asked.count <= 9 && Set(asked).count == asked.count, "\(asked)")
  }

  static let automatic = RenderRequest.Encoding.automatic(jpegQuality: 80)

  @Test(arguments: [(1, ImageFormat.jpeg), (2, .png), (3, .jpeg), (4, .png)])
  func anAlphaChannelDecidesForPNG(bands: Int, format: ImageFormat) throws {
    // Opaque everywhere: the channel counts, not what is in it.
    let picture = TestPicture.plain(8, 8, [Int](repeating: 255, count: bands))
    #expect(try render(picture.png(), [], Self.automatic).format == format)
  }

  @Test(arguments: [
    (RenderStep.circle(border: nil), ImageFormat.png), (.roundedCorners(radius: 0, border: nil), .png),
    (.gaussianBlur(radius: 2, keepsOpaque: false), .png),
    (.gaussianBlur(radius: 2, keepsOpaque: true), .jpeg),
  ])
  func stepsThatAddAlphaGivePNG(step: RenderStep, format: ImageFormat) throws {
    #expect(try render(TestPicture.gradient(8, 8).png(), [step], Self.automatic).format == format)
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

  @Test func aPictureTooLongForItsFormatIsALimit() {
    let source = TestPicture.plain(2, 1, [9]).png()
    let step = RenderStep.resize(65_501, 9999, .aspectFill, crop: true, cropEnlarges: true)
    let limits = RenderLimits(maxSide: 100_000)
    #expect(failure { try render(source, [step], .jpeg(quality: 80), limits: limits) } == .limit)
    let long = TestPicture.plain(16_400, 1, [9]).png()
    #expect(failure { try render(long, [], Self.recipe(.webp(.init()))) } == .limit)
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
      for encoding in [
        RenderRequest.Encoding.png, .jpeg(quality: 80), Self.recipe(.webp(.init())),
        Self.recipe(.heic(quality: 50)), Self.recipe(.avif(quality: 50)),
      ] {
        for steps in [[], [RenderStep.resize(32, 32)]] {
          // HEIC and AVIF are written where libheif can.
          guard let drawn = try? render(source, steps, encoding) else {
            if case .recipe(let recipe) = encoding, recipe.format.quality == 50 { continue }
            throw KeptOriginal()
          }
          let words =
            ["Secret", "ICC_PROFILE", "ICCP"]
            + ([.png, .jpeg].contains(drawn.format) ? ["Exif", "eXIf"] : [])
          for word in words { #expect(Data(drawn.bytes).range(of: Data(word.utf8)) == nil, "\(encoding)") }
        }
      }
    }
  }

  @Test func greyStaysGrey() throws {
    let grey = try render(TestPicture.plain(4, 4, [77]).png(), [.resize(2, 2)]).image()
    #expect(grey.bands == 1 && grey.samples == [77, 77, 77, 77])
  }

  @Test(arguments: [
    [], [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1, 2], Array("<svg xmlns=\"x\"/>".utf8),
    Array("<!doctype html>".utf8), Array("%PDF-1.7 12345".utf8), [UInt8](repeating: 0, count: 64),
  ])
  func whatIsNoPictureOfTheTableIsRefusedByName(bytes: [UInt8]) {
    #expect(proof(bytes) == .format)
  }

  @Test func aFormatThatIsNotAllowedIsRefused() {
    let png = TestPicture.plain(2, 2, [9]).png()
    #expect(failure { try render(png, [], formats: [.jpeg]) } == .format)
    #expect(failure { try render(png, [], formats: [.png]) } == nil)
  }

  @Test func theHeaderIsHeldAgainstTheLimitsBeforeAnythingIsDecoded() {
    let png = TestPicture.plain(60, 60, [9]).png()
    #expect(failure { try render(png, [], limits: RenderLimits(maxPixels: 3599)) } == .limit)
    #expect(failure { try render(png, [], limits: RenderLimits(maxSide: 59)) } == .limit)
    #expect(failure { try render(png, [], limits: RenderLimits(maxBytes: 99)) } == .limit)
  }

  @Test func anotherWireVersionIsRefused() {
    var request = RenderRequest(outputs: [.init(steps: [], encoding: .png)])
    request.wireVersion += 1
    guard case .failed(let failure) = ImageRenderer.render(request, tinyWebP).answer.outputs[0] else {
      Issue.record("accepted")
      return
    }
    #expect(failure.code == .worker)
  }
}
