import Foundation
import TestSupport
import Testing

@testable import ImageProcessing
@testable import Pictures
@testable import Rendering

/// The thumbnail in a file, and the `embedded` setting over the request's own flags.
@Suite(.timeLimit(.minutes(10))) struct EmbeddedThumbnailTests {
  private static let used = "drawn from the embedded thumbnail"
  static let wanted = RenderStep.thumbnail(60, ifAbsent: true, always: false)

  /// A dark picture with a light thumbnail, to tell which one was drawn.
  private func source(
    _ width: Int = 400, _ height: Int = 300, orientation: Int = 1, thumbnail: [UInt8]? = nil
  ) throws -> [UInt8] {
    Exif.insert(
      Exif.block(orientation: orientation, thumbnail: try thumbnail ?? light(160, 120)),
      into: try TestPicture.plain(width, height, [20, 20, 20]).jpeg())
  }

  private func light(_ width: Int, _ height: Int) throws -> [UInt8] {
    try TestPicture.plain(width, height, [220, 220, 220]).jpeg()
  }

  private func isLight(_ result: Rendered) throws -> Bool { try result.image().samples[0] > 128 }

  @Test(
    arguments: [
      (400, 300, 1, 160, 120, "60x45", nil), (400, 300, 6, 160, 120, "45x60", nil),
      (400, 300, 1, 160, 107, "60x45", "shape"), (400, 300, 1, 160, 160, "60x45", "shape"),
      (400, 300, 1, 40, 30, "60x45", "too few"),
      (120, 90, 1, 480, 360, "60x45", "its 480x360 pixels are more than the picture's"),
    ] as [(Int, Int, Int, Int, Int, String, String?)])
  func aGoodOneIsUsedAtTheSizeTheFullImageWouldGive(
    width: Int, height: Int, orientation: Int, across: Int, down: Int, size: String, fault: String?
  ) throws {
    let thumbnail = try light(across, down)
    let bytes = try source(width, height, orientation: orientation, thumbnail: thumbnail)
    let result = try render(bytes, [Self.wanted])
    #expect(result.size == size)
    #expect(try isLight(result) == (fault == nil))
    #expect(fault.map { result.note?.contains($0) == true } ?? (result.note == Self.used))
  }

  @Test func itIsNotUsedWhereTheFullImageIsAskedFor() throws {
    let result = try render(source(), [.thumbnail(60)])
    #expect(try !isLight(result))
    #expect(result.note == nil)
  }

  private func wide(_ steps: [RenderStep], _ source: [UInt8]) throws -> Raster {
    try render(source, steps, keepsGamut: true).image()
  }

  /// Cameras write the numbers of the picture's space, and no profile.
  @Test func itHasTheProfileOfItsPicture() throws {
    let red = TestPicture.plain(160, 120, [220, 30, 30])
    let big = try TestPicture.plain(400, 300, [20, 20, 20]).jpeg()
    let source = Exif.insert(
      Exif.block(thumbnail: try red.jpeg(quality: 100)),
      into: TestProfile.insert(TestProfile.adobe.bytes, into: big))
    let kept = try wide([Self.wanted], source)
    #expect(isNear(kept.pixel(0, 0), [220, 30, 30], by: 2))
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
    let cmyk = try Fixtures.bytes("images/cmyk.jpg")
    let header = try ImageHeader.read(cmyk)
    let source = try source(header.width * 2, header.height * 2, orientation: 3, thumbnail: cmyk)
    let step = RenderStep.thumbnail(40, ifAbsent: true, always: false)
    let result = try render(source, [step])
    #expect(result.note == Self.used)
    let (ours, wanted) = (try result.image(), try render(cmyk, [.thumbnail(40)]).image().turned(3).inMemory())
    #expect(ours.bands == 3 && meanDifference(ours, wanted) <= 5)
  }

  @Test func oneWithoutThePicturesColoursIsNotUsed() throws {
    let grey = try TestPicture.plain(160, 120, [200]).jpeg()
    #expect(try render(source(thumbnail: grey), [Self.wanted]).note?.contains("it is grey") == true)
    var profile = TestProfile.p3
    profile.space = "GRAY"
    let big = TestProfile.insert(profile.bytes, into: try TestPicture.plain(400, 300, [20]).jpeg())
    let colored = Exif.insert(Exif.block(thumbnail: try light(160, 120)), into: big)
    #expect(try render(colored, [Self.wanted]).note?.contains("profile does not fit it") == true)
  }

  @Test func oneThatIsNoJPEGOrBrokenIsNotUsed() throws {
    let cut = Array(try light(160, 120).prefix(300))
    for thumbnail in [TestPicture.plain(160, 120, [200]).png(), cut, [0xFF, 0xD8, 0xFF, 0xFF, 0xFF]] {
      let bytes = try source(thumbnail: Array(thumbnail.prefix(60_000)))
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
      if result.note == Self.used { used += 1 }
    }
    #expect(used >= 10)
  }

  private func draw(
    _ steps: [RenderStep], _ use: EmbeddedUse, of bytes: [UInt8], input: RenderRequest.Input = .encoded
  ) throws -> (drawn: String, size: String) {
    do {
      let result = try render(bytes, steps, .jpeg(quality: 90), input: input, embedded: use)
      return (try isLight(result) ? "thumbnail" : "picture", result.size)
    } catch let failure as RenderFailure { return (failure.code.rawValue, "") }
  }

  private static let blur = RenderStep.gaussianBlur(radius: 2, keepsOpaque: true)
  private static let (resize, always) = (RenderStep.resize(100, 75), RenderStep.thumbnail(100))
  private static let ifAbsent = RenderStep.thumbnail(100, always: false)

  /// Later steps go on from it; a chain that needs all pixels gets them or fails.
  @Test(arguments: [
    (EmbeddedUse.client, [resize], "picture", "100x75"), (.client, [always], "picture", "100x75"),
    (.client, [ifAbsent], "thumbnail", "100x75"), (.never, [resize], "picture", "100x75"),
    (.never, [always], "picture", "100x75"), (.never, [ifAbsent], "picture", "100x75"),
    (.prefer, [resize], "thumbnail", "100x75"), (.prefer, [always], "thumbnail", "100x75"),
    (.prefer, [ifAbsent], "thumbnail", "100x75"), (.only, [resize], "thumbnail", "100x75"),
    (.only, [always], "thumbnail", "100x75"), (.only, [ifAbsent], "thumbnail", "100x75"),
    (.prefer, [.resize(60, 60, crop: true), blur], "thumbnail", "60x60"),
    (.prefer, [blur], "picture", "400x300"), (.only, [blur], "render.size", ""),
    (.prefer, [.resize(300, 225)], "picture", "300x225"), (.only, [.resize(300, 225)], "render.size", ""),
  ])
  func theSettingDecidesForEveryKindOfChain(
    use: EmbeddedUse, steps: [RenderStep], drawn: String, size: String
  ) throws {
    #expect(try draw(steps, use, of: source()) == (drawn, size))
  }

  @Test func resultsOfOneRequestDoNotMixThemUp() throws {
    let steps: [RenderStep] = [.resize(60, 60, crop: true), .gaussianBlur(radius: 2, keepsOpaque: true)]
    let outputs = [EmbeddedUse.prefer, .never, .prefer, .client].map {
      RenderRequest.Output(steps: steps, encoding: .png, embedded: $0)
    }
    let files = try expectAloneAsTogether(outputs, of: source())
    #expect(files[0] == files[2] && files[1] == files[3] && files[0] != files[1])
  }

  @Test func theHeadOfAFileDoesWhereItsThumbnailDoes() throws {
    let noise = try TestPicture.noise(400, 300).jpeg()
    let whole = Exif.insert(Exif.block(thumbnail: try light(160, 120)), into: noise)
    let head = Array(whole.prefix(12_000))
    try #require(head.count < whole.count)
    #expect(try draw([.resize(100, 75)], .prefer, of: head, input: .head) == ("thumbnail", "100x75"))
    // From the whole come the same bytes.
    for (steps, use) in [
      ([RenderStep.resize(100, 75)], EmbeddedUse.only), ([.thumbnail(60, always: false)], .client),
    ] {
      let fromHead = try render(head, steps, input: .head, embedded: use)
      #expect(try fromHead.bytes == render(whole, steps, embedded: use).bytes)
    }
  }

  @Test func whereItDoesNotTheRestIsAskedFor() throws {
    let noise = try TestPicture.noise(400, 300).jpeg()
    for (steps, use) in [
      ([RenderStep.resize(100, 75)], EmbeddedUse.prefer), ([.resize(100, 75)], .only),
      ([.resize(9, 9)], .never),
      ([], .client), ([.circle(border: nil)], .prefer),
    ] {
      #expect(try draw(steps, use, of: Array(noise.prefix(12_000)), input: .head) == ("image.truncated", ""))
    }
  }

  private static let thumbnail = Result { try TestPicture.gradient(160, 120).jpeg() }
  private static let picture = Result { try TestPicture.gradient(400, 300).jpeg() }

  private func found(_ jpeg: [UInt8]) throws -> [UInt8]? {
    try ImageHeader.read(jpeg).exif.flatMap { EXIFBlock.thumbnail(in: jpeg[$0]) }
  }

  @Test func aThumbnailIsFoundWhereverItsBlockStands() throws {
    let thumbnail = try Self.thumbnail.get()
    let picture = try Self.picture.get()
    let block = Exif.block(thumbnail: thumbnail)
    let plain = Exif.insert(block, into: picture)
    // Behind another segment of full size, so that the block ends beyond 64 kB.
    let comment: [UInt8] = [0xFF, 0xD8, 0xFF, 0xFE, 0xFF, 0xFF] + [UInt8](repeating: 0x20, count: 65_533)
    for bytes in [plain, Array(plain.dropLast(900)), plain + picture, comment + plain.dropFirst(2)] {
      #expect(try found(bytes) == thumbnail)
    }
    #expect(try found(picture) == nil)
  }

  @Test func whatReachesBeyondItsBlockIsNoThumbnail() throws {
    let plain = Exif.insert(Exif.block(thumbnail: try Self.thumbnail.get()), into: try Self.picture.get())
    // The offset's entry: tag 0x0201, a long.
    let tag: [UInt8] = [0x02, 0x01, 0, 4, 0, 0, 0, 1]
    let at = try #require(plain.indices.first { plain[$0...].starts(with: tag) }) + tag.count
    for offset: [UInt8] in [[0, 0xFF, 0, 0], [0x7F, 0xFF, 0xFF, 0xFF], [0xFF, 0xFF, 0xFF, 0xF0]] {
      var bytes = plain
      bytes.replaceSubrange(at..<at + 4, with: offset)
      #expect(try found(bytes) == nil)
    }
  }
}
