import Foundation
import TestSupport
import Testing

@testable import ImageProcessing
@testable import Pictures
@testable import Rendering

@Suite(.timeLimit(.minutes(10))) struct EmbeddedThumbnailTests {
  static let wanted = RenderStep.thumbnail(60, ifAbsent: true, always: false)

  /// A dark picture with a light thumbnail, to tell which one was drawn.
  private func source(
    _ width: Int, _ height: Int, orientation: Int = 1, thumbnail: [UInt8]
  ) throws -> [UInt8] {
    Exif.insert(
      Exif.block(orientation: orientation, thumbnail: thumbnail),
      into: try TestPicture.plain(width, height, [20, 20, 20]).jpeg())
  }

  private func light(_ width: Int, _ height: Int) throws -> [UInt8] {
    try TestPicture.plain(width, height, [220, 220, 220]).jpeg()
  }

  private func isLight(_ result: Rendered) throws -> Bool { try result.image().samples[0] > 128 }

  @Test func aGoodOneIsUsedAtTheSizeTheFullImageWouldGive() throws {
    let bytes = try source(400, 300, thumbnail: try light(160, 120))
    let result = try render(bytes, [Self.wanted])
    #expect((result.width, result.height) == (60, 45))
    #expect(try isLight(result))
    #expect(result.note == "drawn from the embedded thumbnail")
  }

  @Test func itIsTurnedLikeThePicture() throws {
    let bytes = try source(400, 300, orientation: 6, thumbnail: try light(160, 120))
    let result = try render(bytes, [Self.wanted])
    #expect((result.width, result.height) == (45, 60))
    #expect(try isLight(result))
  }

  @Test func itIsNotUsedWhereTheFullImageIsAskedFor() throws {
    let bytes = try source(400, 300, thumbnail: try light(160, 120))
    let result = try render(bytes, [.thumbnail(60)])
    #expect(try !isLight(result))
    #expect(result.note == nil)
  }

  @Test(arguments: [
    ("another shape", 160, 107, "shape"), ("too small", 40, 30, "too few"),
    ("letterboxed", 160, 160, "shape"),
  ])
  func aWrongOneIsNotUsedAndTheNoteSaysWhy(name: String, width: Int, height: Int, why: String) throws {
    let bytes = try source(400, 300, thumbnail: try light(width, height))
    let result = try render(bytes, [Self.wanted])
    #expect(try !isLight(result))
    #expect(result.note?.contains(why) == true)
  }

  private func wide(_ steps: [RenderStep], _ source: [UInt8]) throws -> Raster {
    let output = RenderRequest.Output(steps: steps, encoding: .png, keepsGamut: true)
    let payloads = ImageRenderer.render(RenderRequest(outputs: [output]), source).payloads
    return try VipsSource(try #require(payloads.first)).image(.png, shrink: 1, isStrict: true).inMemory()
  }

  /// Cameras write the numbers of the picture's space, and no profile.
  @Test func itHasTheProfileOfItsPicture() throws {
    let red = TestPicture.plain(160, 120, [220, 30, 30])
    let big = try TestPicture.plain(400, 300, [20, 20, 20]).jpeg()
    let source = Exif.insert(
      Exif.block(thumbnail: try red.jpeg(quality: 100)),
      into: TestProfile.insert(TestProfile.adobe.bytes, into: big))
    let kept = try wide([Self.wanted], source)
    #expect(isNear(kept.samples.prefix(3).map(Int.init), [220, 30, 30], by: 2))
    #expect(try kept.rowFormat.profile == wide([.thumbnail(60)], source).rowFormat.profile)
    #expect(!kept.rowFormat.profile.isEmpty)
    let own = Exif.insert(
      Exif.block(thumbnail: TestProfile.insert(TestProfile.sRGB.bytes, into: try red.jpeg(quality: 100))),
      into: TestProfile.insert(TestProfile.adobe.bytes, into: big))
    #expect(try wide([Self.wanted], own).rowFormat.profile.isEmpty)
    // Without its profile kept it is converted, as the picture is.
    let (converted, plain) = (try render(source, [Self.wanted]), try render(own, [Self.wanted]))
    #expect(try converted.image().samples[0] > plain.image().samples[0])
  }

  @Test func oneInCMYKIsConverted() throws {
    let cmyk = [UInt8](try Fixtures.image("cmyk.jpg"))
    let header = try ImageHeader.read(cmyk)
    let source = try source(header.width * 2, header.height * 2, orientation: 3, thumbnail: cmyk)
    let step = RenderStep.thumbnail(40, ifAbsent: true, always: false)
    let result = try render(source, [step])
    #expect(result.note == "drawn from the embedded thumbnail")
    let (ours, wanted) = (try result.image(), try render(cmyk, [.thumbnail(40)]).image().turned(3).inMemory())
    #expect(ours.bands == 3 && ours.samples.count == wanted.samples.count)
    let difference = zip(ours.samples, wanted.samples).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    #expect(difference <= 5 * ours.samples.count, "\(difference / ours.samples.count)")
  }

  @Test func oneLargerThanItsPictureIsNone() throws {
    let bytes = try source(120, 90, thumbnail: try light(480, 360))
    let result = try render(bytes, [Self.wanted])
    #expect(try !isLight(result) && (result.width, result.height) == (60, 45))
    #expect(result.note?.hasSuffix("its 480x360 pixels are more than the picture's") == true)
  }

  @Test func oneWithoutThePicturesColoursIsNotUsed() throws {
    let grey = try TestPicture.plain(160, 120, [200]).jpeg()
    #expect(try render(source(400, 300, thumbnail: grey), [Self.wanted]).note?.contains("it is grey") == true)
    var profile = TestProfile.p3
    profile.space = "GRAY"
    let big = TestProfile.insert(profile.bytes, into: try TestPicture.plain(400, 300, [20]).jpeg())
    let colored = Exif.insert(Exif.block(thumbnail: try light(160, 120)), into: big)
    #expect(try render(colored, [Self.wanted]).note?.contains("profile does not fit it") == true)
  }

  @Test func oneThatIsNoJPEGOrBrokenIsNotUsed() throws {
    let cut = Array(try light(160, 120).prefix(300))
    for thumbnail in [TestPicture.plain(160, 120, [200]).png(), cut, [0xFF, 0xD8, 0xFF, 0xFF, 0xFF]] {
      let bytes = try source(400, 300, thumbnail: Array(thumbnail.prefix(60_000)))
      let result = try render(bytes, [Self.wanted])
      #expect(try !isLight(result))
      #expect(result.note?.hasPrefix("drawn from the full image") == true)
    }
  }

  @Test func withNeitherAllowedAndNoneEmbeddedThereIsNoPicture() throws {
    let plain = try TestPicture.gradient(400, 300).jpeg()
    #expect(failure { try render(plain, [.thumbnail(60, ifAbsent: false, always: false)]) } == .size)
  }

  @Test func aGoodOneDoesNotHideThatThePictureIsCut() throws {
    let block = Exif.block(thumbnail: try light(160, 120))
    let whole = Exif.insert(block, into: try TestPicture.noise(400, 300).jpeg())
    #expect(failure { try render(Array(whole.dropLast(5000)), [Self.wanted]) } == .truncated)
  }

  @Test(.enabled(if: Corpus.isHere)) func camerasThumbnailsAreReadOrRefusedButNeverFatal() throws {
    var used = 0
    for (name, bytes) in try Corpus.files("thumbnails") where name != "ultrahdr.jpg" {
      let result = try render(bytes, [Self.wanted])
      #expect(max(result.width, result.height) <= 60)
      if result.note == "drawn from the embedded thumbnail" { used += 1 }
    }
    #expect(used >= 10)
  }
}
