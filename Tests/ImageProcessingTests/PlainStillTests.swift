import Digests
import Foundation
import TestSupport
import Testing

@testable import ImageProcessing
@testable import Pictures
@testable import Rendering

/// What a room of our own decodes, against libvips: accepted, refused, and every pixel.
/// What libdeflate gets without libvips is read back by libvips.
@Suite(.timeLimit(.minutes(10))) struct PlainStillTests {
  /// A picture in each of the ways that WebP has, by the saver of libvips.
  private static func webps() throws -> [(name: String, bytes: [UInt8])] {
    try [3, 4].flatMap { bands in
      let image = try TestPicture.noise(61, 43, bands: bands).raster()
      return try ["Q=80", "lossless=true", "Q=40,near_lossless=true,lossless=true", "Q=60,alpha_q=30"].map {
        ("\($0) of \(bands) bands", try image.save("webpsave_buffer", keepsFields: false, $0))
      }
    }
  }

  private static func number(_ value: Int) -> [UInt8] { bigEndian(value).reversed() }

  /// The lossy data of a picture behind a head that announces these chunks.
  private static func extended(
    _ picture: TestPicture, flags: UInt8, _ chunks: [TestPicture.Chunk], width: Int? = nil
  ) throws -> [UInt8] {
    func chunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
      Array(name.utf8) + number(bytes.count) + bytes + (bytes.count % 2 == 1 ? [0] : [])
    }
    let image = try picture.raster()
    // There may be a head, and EXIF, already.
    let file = try image.save("webpsave_buffer", keepsFields: false)
    let start = try #require(file.indices.first { file[$0...].starts(with: "VP8 ".utf8) })
    let count = file[start + 4..<start + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
    let size = number((width ?? picture.width) - 1).prefix(3) + number(picture.height - 1).prefix(3)
    var body = Array("WEBP".utf8) + chunk("VP8X", [flags, 0, 0, 0] + size)
    for one in chunks where one.name == "ICCP" { body += chunk(one.name, one.bytes) }
    body += chunk("VP8 ", Array(file[start + 8..<start + 8 + count]))
    for one in chunks where one.name != "ICCP" { body += chunk(one.name, one.bytes) }
    return Array("RIFF".utf8) + number(body.count) + body
  }

  /// - Returns: whether both take it, or nil where it is left to libvips.
  ///
  /// - Parameter isJudge: ours has to take what libvips takes, too.
  @discardableResult
  private static func compare(_ bytes: [UInt8], _ name: String, isJudge: Bool = true) -> Bool? {
    guard let header = try? ImageHeader.read(bytes), let still = PlainStill(bytes, header) else { return nil }
    let theirs = try? decoded(bytes, header.format, isStrict: false)
    let ours = still.image(of: bytes)
    #expect(isJudge ? (ours == nil) == (theirs == nil) : ours == nil || theirs != nil, "\(name)")
    guard let ours, let theirs else { return false }
    #expect((ours.width, ours.height, ours.bands) == (theirs.width, theirs.height, theirs.bands), "\(name)")
    #expect(ours.samples == theirs.samples, "\(name)")
    return true
  }

  @Test func everyKindOfWebPHasThePixelsOfLibvips() throws {
    for (name, bytes) in try Self.webps() { #expect(Self.compare(bytes, name) == true, "\(name)") }
    #expect(Self.compare(tinyWebP, "one pixel") == true)
  }

  @Test func aDamagedWebPIsJudgedAsLibvipsJudgesIt() throws {
    var (taken, refused) = (0, 0)
    for (name, bytes) in try Self.webps() {
      for at in stride(from: 4, to: bytes.count, by: 1 + bytes.count / 150) {
        for bits: UInt8 in [0x01, 0x41, 0xFF] {
          var damaged = bytes
          damaged[at] ^= bits
          switch Self.compare(damaged, "\(name), byte \(at) and \(bits)") {
          case true?: taken += 1
          case false?: refused += 1
          case nil: break
          }
        }
        var cut = Array(bytes.prefix(at))
        #expect(Self.compare(cut, "\(name), \(at) bytes") == nil)
        // As if that were the whole file.
        if at > 12 { cut.replaceSubrange(4..<8, with: Self.number(at - 8)) }
        Self.compare(cut, "\(name), \(at) bytes that seem whole")
      }
    }
    #expect(taken > 100 && refused > 100, "\(taken) taken, \(refused) refused")
  }

  @Test func metadataAreThoseThatLibvipsFinds() throws {
    let picture = TestPicture.noise(40, 30)
    let (p3, exif) = (TestProfile.p3.bytes, Exif.block(orientation: 6))
    let files: [(String, UInt8, [TestPicture.Chunk])] = [
      ("nothing", 0, []), ("a profile", 0x20, [("ICCP", p3)]), ("EXIF", 0x08, [("EXIF", exif)]),
      ("EXIF with a head", 0x08, [("EXIF", Array("Exif\0\0".utf8) + exif)]),
      ("all", 0x2C, [("ICCP", p3), ("EXIF", exif), ("XMP ", Array("<x/>".utf8))]),
      ("what is not announced", 0, [("ICCP", p3), ("EXIF", exif)]),
      ("what is announced and not there", 0x28, []),
      ("two blocks", 0x08, [("EXIF", exif), ("EXIF", Exif.block(orientation: 3))]),
      ("no bytes", 0x08, [("EXIF", [])]),
    ]
    for (name, flags, chunks) in files {
      let bytes = try Self.extended(picture, flags: flags, chunks)
      #expect(Self.compare(bytes, name) == true, "\(name)")
      let still = try #require(PlainStill(bytes, try ImageHeader.read(bytes)), "\(name)")
      let theirs = try VipsSource(bytes).image(.webp, shrink: 1, isStrict: false)
      #expect(still.exif == theirs.exif, "\(name)")
      #expect(max(still.orientation, 1) == theirs.orientation, "\(name)")
      #expect(still.rows.profile == theirs.rowFormat.profile, "\(name)")
    }
  }

  @Test(arguments: 1...4) func aPNGOfEveryFilterHasThePixelsOfLibvips(bands: Int) throws {
    for filter in 0...4 {
      let picture = TestPicture.noise(61, 43, bands: bands)
      let bytes = picture.png(filter: UInt8(filter))
      #expect(Self.compare(bytes, "filter \(filter)") == true)
      let image = try decoded(bytes)
      for setting in ["filter=all", "filter=none", "compression=0", "compression=9,filter=paeth"] {
        #expect(Self.compare(try image.save("pngsave_buffer", setting), setting) == true)
      }
    }
  }

  /// What ours does not take libvips judges, so no more is to be shown than that ours takes nothing else.
  @Test func aDamagedPNGIsNotTakenUnlessLibvipsTakesIt() throws {
    for bands in 1...4 {
      let bytes = TestPicture.noise(23, 17, bands: bands).png(filter: 4)
      for at in stride(from: 8, to: bytes.count - 12, by: 3) {
        for (mends, bits) in [(false, 0x01), (true, 0x01), (true, 0x80)] as [(Bool, UInt8)] {
          var damaged = bytes
          damaged[at] ^= bits
          if mends { Self.mendSums(&damaged) }
          Self.compare(damaged, "byte \(at)", isJudge: false)
        }
        #expect(Self.compare(Array(bytes.prefix(at)), "\(at) bytes", isJudge: false) != true)
      }
    }
  }

  /// Writes the checksum of each chunk anew.
  private static func mendSums(_ png: inout [UInt8]) {
    var at = 8
    while at + 12 <= png.count {
      let size = png[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
      guard at + 12 + size <= png.count else { return }
      let sum = Int(CRC32.sum(png, at + 4..<at + 8 + size))
      png.replaceSubrange(at + 8 + size..<at + 12 + size, with: bigEndian(sum))
      at += 12 + size
    }
  }

  @Test func chunksOfAPNGMeanWhatTheyMeanToLibvips() throws {
    let exif = Exif.block(orientation: 6)
    let text: TestPicture.Chunk = ("tEXt", Array("Comment\0x".utf8))
    let gamma = { (value: Int) -> TestPicture.Chunk in ("gAMA", bigEndian(value)) }
    let files: [(String, [TestPicture.Chunk], isBare: Bool)] = [
      ("nothing", [], true),
      ("notes", [text, ("pHYs", bigEndian(2835) + bigEndian(2835) + [1]), text], true),
      ("sRGB", [("sRGB", [0]), gamma(45455)], true), ("another gamma", [gamma(100_000)], false),
      ("two gammas", [gamma(45455), gamma(45455)], false),
      ("sRGB of a kind that is none", [("sRGB", [9])], false),
      ("a profile", [TestProfile.p3.chunk], false), ("EXIF", [("eXIf", exif)], false),
      ("many notes", [TestPicture.Chunk](repeating: text, count: 30), false),
      ("what nobody knows", [("abCd", [1, 2, 3])], false),
      ("a date that is none", [("tIME", [7, 230, 13, 1, 0, 0, 0])], false),
    ]
    for (name, chunks, isBare) in files {
      let bytes = TestPicture.noise(40, 30, bands: 4).png(chunks: chunks)
      #expect(Self.compare(bytes, name) == true, "\(name)")
      let still = try #require(PlainStill(bytes, try ImageHeader.read(bytes)), "\(name)")
      #expect(still.isBare == isBare, "\(name)")
      guard isBare else { continue }
      _ = RasterFailure.takeWarning()
      let theirs = try VipsSource(bytes).image(.png, shrink: 1, isStrict: false)
      #expect(RasterFailure.takeWarning() == nil, "\(name)")
      #expect(theirs.isPlain && theirs.orientation == 1 && theirs.exif.isEmpty, "\(name)")
    }
  }

  @Test func otherKindsAreLeftToLibvips() throws {
    let picture = TestPicture.noise(40, 30)
    let image = try picture.raster()
    let files: [(String, [UInt8])] = [
      ("16 bits", picture.png(isDeep: true)), ("a palette", try image.save("pngsave_buffer", "palette=true")),
      ("interlaced", try image.save("pngsave_buffer", "interlace=true")),
      ("a colour that is transparent", picture.png(chunks: [("tRNS", [0, 1, 0, 2, 0, 3])])),
      (
        "an animation",
        picture.png(chunks: [("acTL", bigEndian(2) + bigEndian(0)), ("fcTL", Array(repeating: 0, count: 26))])
      ),
      ("a kind of chunk that has to be known", picture.png(chunks: [("ABCD", [])])),
      ("no end", Array(picture.png().dropLast(12))),
      // Contradictions and rare kinds, which libvips knows how to read or to refuse.
      ("alpha that is announced", try Self.extended(picture, flags: 0x10, [])),
      ("an animated WebP", try Self.extended(picture, flags: 0x02, [])),
      ("another size", try Self.extended(picture, flags: 0, [], width: 41)),
      ("no orientation", try Self.extended(picture, flags: 8, [("EXIF", Exif.block(orientation: 9))])),
      ("EXIF of three bytes", try Self.extended(picture, flags: 8, [("EXIF", [1, 2, 3])])),
    ]
    for (name, bytes) in files { #expect(PlainStill(bytes, try ImageHeader.read(bytes)) == nil, "\(name)") }
    let broken: [(String, [UInt8])] = [
      ("a small window", picture.png(window: 0)), ("a row too few", picture.png(missing: 1)),
      ("a row too many", picture.png(missing: -1)),
    ]
    for (name, bytes) in broken {
      #expect(PlainStill(bytes, try ImageHeader.read(bytes))?.image(of: bytes) == nil, "\(name)")
    }
  }

  private func pictures(_ bands: Int) -> [TestPicture] {
    [
      .gradient(1, 1, bands: bands), .gradient(1, 300, bands: bands), .noise(257, 3, bands: bands),
      .noise(64, 48, bands: bands), .gradient(200, 150, bands: bands),
      .plain(40, 30, (1...bands).map { $0 * 50 }),
    ]
  }

  @Test(arguments: 1...4) func allPixelsComeBack(bands: Int) throws {
    for picture in pictures(bands) {
      let image = try picture.raster()
      for compression in [0, 1, 6, 9] {
        let bytes = try image.encoded(as: .png(.init(compression: compression)))
        let back = try decoded(bytes)
        #expect((back.width, back.height, back.bands) == (image.width, image.height, bands))
        #expect(back.samples == image.samples, "\(bands) bands, compression \(compression)")
        // Signature, header, pixels and end, without anything else.
        #expect(Self.chunks(bytes) == ["IHDR", "IDAT", "IEND"])
      }
    }
  }

  /// A filter for each row: what grows evenly takes next to nothing. With palettes libvips does it.
  @Test func filtersAndPalettesAreChosen() throws {
    let image = try TestPicture.gradient(200, 150).raster()
    let ours = try image.encoded(as: .png(.init()))
    #expect(try ours.count * 2 < image.save("pngsave_buffer", "filter=none").count)
    #expect(Self.chunks(try image.encoded(as: .png(.init(hasPalette: true)))).contains("PLTE"))
  }

  @Test func aProfileComesBack() throws {
    let image = try TestPicture.noise(30, 20).raster()
    for profile in [TestProfile.p3.bytes, Array(repeating: 7, count: 100_000)] {
      let bytes = try image.encoded(as: .png(.init()), profile)
      #expect(Self.chunks(bytes) == ["IHDR", "iCCP", "IDAT", "IEND"])
      let header = try PictureStructure.check(bytes, formats: [.png], limits: RenderLimits())
      #expect(header.width == 30)
    }
    let back = try decoded(image.encoded(as: .png(.init()), TestProfile.p3.bytes))
    #expect(back.rowFormat.profile == TestProfile.p3.bytes)
  }

  private static func chunks(_ bytes: [UInt8]) -> [String] {
    var names: [String] = []
    var offset = 8
    while offset + 12 <= bytes.count {
      let length = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
      names.append(String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self))
      offset += length + 12
    }
    return names
  }
}
