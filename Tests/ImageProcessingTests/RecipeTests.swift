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
    let encoding = RenderRequest.Encoding.likeSource(jpegQuality: 100)
    #expect(try render(picture.jpeg(), [.resize(9, 9)], encoding).format == .jpeg)
    #expect(try render(picture.png(), [.resize(9, 9)], encoding).format == .png)
    #expect(try render(picture.gif(), [.resize(9, 9)], encoding).format == .png)
    #expect(try render(picture.jpeg(), [.circle(border: nil)], encoding).format == .png)
    // An alpha channel that hides nothing is none.
    let opaque = RenderStep.roundedCorners(radius: 0, border: nil)
    #expect(try render(picture.jpeg(), [opaque], encoding).format == .jpeg)
    #expect(try render(picture.png(), [opaque], encoding).format == .png)
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

  @Test func aPictureTooLongForWebPIsALimit() {
    let source = TestPicture.plain(16_400, 1, [9]).png()
    #expect(failure { try render(source, [], Self.recipe(.webp(.init()))) } == .limit)
  }

  @Test(arguments: [EncodingRecipe.Format.webp(.init()), .heic(quality: 50), .avif(quality: 50)])
  func newFormatsCarryNoMetadataEither(format: EncodingRecipe.Format) throws {
    let source = Exif.insert(Exif.block(text: "Secret Place"), into: try TestPicture.gradient(64, 48).jpeg())
    guard let bytes = try? render(source, [], Self.recipe(format)).bytes else { return }
    #expect(Data(bytes).range(of: Data("Secret".utf8)) == nil)
    #expect(
      Data(bytes).range(of: Data("ICC_PROFILE".utf8)) == nil
        && Data(bytes).range(of: Data("ICCP".utf8)) == nil)
  }
}
