import TestSupport
import Testing

@testable import Pictures

@Suite(.timeLimit(.minutes(10)))
struct SniffTests {
  @Test(
    arguments: zip(
      Samples.all, [.jpeg, .png, .gif, .webp, .webp, .webp, .tiff, .heif, .avif] as [ImageFormat]))
  func twelveBytesTellTheFormat(_ bytes: [UInt8], _ format: ImageFormat) {
    #expect(ImageFormat.sniff(bytes) == format)
    #expect(ImageFormat.sniff(bytes.prefix(12)) == format)
    // Slices count from where they begin.
    #expect(ImageFormat.sniff(([7, 7, 7] + bytes).dropFirst(3)) == format)
    #expect(ImageFormat.sniff(bytes.prefix(2)) == nil)
    #expect(ImageFormat.sniff([UInt8]()) == nil)
  }

  @Test(arguments: [
    ("mif1", ["mif1", "avif"], ImageFormat.avif), ("mif1", ["heic"], .heif), ("msf1", ["avis"], .avif),
    ("avis", [], .avif), ("heix", [], .heif), ("hevc", [], .heif),
  ])
  func aBrandWithoutACodingIsDecidedByTheCompatibleOnes(
    _ brand: String, _ compatible: [String], _ format: ImageFormat
  ) {
    #expect(ImageFormat.sniff(Samples.heif(brand: brand, compatible: compatible, [])) == format)
  }

  @Test func compatibleBrandsEndWithTheirBox() {
    // "avif" stands where the next box has its content.
    let bytes =
      Samples.box("ftyp", Array("mif1".utf8) + [0, 0, 0, 0]) + Samples.box("free", Array("avif".utf8))
    #expect(ImageFormat.sniff(bytes) == .heif)
  }

  @Test(
    arguments: [
      ([0x1F, 0x8B, 8, 0], "gzip"), (Array("%PDF-1.7".utf8), "PDF"),
      (Array("<p><svg width='9'></svg>".utf8), "SVG"), (Array("<!-- <svg> --><Error/>".utf8), "SVG"),
      (Array("<?xml version='1.0'?><Error>".utf8), "XML"),
      (Array("\u{FEFF}  \n<!DOCTYPE HTML><p>".utf8), "HTML"), (Array("<HTML>".utf8), "HTML"),
      (Array("{\"error\": 404}".utf8), "JSON"), (Array("8BPS\0\u{1}".utf8), "Photoshop"),
      (Array("BM6".utf8), "BMP"), ([0, 0, 1, 0, 1, 0], "ICO"),
      ([0, 0, 0, 12, 0x6A, 0x50, 0x20, 0x20, 13, 10], "JPEG 2000"),
      ([0x49, 0x49, 0x2B, 0, 8, 0], "BigTIFF"), (Array("\0\0\0\u{18}ftypmp42".utf8), "video"),
      (Array("RIFF\u{1}\0\0\0WAVE".utf8), "RIFF"), ([], "empty"), ([1, 2, 3], "01 02 03"),
    ] as [([UInt8], String)])
  func whatIsNotOnTheTableIsRefusedByItsName(_ bytes: [UInt8], _ name: String) throws {
    let failure = try #require(throws: RenderFailure.self) { try ImageHeader.read(bytes) }
    #expect(failure.code == .format)
    #expect(failure.message.contains(name), "\(failure.message)")
  }

  @Test(
    arguments: [
      ("<svg width='9'></svg>", true), ("\u{FEFF}\n<svg/>", true), ("<svg>", false), ("<svg><g/>", false),
      ("<svg></svg><p", false),
      ("<?xml version='1.0'?>\n<!-- made --><svg xmlns='x'>\n<path d='M0 0'/></svg>\n", true),
      ("<!DOCTYPE svg PUBLIC 'a' 'b'><svg></svg>", true), ("<svg><g></g><!-- end -->", false),
      ("<!DOCTYPE svg [<!ENTITY a '>'>]><svg>&a;</svg><!-- end -->", true),
    ])
  func aDrawingIsKnownByItsFirstTagAndWholeByItsLast(text: String, isWhole: Bool) throws {
    let bytes = Array(text.utf8)
    #expect(ImageFormat.sniff(bytes) == .svg)
    #expect(throws: RenderFailure.self) { try PictureStructure.check(bytes) }
    if isWhole {
      #expect(throws: Never.self) { try PictureStructure.check(bytes, formats: [.svg]) }
    } else {
      let failure = #expect(throws: RenderFailure.self) { try PictureStructure.check(bytes, formats: [.svg]) }
      #expect(failure?.code == .truncated)
    }
  }

  @Test(arguments: [
    "<svgx/>", "<!doctype html><svg></svg>", "<html><svg></svg>", "<?xml <svg/>", "<!DOCTYPE svg [<svg/>",
  ])
  func otherMarkupIsNoDrawing(text: String) { #expect(ImageFormat.sniff(Array(text.utf8)) == nil) }

  /// A GIF moves with two frames, a PNG by its control chunk; pictures and noise do not.
  @Test func whatMovesIsKnownByItsOwnMarks() {
    func png(_ frames: Int) -> [UInt8] {
      let control = Samples.chunk("acTL", Samples.bigEndian(frames, 4) + [0, 0, 0, 0])
      return Samples.png(9, 8, more: control + Samples.chunk("fcTL", Array(repeating: 0, count: 26)))
    }
    for (bytes, kind) in [
      (GIFFilm.sample, .gif), (GIFFilm.still, .stillGIF), (png(3), .apng), (png(1), nil),
      (Samples.png(9, 8), nil), (Samples.jpeg(9, 8), nil), (Samples.webpLossy(9, 8), .rarer),
      (Array("GIF89a".utf8), nil), ([], nil),
    ] as [([UInt8], AnimatedKind?)] {
      #expect(AnimatedKind(bytes) == kind, "\(bytes.prefix(20))")
    }
  }
}
