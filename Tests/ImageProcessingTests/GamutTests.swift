import Foundation
import TestSupport
import Testing

@testable import ImageProcessing
@testable import Pictures
@testable import Rendering

/// Pictures with profiles, in their own colours and in sRGB.
@Suite(.timeLimit(.minutes(10))) struct GamutTests {
  private static let levels = [20, 130, 240]
  /// 27 colours, 16 pixels a side each.
  private static let patches = TestPicture(16 * 9, 16 * 3) { x, y, band in
    let patch = x / 16 + 9 * (y / 16)
    return levels[[patch / 9, patch / 3 % 3, patch % 3][band]]
  }

  private struct Kept {
    var file: [UInt8]
    var image: Raster
    var profile: [UInt8] { image.rowFormat.profile }
  }

  private func draw(
    _ source: [UInt8], _ steps: [RenderStep] = [.resize(72, 24)], _ encoding: RenderRequest.Encoding = .png,
    keepsGamut: Bool = true, formats: Set<ImageFormat> = ImageFormat.trusted
  ) throws -> Kept {
    let drawn = try render(source, steps, encoding, keepsGamut: keepsGamut, formats: formats)
    return Kept(file: drawn.bytes, image: try drawn.image())
  }

  private static func jpeg(_ picture: TestPicture, _ profile: [UInt8]) throws -> [UInt8] {
    let bytes = try render(
      picture.png(), [], .recipe(EncodingRecipe(.jpeg(.init(quality: 100, chroma: .full))))
    ).bytes
    return TestProfile.insert(profile, into: bytes)
  }

  /// The largest distance (CIE 1976) between a patch and what became of it.
  private func distance(_ kept: Kept, _ source: TestProfile) throws -> Double {
    let result = try #require(TestProfile(reading: kept.profile))
    let side = kept.image.width / 9
    return (0..<27).map { patch in
      let pixel = kept.image.pixel(patch % 9 * side + side / 2, patch / 9 * side + side / 2)
      let wanted = [patch / 9, patch / 3 % 3, patch % 3].map { UInt8(Self.levels[$0]) }
      let (a, b) = (source.lab(wanted), result.lab(pixel.map { UInt8($0) }))
      return zip(a, b).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot()
    }.max() ?? .infinity
  }

  @Test(arguments: [TestProfile.p3, .adobe], [nil, 1024])
  func aWideGamutStays(space: TestProfile, tableCount: Int?) throws {
    var source = space
    source.tableCount = tableCount
    let full = RenderRequest.Encoding.recipe(EncodingRecipe(.jpeg(.init(quality: 100, chroma: .full))))
    let webp = RenderRequest.Encoding.recipe(EncodingRecipe(.webp(.init(isLossless: true))))
    let png = Self.patches.png(chunks: [source.chunk])
    let files = try [
      draw(png), draw(png, [.resize(72, 24)], full), draw(png, [.resize(72, 24)], webp), draw(png, []),
      draw(png, [.thumbnail(72)]), draw(Self.patches.png(chunks: [source.chunk], isDeep: true)),
      draw(Self.jpeg(Self.patches, source.bytes)),
    ]
    for file in files {
      #expect(try distance(file, source) < 1)
      #expect(file.profile.count < 600 && file.profile == files[0].profile)
      for word in ["Exif", "EXIF"] { #expect(Data(file.file).range(of: Data(word.utf8)) == nil) }
    }
  }

  @Test func transparencyAndTurningKeepTheProfile() throws {
    let picture = TestPicture(40, 20, bands: 4) { x, _, band in
      band < 3 ? [200, 100, 50][band] : x < 20 ? 0 : 255
    }
    let kept = try draw(picture.png(chunks: [TestProfile.p3.chunk]), [.resize(20, 10), .circle(border: nil)])
    #expect(kept.image.hasAlpha && !kept.profile.isEmpty)
    let flat = try draw(picture.png(chunks: [TestProfile.p3.chunk]), [.resize(20, 10)], .jpeg(quality: 90))
    #expect(!flat.image.hasAlpha && flat.profile == kept.profile)
    let turned = Exif.insert(
      Exif.block(orientation: 6),
      into: try Self.jpeg(TestPicture.plain(40, 20, [200, 100, 50]), TestProfile.p3.bytes))
    let upright = try draw(turned, [.resize(10, 20)])
    #expect(upright.image.height == 20 && upright.profile == kept.profile)
  }

  /// sRGB's red in Display P3, as colour pickers have it.
  @Test func coloursOfStepsAreMatched() throws {
    let red = RenderStep.overlay(color: .init(red: 1, green: 0, blue: 0, alpha: 1), fraction: 0)
    let png = TestPicture.plain(8, 8, [10, 20, 30]).png(chunks: [TestProfile.p3.chunk])
    #expect(try draw(png, [red]).image.samples.prefix(3) == [234, 51, 35])
  }

  /// Every step: on a picture in another space it draws what the colours' numbers there draw on a plain one.
  @Test(arguments: StepRuleTests.steps) func eachColourOfAStepIsMatched(step: RenderStep) throws {
    for child in Mirror(reflecting: step.value).children where "\(child.value)" == "nil" {
      let type = "\(type(of: child.value))"
      let holdsColours = ["Color", "Border", "Line"].contains { type.contains($0) }
      #expect(!holdsColours, "the sample of \(step.name) has no \(child.label ?? "")")
    }
    let plain = Picture(try render(TestPicture.gradient(64, 48).png(), []).image(), note: nil)
    var wide = plain
    wide.profile = try draw(Self.patches.png(chunks: [TestProfile.p3.chunk])).profile
    let text = try JSONSerialization.jsonObject(with: JSONEncoder().encode(step))
    let matched = try JSONDecoder().decode(
      RenderStep.self, from: JSONSerialization.data(withJSONObject: Self.matched(text, on: wide)))
    let drawn = try Self.samples(step, on: wide)
    #expect(try drawn == Self.samples(matched, on: plain))
    #expect(try (drawn != Self.samples(step, on: plain)) == (matched != step), "the colour is seen")
  }

  private static func samples(_ step: RenderStep, on picture: Picture) throws -> [UInt8] {
    let source = (picture.width, picture.height)
    let size = step.value.isPlaced ? source : try step.value.size(of: source)
    return try #require(try step.draw(on: picture, size: size)).inMemory().samples
  }

  /// A step's text with the numbers that its colours have on a picture.
  private static func matched(_ text: Any, on picture: Picture) -> Any {
    guard let parts = text as? [String: Any] else { return text }
    let names = ["red", "green", "blue", "alpha"]
    let levels = names.compactMap { (parts[$0] as? NSNumber)?.doubleValue }
    guard levels.count == 4 else { return parts.mapValues { matched($0, on: picture) } }
    let color = RenderStep.Color(red: levels[0], green: levels[1], blue: levels[2], alpha: levels[3])
    return Dictionary(uniqueKeysWithValues: zip(names, picture.components(color)))
  }

  /// sRGB itself; and what is applied: tables, a curve that no formula comes near to, another colour space, and broken ones.
  @Test func otherProfilesLeaveNone() throws {
    var (sRGB, grey, broken) = (TestProfile.sRGB, TestProfile.p3, TestProfile.p3)
    var (tables, wild) = (TestProfile.p3, TestProfile.p3)
    sRGB.tableCount = 1024
    tables.extra = [("A2B0", Array("mft2".utf8) + [UInt8](repeating: 0, count: 60))]
    (wild.curve, wild.tableCount) = ([0.2, 1, 0, 0, 0.5], 256)
    grey.space = "GRAY"
    broken.colors = [[0, 0, 0], [0, 0, 0], [0, 0, 0]]
    for source in [.sRGB, sRGB, tables, wild, broken, grey] {
      let picture = source.space == "GRAY" ? TestPicture.plain(90, 30, [90]) : Self.patches
      let png = picture.png(chunks: [source.chunk])
      let isSRGB = source.colors == TestProfile.sRGB.colors
      let (kept, wanted) = try (draw(png), isSRGB ? draw(picture.png()) : draw(png, keepsGamut: false))
      #expect(kept.profile.isEmpty && kept.file == wanted.file && kept.image.bands == picture.bands)
    }
  }

  @Test func inSRGBTheProfileIsApplied() throws {
    let png = Self.patches.png(chunks: [TestProfile.p3.chunk])
    let plain = try draw(png, keepsGamut: false)
    let (usual, kept) = (try render(png, [.resize(72, 24)]), try draw(png))
    #expect(plain.profile.isEmpty && plain.file == usual.bytes)
    #expect(plain.image.samples != kept.image.samples)
    let pixels = RenderRequest(outputs: [.init(steps: [], encoding: .pixels, keepsGamut: true)])
    let sRGB = RenderRequest(outputs: [.init(steps: [], encoding: .pixels)])
    #expect(ImageRenderer.render(pixels, png).payloads == ImageRenderer.render(sRGB, png).payloads)
  }

  @Test func resultsOfBothKindsDoNotDependOnEachOther() throws {
    let png = Self.patches.png(chunks: [TestProfile.adobe.chunk])
    let outputs = [false, true, true].map {
      RenderOutput(steps: [.resize(72, 24), .circle(border: nil)], encoding: .png, keepsGamut: $0)
    }
    let files = try expectAloneAsTogether(outputs, of: png)
    #expect(files[0] != files[1])
  }

  @Test func aDamagedProfileIsNoReasonToRefuse() throws {
    let profile = TestProfile.p3.bytes
    for index in stride(from: 0, to: 260, by: 3) {
      var damaged = profile
      damaged[index] ^= 0xA5
      let kept = try draw(Self.jpeg(TestPicture.plain(16, 16, [200, 100, 50]), damaged), [.resize(8, 8)])
      #expect(kept.image.width == 8 && kept.profile.count < 600)
    }
    for count in stride(from: 1, to: profile.count, by: 17) {
      let cut = try Self.jpeg(TestPicture.plain(16, 16, [200, 100, 50]), Array(profile.prefix(count)))
      #expect(try draw(cut, [.resize(8, 8)]).image.width == 8)
    }
  }

  @Test func heicAndAVIFAreSRGB() throws {
    let png = Self.patches.png(chunks: [TestProfile.p3.chunk])
    for format in [EncodingRecipe.Format.heic(quality: 90), .avif(quality: 90)] {
      let encoding = RenderRequest.Encoding.recipe(EncodingRecipe(format))
      guard let kept = try? draw(png, [], encoding, formats: Set(ImageFormat.allCases)) else { continue }
      let plain = try draw(png, [], encoding, keepsGamut: false, formats: Set(ImageFormat.allCases))
      #expect(kept.file == plain.file)
    }
  }
}
