import Testing

@testable import ImageProcessing
@testable import Pictures

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
