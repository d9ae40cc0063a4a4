import Testing

@testable import Pictures

/// What a header says of its picture, as the tests expect it: `640x480 frames 1`, then what is remarkable; or the code of
/// the refusal.
@Suite(.timeLimit(.minutes(10))) struct ImageHeaderTests {
  private func summary(_ bytes: [UInt8]) -> String {
    do throws(RenderFailure) {
      let header = try ImageHeader.read(bytes)
      var words = [
        "\(header.width)x\(header.height)", "frames \(header.frames)", "channels \(header.channels)",
      ]
      if header.isInterlaced { words.append("interlaced") }
      if header.hasAlpha == true { words.append("alpha") }
      if !header.isComplete { words.append("cut") }
      return words.joined(separator: " ")
    } catch {
      return "\(error.code)"
    }
  }

  private func refusal(_ bytes: [UInt8]) -> RenderFailure? {
    do throws(RenderFailure) { _ = try ImageHeader.read(bytes) } catch { return error }
    return nil
  }

  typealias Row = (expected: String, bytes: [UInt8])

  /// The image is not the thumbnail in a segment; fill bytes and junk between segments are skipped; baseline in several
  /// scans costs as much as progressive; what trails is of no interest.
  static let jpegs: [Row] = {
    let (plain, exif) = (
      Samples.jpeg(64, 48), Samples.segment(0xE1, Array("Exif\0\0".utf8) + Samples.jpeg(160, 120))
    )
    let junk: [UInt8] = [0xFF, 0xFF, 0xFF, 0xE0, 0, 2, 1, 2, 3, 0xFF, 0x00, 9, 0xFF, 0x01]
    let start = Array(plain.prefix(plain.count - 2))
    let scans = Samples.join(start, Samples.segment(0xC4, [1, 2]), Samples.scan(components: 1))
    return [
      ("640x480 frames 1 channels 3", Samples.jpeg(640, 480)),
      ("65535x1 frames 1 channels 1", Samples.jpeg(65_535, 1, factors: [0x11], scanned: 1)),
      ("4000x3000 frames 1 channels 3", Samples.jpeg(4000, 3000, before: exif)),
      ("640x480 frames 1 channels 3", Samples.jpeg(640, 480, before: junk)),
      ("64x48 frames 1 channels 3 interlaced", Samples.jpeg(64, 48, marker: 0xC2)),
      ("64x48 frames 1 channels 3 interlaced", Samples.jpeg(64, 48, marker: 0xCA)),
      ("64x48 frames 1 channels 3 interlaced", Samples.jpeg(64, 48, scanned: 1)),
      ("64x48 frames 1 channels 1", Samples.jpeg(64, 48, factors: [0x11], scanned: 1)),
      ("64x48 frames 1 channels 3 cut", Array(plain.dropLast())), ("64x48 frames 1 channels 3 cut", start),
      ("64x48 frames 1 channels 3", plain + Array("trailing".utf8)),
      // Further scans and their tables lie before the end.
      ("64x48 frames 1 channels 3 cut", scans), ("64x48 frames 1 channels 3", scans + [0xFF, 0xD9]),
      ("damaged", Samples.jpeg(0, 480)), ("format", Samples.jpeg(640, 0)),
      ("damaged", Samples.jpeg(640, 480, factors: [0x01])),
      ("damaged", Samples.jpeg(640, 480, before: Samples.frameHeader(8, 8))),
      ("damaged", [0xFF, 0xD8, 0xFF, 0xD9]), ("damaged", [0xFF, 0xD8, 0xFF, 0xD8]),
      ("damaged", [0xFF, 0xD8, 0xFF, 0xE0, 0, 1]), ("damaged", [0xFF, 0xD8] + Samples.scan()),
    ]
  }()

  static let pngs: [Row] = {
    let animation = Samples.chunk("acTL", Samples.bigEndian(25, 4) + [0, 0, 0, 0])
    let lie = Samples.bigEndian(0xFFFF_FFFF, 4) + Array("IEND....".utf8)
    return [
      ("640x480 frames 1 channels 1", Samples.png(640, 480, colorType: 0)),
      ("640x480 frames 1 channels 3", Samples.png(640, 480, colorType: 2)),
      ("640x480 frames 1 channels 3", Samples.png(640, 480, colorType: 3)),
      ("640x480 frames 1 channels 2 alpha", Samples.png(640, 480, colorType: 4)),
      ("640x480 frames 1 channels 4 alpha", Samples.png(640, 480, colorType: 6)),
      // Transparency of a palette is another channel.
      ("9x8 frames 1 channels 4 alpha", Samples.png(9, 8, colorType: 3, more: Samples.chunk("tRNS", [0]))),
      ("9x8 frames 1 channels 3 interlaced", Samples.png(9, 8, interlace: 1, more: animation)),
      ("9x8 frames 1 channels 3 cut", Samples.png(9, 8, end: lie)), ("damaged", Samples.png(0, 8)),
      ("damaged", Samples.png(1 << 31, 8)), ("damaged", Samples.png(9, 8, colorType: 5)),
      ("damaged", Samples.png(9, 8, bits: 7)), ("damaged", Samples.png(9, 8, interlace: 2)),
      ("damaged", Array(Samples.png(9, 8).prefix(8)) + Samples.chunk("IDAT", [])),
      ("truncated", Array(Samples.png(9, 8).prefix(20))),
    ]
  }()

  /// The screen is the canvas; without one the first frame makes one. A trailer may be missing or late; what is no block, or a
  /// comment without content, is no end.
  static let gifs: [Row] = {
    let (frame, clear) = (Samples.gifFrame(0, 0, 64, 48), Samples.gifTransparency)
    let wide = Samples.gifFrame(60_000, 5, 100, 10) + Samples.gifFrame(0, 50_000, 10, 300)
    let interlaced = Samples.gifFrame(0, 0, 64, 48, interlaced: true)
    let trailers: [[UInt8]] = [[], [0], [0, 0, 0, 0x3B], [0x3B, 1, 2, 3], [0, 0x3B, 0]]
    let rows: [Row] = [
      ("64x48 frames 3 channels 4", Samples.gif(64, 48, frame + frame + frame)),
      ("64x48 frames 1 channels 4 alpha", Samples.gif(64, 48, clear + frame)),
      ("64x48 frames 2 channels 4", Samples.gif(64, 48, wide)),
      ("60000x60000 frames 1 channels 4", Samples.gif(60_000, 60_000, Samples.gifFrame(0, 0, 1, 1))),
      ("7x5 frames 3 channels 4", Samples.gif(0, 0, Samples.gifFrame(0, 0, 7, 5) + wide)),
      ("60100x15 frames 3 channels 4", Samples.gif(0, 0, Samples.gifFrame(0, 0, 0, 0) + wide)),
      ("64x48 frames 1 channels 4 cut", Samples.gif(64, 48, frame, trailer: [0x77, 0x3B])),
      ("64x48 frames 1 channels 4 interlaced", Samples.gif(64, 48, [0x21, 0xFE, 0] + interlaced)),
      ("damaged", Samples.gif(64, 48, [])), ("damaged", Samples.gif(64, 48, [0x77])),
      ("damaged", Samples.gif(0, 48, Samples.gifFrame(0, 0, 0, 48))),
    ]
    return rows + trailers.map { ("64x48 frames 1 channels 4", Samples.gif(64, 48, frame, trailer: $0)) }
  }()

  /// Scaling bits are no part of the size, and frames are counted where the flag says so.
  static let webps: [Row] = {
    // A frame that is no key frame.
    var late = Samples.webpLossy(640, 480)
    late[20] |= 1
    return [
      ("640x480 frames 1 channels 3", Samples.webpLossy(640, 480)),
      ("16384x1 frames 1 channels 4 alpha", Samples.webpLossless(16_384, 1, alpha: true)),
      ("5x16384 frames 1 channels 4", Samples.webpLossless(5, 16_384, alpha: false)),
      ("16777216x7 frames 1 channels 4", Samples.webpExtended(1 << 24, 7, flags: 0)),
      ("640x480 frames 1 channels 3", Samples.webpLossy(640 | 0x4000, 480 | 0xC000)),
      ("9x8 frames 7 channels 4 alpha", Samples.webpExtended(9, 8, flags: 0x12, frames: 7)),
      ("9x8 frames 1 channels 4 alpha", Samples.webpExtended(9, 8, flags: 0x10, frames: 7)),
      ("9x8 frames 2 channels 4", Samples.webpExtended(9, 8, flags: 2, frames: 2) + [0]),
      ("damaged", Samples.webp(Samples.webpChunk("JUNK", [1, 2]))),
      ("damaged", Samples.webp(Samples.webpChunk("VP8L", [0x2E, 0, 0, 0, 0]))),
      ("damaged", Samples.webpLossy(0, 480)), ("damaged", late),
      ("truncated", Array(Samples.webpLossy(640, 480).prefix(28))),
    ]
  }()

  private static let deep: [(tag: Int, type: Int, value: Int)] = [
    (256, 3, 640), (257, 4, 480), (258, 3, 16), (277, 3, 4), (338, 3, 2),
  ]

  /// Of two widths the larger counts; a chain of pages that leads out of the file ends there, and one that loops or never ends
  /// is refused.
  static let tiffs: [Row] = [
    ("640x480 frames 1 channels 4 alpha", Samples.tiff(deep)),
    ("640x480 frames 1 channels 4 alpha", Samples.tiff(deep, little: false)),
    ("9x8 frames 40 channels 3", Samples.tiff([(256, 3, 9), (257, 3, 8)], pages: 40)),
    ("9x8 frames 2 channels 3", Samples.tiff([(256, 3, 9), (257, 3, 8)], next: 1 << 30)),
    ("900x8 frames 1 channels 3", Samples.tiff([(256, 3, 9), (256, 3, 900), (257, 3, 8)])),
    ("900x8 frames 1 channels 3", Samples.tiff([(256, 3, 900), (256, 3, 9), (257, 3, 8)])),
    ("damaged", Samples.tiff([(256, 3, 9), (257, 3, 8)], next: 8)),
    ("damaged", Samples.tiff([(256, 3, 9), (257, 3, 8)], pages: 3, next: 38)),
    ("damaged", Samples.tiff([(256, 3, 9), (257, 3, 8)], pages: 10_001)),
    ("damaged", Samples.tiff([(257, 3, 8)])), ("damaged", Samples.tiff([(256, 2, 8), (257, 3, 8)])),
    ("damaged", Samples.tiff([(256, 3, 8), (257, 3, 8), (277, 3, 65)])),
    ("damaged", [0x49, 0x49, 0x2A, 0, 4, 0, 0, 0, 0, 0]), ("truncated", [0x49, 0x49, 0x2A, 0, 0, 1, 0, 0]),
  ]

  /// The largest picture counts. A box of 64-bit length is read, and one that reaches to the end, too.
  static let heifs: [Row] = {
    let whole = Samples.heif(Samples.sizeProperty(64, 48))
    let sizes = Samples.join(
      Samples.sizeProperty(512, 512), Samples.sizeProperty(4032, 3024), Samples.sizeProperty(320, 240))
    let long = Samples.join(
      Samples.bigEndian(1, 4), Array("mdat".utf8), Samples.bigEndian(18, 8), [1, 2])
    let open = Samples.join([0, 0, 0, 0], Array("mdat123".utf8))
    let zero = Samples.join(
      Array(Samples.heif([]).prefix(20)), Samples.bigEndian(4, 4), Array("meta".utf8))
    return [
      ("4032x3024 frames 1 channels 3", Samples.heif(sizes)), ("64x48 frames 1 channels 3", whole),
      ("64x48 frames 1 channels 3 cut", Array(whole.dropLast())), ("64x48 frames 1 channels 3", whole + long),
      ("64x48 frames 1 channels 3", whole + open), ("damaged", Samples.heif([])),
      ("damaged", Samples.heif(Samples.sizeProperty(0, 7))), ("truncated", Array(whole.prefix(40))),
      ("damaged", zero),
    ]
  }()

  static let rows: [Row] = Array([jpegs, pngs, gifs, webps, tiffs, heifs].joined())

  @Test(arguments: rows)
  func aHeaderSaysWhatItsBytesSay(expected: String, bytes: [UInt8]) {
    #expect(summary(bytes) == expected)
  }

  @Test func cutsAreSeenEverywhere() throws {
    let jpeg = Samples.jpeg(64, 48, before: Samples.segment(0xE0, [1, 2, 3]))
    for length in 3..<(jpeg.count - Samples.scan().count) {
      #expect(summary(Array(jpeg.prefix(length))) == "truncated", "cut at \(length)")
    }
    let (png, webp) = (Samples.png(9, 8), Samples.webpExtended(9, 8, flags: 2, frames: 2))
    for (whole, start) in [(png, 33), (webp, 30)] {
      #expect(try ImageHeader.read(whole).isComplete)
      for length in start..<whole.count {
        #expect(try !ImageHeader.read(Array(whole.prefix(length))).isComplete, "cut at \(length)")
      }
    }
    let frame = Samples.gifFrame(0, 0, 64, 48)
    let gif = Samples.gif(64, 48, frame + Samples.gifTransparency + frame)
    let head = 13 + 6 + 10
    // Between two blocks a file may end: some writers leave the trailer out.
    let ends = [19 + frame.count, 19 + frame.count + 8, gif.count - 1]
    for length in head..<gif.count {
      let isComplete = try ImageHeader.read(Array(gif.prefix(length))).isComplete
      #expect(isComplete == ends.contains(length), "cut at \(length)")
    }
    #expect(summary(Array(gif.prefix(head - 1))) == "truncated")
  }

  /// Apple's own variant: named, and not called damaged, since another upload would not help. `KindTests` has the others.
  @Test func aKindThatOnlyAppleDecodesIsNamed() {
    let failure = refusal(Array(Samples.png(9, 8).prefix(8)) + Samples.chunk("CgBI", [0, 0, 0, 0]))
    #expect(failure?.code == .format && failure?.message.contains("CgBI") == true)
  }

  /// Subsampled chroma counts less, and an odd side rounds up in the smaller planes.
  @Test func samplesAndBitsAreCounted() throws {
    #expect(try ImageHeader.read(Samples.jpeg(100, 100)).storedSamples == 15_000)
    #expect(
      try ImageHeader.read(Samples.jpeg(100, 100, factors: [0x11, 0x11, 0x11])).storedSamples == 30_000)
    #expect(try ImageHeader.read(Samples.jpeg(101, 99)).storedSamples == 101 * 99 + 2 * 51 * 50)
    for row in Self.tiffs.prefix(2) { #expect(try ImageHeader.read(row.bytes).bitsPerSample == 16) }
    let alpha = Samples.box("auxC", [0, 0, 0, 0] + Array("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha".utf8))
    let bits = Samples.box("pixi", [0, 0, 0, 0, 3, 10, 10, 10])
    let heif = Samples.heif(brand: "avif", bits + alpha + Samples.sizeProperty(64, 48))
    let header = try ImageHeader.read(heif)
    #expect(header.bitsPerSample == 10 && header.format == .avif)
    #expect(summary(heif) == "64x48 frames 1 channels 4 alpha")
  }

  /// Another format of the picture is no advice for what is none.
  @Test(arguments: [
    ("<!DOCTYPE html><html><body>Log in</body></html>", true), ("%PDF-1.7", true), ("{\"error\": 1}", true),
    ("", true), ("BM0000", false), ("qoif0000", false),
  ])
  func whatIsNoPictureHasItsOwnAdvice(text: String, hasOwn: Bool) throws {
    let failure = try #require(refusal(Array(text.utf8)))
    #expect(failure.code == .format)
    #expect((failure.advice?.hasPrefix("look at what the URL answers") ?? false) == hasOwn)
  }
}
