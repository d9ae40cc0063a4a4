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

  /// Which format comes of a source: the channel counts, not what is in it, except where JPEG is kept for a JPEG.
  @Test func theFormatFollowsFromSourceAndResult() throws {
    let picture = TestPicture.gradient(20, 20)
    let (jpeg, png, gif, webp) = (try picture.jpeg(), picture.png(), picture.gif(), try picture.webp())
    let (keep, like, automatic) = (
      Self.recipe(.source(quality: 70)), RenderRequest.Encoding.likeSource(jpegQuality: 100),
      RenderRequest.Encoding.automatic(jpegQuality: 80)
    )
    let (small, circle) = (RenderStep.resize(9, 9), RenderStep.circle(border: nil))
    // An alpha channel that hides nothing.
    let opaque = RenderStep.roundedCorners(radius: 0, border: nil)
    func plain(_ bands: Int) -> [UInt8] {
      TestPicture.plain(20, 20, [Int](repeating: 255, count: bands)).png()
    }
    let rows: [([UInt8], RenderStep, RenderRequest.Encoding, ImageFormat)] = [
      (jpeg, small, keep, .jpeg), (png, small, keep, .png), (webp, small, keep, .webp),
      (gif, small, keep, .jpeg),
      (jpeg, circle, keep, .png), (png, circle, keep, .png), (webp, circle, keep, .webp),
      (gif, circle, keep, .png), (jpeg, small, like, .jpeg), (png, small, like, .png),
      (gif, small, like, .png),
      (jpeg, circle, like, .png), (jpeg, opaque, like, .jpeg), (png, opaque, like, .png),
      (plain(1), small, automatic, .jpeg), (plain(2), small, automatic, .png),
      (plain(3), small, automatic, .jpeg),
      (plain(4), small, automatic, .png), (png, circle, automatic, .png), (png, opaque, automatic, .png),
      (png, .gaussianBlur(radius: 2, keepsOpaque: false), automatic, .png),
      (png, .gaussianBlur(radius: 2, keepsOpaque: true), automatic, .jpeg),
      // Its first frame.
      (picture.gif(frames: 3), small, automatic, .jpeg),
    ]
    for (index, (source, step, encoding, format)) in rows.enumerated() {
      #expect(try render(source, [step], encoding).format == format, "row \(index)")
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

  @Test func jpegLaysAlphaOntoWhite() throws {
    let picture = TestPicture.plain(16, 16, [0, 0, 255, 0])
    let result = try render(picture.png(), [], .jpeg(quality: 100)).image()
    #expect(!result.hasAlpha)
    #expect(result.samples.allSatisfy { $0 >= 253 })
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
