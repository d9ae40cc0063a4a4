import TestSupport
import Testing

@testable import ImageProcessing
@testable import Pictures
@testable import Rendering

/// Rare kinds of files, one of each row of the table "What a file may be" of docs/processors.md at least: drawn as they are,
/// drawn with a note, or refused by their name.
@Suite(.timeLimit(.minutes(10))) struct KindTests {
  /// The beginning of a row; `drawn`, `alpha` for what is drawn with it, words of the note or of the refusal behind its code;
  /// files.
  typealias Row = (name: String, fate: String, files: @Sendable () throws -> [[UInt8]])

  private static func row(
    _ name: String, _ fate: String, _ files: @autoclosure @escaping @Sendable () throws -> [[UInt8]]
  ) -> Row { (name, fate, files) }

  private static let picture = TestPicture.noise(64, 48)
  private static let turning = Exif.xmp("tiff:Orientation='6'")

  /// Fixtures, separated by blanks.
  private static func read(_ names: String) throws -> [[UInt8]] {
    try names.split(separator: " ").map { try Fixtures.bytes(String($0)) }
  }

  private static func png(_ name: String, _ bytes: [UInt8]...) -> [[UInt8]] {
    bytes.map { picture.png(chunks: [(name, $0)]) }
  }

  /// JPEGs with another byte in the frame's head, the first of which is its marker.
  private static func frame(_ changes: (at: Int, byte: UInt8)...) throws -> [[UInt8]] {
    let jpeg = try picture.jpeg()
    let start = try #require(jpeg.firstRange(of: [0xFF, 0xC0])).upperBound - 1
    return changes.map { jpeg[..<(start + $0.at)] + [$0.byte] + jpeg[(start + $0.at + 1)...] }
  }

  private static func gif(_ changes: [Int: UInt8]) -> [UInt8] {
    var bytes = picture.gif()
    for (at, byte) in changes { bytes[at] = byte }
    return bytes
  }

  /// A GIF with a code in place of another one.
  private static func gif(_ code: UInt8, before end: Int) -> [UInt8] {
    var bytes = TestPicture.noise(8, 8).gif()
    if let last = bytes.lastIndex(of: 129) { bytes[last - end] = code }
    return bytes
  }

  private static func jpeg(thumbnail: TestPicture) throws -> [[UInt8]] {
    [Exif.insert(Exif.block(thumbnail: try thumbnail.jpeg()), into: try picture.jpeg())]
  }

  private static func jpeg(profile: some Sequence<UInt8>) throws -> [[UInt8]] {
    [TestProfile.insert(Array(profile), into: try picture.jpeg())]
  }

  private static func halves() throws -> [[UInt8]] {
    let whole = [picture.png(), try picture.jpeg(), try picture.webp(), picture.tiff(), picture.gif()]
    return whole.map { Array($0.prefix($0.count / 2)) }
  }

  /// A TIFF that does not say what its numbers mean: tag 262 is called 263.
  private static func nameless() throws -> [UInt8] {
    var file = picture.tiff()
    file[try #require(file.firstRange(of: [1, 6, 0, 3])).lowerBound + 1] = 7
    return file
  }

  private static let rows = [
    row("all | no bytes", "image.format it is empty", [[]]),
    row("all | data that end", "image.truncated", try halves() + read("kinds/cut.avif")),
    row("all | more pixels", "image.limit the limit is", [gif([7: 255, 9: 255])]),
    row("all | a profile for other", "was left alone", try jpeg(profile: TestProfile.p3.bytes.prefix(300))),
    row("all | a profile of tables", "drawn", try jpeg(profile: TestProfile.perceptualNegative.bytes)),
    row("all | an embedded thumbnail", "drawn from the embedded", try jpeg(thumbnail: .noise(64, 48))),
    row("all | a thumbnail larger", "was not used", try jpeg(thumbnail: .noise(128, 96))),
    row("JPEG | no end mark", "drawn", [try picture.jpeg().dropLast(2)]),
    row(
      "JPEG | odd intervals", "not quite in order",
      [try picture.jpeg().dropLast(2) + [1, 2, 3, 4, 0xFF, 0xD9]]),
    row("JPEG | 12 bits", "image.format 12 bits a channel", try frame((3, 12))),
    row("JPEG | 12 bits", "image.format lossless", try frame((0, 0xC3), (0, 0xC7))),
    row("JPEG | 12 bits", "image.format hierarchical", try frame((0, 0xC5))),
    row("JPEG | 12 bits", "image.format JPEG-LS", try frame((0, 0xF7))),
    row("JPEG | 12 bits", "image.format marker FFC8", try frame((0, 0xC8))),
    row("JPEG | 12 bits", "image.format (DNL)", try frame((5, 0))),
    row("JPEG | 12 bits", "image.format a kind", try read("kinds/3-to-2.jpg kinds/frame.jpg")),
    row("JPEG | more than 100", "image.limit more than 100 scans", try read("kinds/120.jpg")),
    row("JPEG | more than 100", "drawn", try read("kinds/60.jpg")),
    row("JPEG | CMYK", "drawn", try read("images/cmyk.jpg")),
    row("JPEG | orientation in", "XMP alone", [Exif.insertXMP(turning, into: try picture.jpeg())]),
    row(
      "PNG, WebP, TIFF | or", "XMP alone", png("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0\(turning)".utf8))),
    row("PNG | EXIF", "drawn", png("eXIf", Exif.block(orientation: 3))),
    row("PNG | `acTL`", "drawn", try read("kinds/million.png kinds/sign.png")),
    row("PNG | a wrong Adler-32", "the checksum of its data is wrong", try read("kinds/wrong.png")),
    row("PNG | `cICP`, else", "drawn", png("cICP", [12, 13, 0, 1])),
    row("PNG | a gamma within", "drawn", png("gAMA", bigEndian(45_000))),
    row("PNG | absurd numbers", "makes no sense", png("gAMA", bigEndian(1))),
    row("PNG | `cICP` of PQ", "image.format high dynamic", png("cICP", [9, 16, 0, 1], [9, 18, 0, 1])),
    row("PNG, TIFF | anything", "not quite in order", png("iCCP", Array("p\0\0junk".utf8))),
    row("PNG, TIFF | anything", "not quite in order", [TestPicture.noise(9, 9, bands: 4).tiff()]),
    row("GIF | what no frame covers", "alpha", [gif([6: 80])]),
    row("GIF | a frame outside", "drawn", [gif([6: 0, 8: 0])]),
    row("GIF | a first frame larger", "drawn", try read("kinds/larger.gif") + [gif([6: 32])]),
    row("GIF, WebP | a delay", "drawn", try read("kinds/fast.gif")),
    row("GIF | code sizes", "drawn", try read("kinds/size9.gif kinds/size10.gif kinds/size11.gif")),
    row("GIF | no trailer", "drawn", [picture.gif().dropLast(), picture.gif().dropLast() + [0, 0]]),
    row("GIF | a part of the", "the last row of a frame is not whole", [gif(129, before: 3)]),
    row("GIF | a part of the", "image.damaged", [gif(255, before: 50)]),
    row("AVIF, HEIC | colours by", "drawn", try read("colours/p3-8-f.avif kinds/rotated.avif")),
    row("AVIF, HEIC | weighted", "alpha", try read("colours/prem-8-f.avif colours/prem.heic")),
    row("AVIF, HEIC | PQ, HLG", "image.format (PQ)", try read("colours/pq-10.avif")),
    row("AVIF, HEIC | PQ, HLG", "image.format (HLG)", try read("colours/hlg-8.avif")),
    row("AVIF, HEIC | PQ, HLG", "image.format RGB of limited range", try read("colours/rgb-8-l.avif")),
    row("AVIF, HEIC | PQ, HLG", "image.format YCgCo of more", try read("colours/ycgco-10.avif")),
    row("AVIF, HEIC | PQ, HLG", "image.format a mirror (imir)", try read("kinds/mirrored.avif")),
    row("AVIF, HEIC | transparency", "does not say how large", try read("kinds/no-ispe.avif")),
    row("HEIC | colours in the HEVC", "drawn", try read("kinds/zeros.heic")),
    row("TIFF | L\\*a\\*b\\*", "alpha", try read("kinds/lab-half.tif")),
    row("TIFF | signed", "image.format YCbCr without JPEG", try read("kinds/plain.tif kinds/planes.tif")),
    row("TIFF | signed", "image.format old style", try read("kinds/old-jpeg.tif kinds/old-jpeg-rgb.tif")),
    row("TIFF | signed", "image.format camera raw", try read("kinds/photo.dng")),
    row("TIFF | signed", "image.format numbers", (2...3).map { picture.tiff(TIFFKind(sampleFormat: $0)) }),
    row("TIFF | signed", "image.format tag 262", [try nameless()]),
    row("TIFF | an extra", "drawn", try read("kinds/rgb.tif kinds/palette.tif kinds/cmyk.tif")),
    row("TIFF | an extra", "alpha", try read("kinds/rgb-alpha.tif")),
    row(
      "TIFF, AVIF, HEIC | zeros", "drawn", try read("kinds/zeros.avif kinds/block.avif kinds/palette-lzw.tif")
    ),
    row("TIFF, AVIF, HEIC | zeros", "drawn", try read("kinds/palette-packbits.tif kinds/new-jpeg.tif")),
    row("TIFF, AVIF, HEIC | zeros", "image.damaged", try read("kinds/cut-lzw.tif")),
    row("SVG | allowed", "image.format not decoded", [Array("<svg width='9' height='9'/>".utf8)]),
    row("XML packed", "image.format gzip", [[0x1F, 0x8B, 8, 0]]),
  ]

  @Test func everyRowOfTheTableHasItsFile() throws {
    let page = try SourceFiles.text("docs/processors.md").components(separatedBy: "\n")
    let start = try #require(page.firstIndex(of: "| format | kind | what is done |")) + 2
    let table = page[start...].prefix { $0.hasPrefix("|") }
    for line in table { #expect(Self.rows.contains { line.hasPrefix("| \($0.name)") }, "no file: \(line)") }
    for row in Self.rows { #expect(table.contains { $0.hasPrefix("| \(row.name)") }, "no row: \(row.name)") }
  }

  @Test(arguments: rows.indices) func aRowIsTrueOfItsFiles(index: Int) throws {
    let (name, fate, files) = Self.rows[index]
    let steps: [RenderStep] = name.contains("thumbnail") ? [.thumbnail(32, always: false)] : []
    for file in try files() {
      do {
        let drawn = try render(file, steps, formats: Set(ImageFormat.allCases))
        let isPlain = ["drawn", "alpha"].contains(fate)
        #expect(
          isPlain ? drawn.note == nil : drawn.note?.contains(fate) == true, "\(name): \(drawn.note ?? "")")
        if isPlain { #expect(try drawn.image().hasAlpha == (fate == "alpha"), "\(name)") }
      } catch let failure as RenderFailure {
        let words = fate.dropFirst(failure.code.rawValue.count + 1)
        #expect(
          fate.hasPrefix(failure.code.rawValue) && (words.isEmpty || "\(failure)".contains(words)),
          "\(name): \(failure)")
        // Its own bytes may be stored: an app may show them.
        if name.hasPrefix("AVIF"), !fate.contains("imir") { #expect(proof(file) == nil) }
      }
    }
  }

  @Test func aWrongChecksumIsRefusedWhereDecodingIsStrict() throws {
    #expect(failure { try render(Fixtures.bytes("kinds/wrong.png"), [], isStrict: true) } == .damaged)
  }

  /// Nothing but the pixels, and no head that they do not need.
  @Test func aWebPHasNoMetadata() throws {
    let still = try Self.picture.webp()
    #expect(still[12...].starts(with: "VP8 ".utf8) && still.firstRange(of: "EXIF".utf8) == nil)
  }
}
