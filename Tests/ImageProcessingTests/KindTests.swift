import TestSupport
import Testing

@testable import ImageProcessing
@testable import Pictures
@testable import Rendering

/// Rare kinds of files (the table "What a file may be" of docs/processors.md): drawn as they are, refused by their name, or
/// said to be damaged.
@Suite(.timeLimit(.minutes(10))) struct KindTests {
  private func drawn(_ name: String, isStrict: Bool = false) throws -> Rendered {
    try render(
      Fixtures.bytes("kinds/\(name)"), [], formats: Set(ImageFormat.allCases), isStrict: isStrict)
  }

  @Test(
    arguments: [
      ("3-to-2.jpg", .format, "fractional sampling"), ("frame.jpg", .format, "without Huffman tables"),
      ("120.jpg", .limit, "more than 100 scans"), ("cut.avif", .truncated, "nothing but zeros"),
      ("mirrored.avif", .format, "a mirror (imir) of more than 8 bits"),
      ("plain.tif", .format, "YCbCr without JPEG"),
      ("planes.tif", .format, "YCbCr without JPEG"), ("old-jpeg.tif", .format, "JPEG data of the old style"),
      ("old-jpeg-rgb.tif", .format, "JPEG data of the old style"), ("photo.dng", .format, "camera raw"),
    ] as [(String, RenderFailure.Code, String)])
  func aKindThatIsNotDrawnIsRefusedByItsName(name: String, code: RenderFailure.Code, words: String) throws {
    let failure = #expect(throws: RenderFailure.self) { try drawn(name) }
    #expect(failure?.code == code && failure?.message.contains(words) == true, "\(name): \(failure as Any)")
  }

  @Test(arguments: [
    ("60.jpg", "64x48"), ("million.png", "64x48"), ("sign.png", "64x48"), ("zeros.avif", "64x48"),
    ("block.avif", "64x48"), ("zeros.heic", "64x48"), ("rotated.avif", "64x48"),
    ("palette-lzw.tif", "64x48"), ("palette-packbits.tif", "64x48"), ("new-jpeg.tif", "64x48"),
    ("rgb.tif", "64x48"), ("palette.tif", "64x48"), ("cmyk.tif", "64x48"), ("size9.gif", "64x48"),
    ("size10.gif", "64x48"), ("size11.gif", "64x48"), ("larger.gif", "64x48"),
  ])
  func aRareKindIsDrawnAsItIs(name: String, size: String) throws {
    let picture = try drawn(name)
    let image = try picture.image()
    #expect(
      picture.size == size && picture.note == nil && !image.hasAlpha, "\(picture.size) \(picture.note ?? "")")
  }

  @Test(arguments: [
    ("wrong.png", "the checksum of its data is wrong"), ("no-ispe.avif", "does not say how large it is"),
  ])
  func whatIsOddIsNoted(name: String, words: String) throws {
    #expect(try drawn(name).note?.contains(words) == true)
    #expect(name == "no-ispe.avif" || failure { try drawn(name, isStrict: true) } == .damaged)
  }

  @Test func anExtraSampleIsAlphaWhereItSaysSo() throws {
    #expect(try drawn("rgb-alpha.tif").image().hasAlpha)
  }

  /// Nothing but the pixels, and no head that they do not need.
  @Test func aWebPHasNoMetadata() throws {
    let still = try render(
      Fixtures.bytes("kinds/60.jpg"), [], .recipe(EncodingRecipe(.webp(.init(quality: 80)))))
    #expect(String(decoding: still.bytes[12..<16], as: UTF8.self) == "VP8 ")
    #expect(still.bytes.firstRange(of: "EXIF".utf8) == nil)
    #expect(try decoded(still.bytes, .webp).width == 64)
  }
}
