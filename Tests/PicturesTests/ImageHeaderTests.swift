import Testing

@testable import Pictures

/// What a test expects of a header, as one line: `640x480 frames 1`, then what is remarkable.
private func summary(_ bytes: [UInt8]) throws -> String {
  let header = try ImageHeader.read(bytes)
  var words = ["\(header.width)x\(header.height)", "frames \(header.frames)", "channels \(header.channels)"]
  if header.isInterlaced { words.append("interlaced") }
  if header.hasAlpha == true { words.append("alpha") }
  if !header.isComplete { words.append("cut") }
  return words.joined(separator: " ")
}

private func code(_ bytes: [UInt8]) throws -> RenderFailure.Code {
  try #require(throws: RenderFailure.self) { try ImageHeader.read(bytes) }.code
}

@Suite(.timeLimit(.minutes(10)))
struct JPEGHeaderTests {
  @Test func theSizeComesFromTheFrameHeader() throws {
    #expect(try summary(Samples.jpeg(640, 480)) == "640x480 frames 1 channels 3")
    #expect(
      try summary(Samples.jpeg(65_535, 1, factors: [0x11], scanned: 1)) == "65535x1 frames 1 channels 1")
  }

  @Test func theThumbnailInsideAnAppSegmentIsNotTheImage() throws {
    let exif = Samples.segment(0xE1, Array("Exif\0\0".utf8) + Samples.jpeg(160, 120))
    #expect(try summary(Samples.jpeg(4000, 3000, before: exif)) == "4000x3000 frames 1 channels 3")
  }

  @Test func fillBytesAndJunkBetweenSegmentsAreSkipped() throws {
    let junk: [UInt8] = [0xFF, 0xFF, 0xFF, 0xE0, 0, 2, 1, 2, 3, 0xFF, 0x00, 9, 0xFF, 0x01]
    #expect(try summary(Samples.jpeg(640, 480, before: junk)) == "640x480 frames 1 channels 3")
  }

  @Test(arguments: [0xC2, 0xCA] as [UInt8])
  func progressiveIsSeen(_ marker: UInt8) throws {
    #expect(try ImageHeader.read(Samples.jpeg(64, 48, marker: marker)).isInterlaced)
  }

  /// Named, and not called damaged: another upload would not help.
  @Test func kindsThatAreNotDecodedAreNamed() throws {
    func refusal(_ bytes: [UInt8]) -> RenderFailure? {
      do throws(RenderFailure) { _ = try ImageHeader.read(bytes) } catch { return error }
      return nil
    }
    let kinds: [(UInt8, String)] = [
      (0xC3, "lossless"), (0xC7, "lossless"), (0xC5, "hierarchical"), (0xF7, "JPEG-LS"),
    ]
    for (marker, name) in kinds {
      let failure = refusal(Samples.jpeg(64, 48, marker: marker))
      #expect(failure?.code == .format && failure?.message.contains(name) == true, "\(marker)")
    }
    #expect(
      refusal(Samples.jpeg(64, 48, before: [0xFF, 0x9E, 0, 2]))?.message.contains("marker FF9E") == true)
    var deep = Samples.jpeg(64, 48)
    deep[6] = 12
    #expect(refusal(deep)?.message.contains("JPEG of 12 bits a channel") == true)
    #expect(refusal(deep)?.advice?.contains("8 bits") == true)
  }

  @Test func baselineInSeveralScansCostsAsMuchAsProgressive() throws {
    #expect(try ImageHeader.read(Samples.jpeg(64, 48, scanned: 1)).isInterlaced)
    #expect(try !ImageHeader.read(Samples.jpeg(64, 48, factors: [0x11], scanned: 1)).isInterlaced)
  }

  @Test func subsampledChromaCountsLess() throws {
    #expect(try ImageHeader.read(Samples.jpeg(100, 100)).storedSamples == 15_000)
    #expect(
      try ImageHeader.read(Samples.jpeg(100, 100, factors: [0x11, 0x11, 0x11])).storedSamples == 30_000)
    // An odd side rounds up in the smaller planes.
    #expect(try ImageHeader.read(Samples.jpeg(101, 99)).storedSamples == 101 * 99 + 2 * 51 * 50)
  }

  @Test func aPictureWithoutItsEndMarkIsNotWhole() throws {
    let whole = Samples.jpeg(64, 48)
    #expect(try !ImageHeader.read(Array(whole.prefix(whole.count - 1))).isComplete)
    #expect(try !ImageHeader.read(Array(whole.prefix(whole.count - 2))).isComplete)
    #expect(try ImageHeader.read(whole + Array("trailing".utf8)).isComplete)
    // Further scans and their tables lie before the end.
    let start = Array(whole.prefix(whole.count - 2))
    let scans = Samples.join(start, Samples.segment(0xC4, [1, 2]), Samples.scan(components: 1))
    #expect(try !ImageHeader.read(scans).isComplete)
    #expect(try ImageHeader.read(scans + [0xFF, 0xD9]).isComplete)
  }

  @Test func everyCutBeforeTheScanIsTruncated() throws {
    let whole = Samples.jpeg(64, 48, before: Samples.segment(0xE0, [1, 2, 3]))
    for length in 3..<(whole.count - Samples.scan().count) {
      #expect(try code(Array(whole.prefix(length))) == .truncated, "cut at \(length)")
    }
  }

  @Test func contradictionsAreDamage() throws {
    #expect(try code(Samples.jpeg(0, 480)) == .damaged)
    #expect(try code(Samples.jpeg(640, 0)) == .damaged)
    #expect(try code(Samples.jpeg(640, 480, factors: [0x01])) == .damaged)
    #expect(try code(Samples.jpeg(640, 480, before: Samples.frameHeader(8, 8))) == .damaged)
    #expect(try code([0xFF, 0xD8, 0xFF, 0xD9]) == .damaged)
    #expect(try code([0xFF, 0xD8, 0xFF, 0xD8]) == .damaged)
    #expect(try code([0xFF, 0xD8, 0xFF, 0xE0, 0, 1]) == .damaged)
    #expect(try code([0xFF, 0xD8] + Samples.scan()) == .damaged)
  }
}

@Suite(.timeLimit(.minutes(10)))
struct PNGHeaderTests {
  @Test(
    arguments: [
      (0, "channels 1"), (2, "channels 3"), (3, "channels 3"), (4, "channels 2 alpha"),
      (6, "channels 4 alpha"),
    ] as [(UInt8, String)])
  func colourTypesHaveTheirChannels(_ type: UInt8, _ expected: String) throws {
    #expect(try summary(Samples.png(640, 480, colorType: type)) == "640x480 frames 1 \(expected)")
  }

  @Test func transparencyOfAPaletteIsAnotherChannel() throws {
    let bytes = Samples.png(9, 8, colorType: 3, more: Samples.chunk("tRNS", [0]))
    #expect(try summary(bytes) == "9x8 frames 1 channels 4 alpha")
  }

  @Test func interlaceAndAnimationAreSeen() throws {
    let animation = Samples.chunk("acTL", Samples.bigEndian(25, 4) + [0, 0, 0, 0])
    #expect(
      try summary(Samples.png(9, 8, interlace: 1, more: animation))
        == "9x8 frames 25 channels 3 interlaced")
  }

  @Test func withoutItsLastChunkItIsNotWhole() throws {
    let whole = Samples.png(9, 8)
    #expect(try ImageHeader.read(whole).isComplete)
    for length in 33..<whole.count {
      #expect(try !ImageHeader.read(Array(whole.prefix(length))).isComplete, "cut at \(length)")
    }
    let lie = Samples.png(9, 8, end: Samples.bigEndian(0xFFFF_FFFF, 4) + Array("IEND....".utf8))
    #expect(try !ImageHeader.read(lie).isComplete)
  }

  @Test func contradictionsAreDamage() throws {
    #expect(try code(Samples.png(0, 8)) == .damaged)
    #expect(try code(Samples.png(1 << 31, 8)) == .damaged)
    #expect(try code(Samples.png(9, 8, colorType: 5)) == .damaged)
    #expect(try code(Samples.png(9, 8, bits: 7)) == .damaged)
    #expect(try code(Samples.png(9, 8, interlace: 2)) == .damaged)
    #expect(try code(Array(Samples.png(9, 8).prefix(8)) + Samples.chunk("IDAT", [])) == .damaged)
    #expect(try code(Array(Samples.png(9, 8).prefix(20))) == .truncated)
  }

  @Test func appleOwnVariantIsRefusedByName() throws {
    let bytes = Samples.png(9, 8).prefix(8) + Samples.chunk("CgBI", [0, 0, 0, 0])
    let failure = try #require(throws: RenderFailure.self) { try ImageHeader.read(Array(bytes)) }
    #expect(failure.code == .format)
    #expect(failure.message.contains("CgBI"))
  }
}

@Suite(.timeLimit(.minutes(10)))
struct ForeignFormatTests {
  /// Another format of the picture is no advice for what is none.
  @Test(arguments: [
    ("<!DOCTYPE html><html><body>Log in</body></html>", true), ("%PDF-1.7", true), ("{\"error\": 1}", true),
    ("", true), ("BM0000", false), ("qoif0000", false),
  ])
  func whatIsNoPictureHasItsOwnAdvice(text: String, hasOwn: Bool) throws {
    let failure = try #require(throws: RenderFailure.self) { try ImageHeader.read(Array(text.utf8)) }
    #expect(failure.code == .format)
    #expect((failure.advice?.hasPrefix("look at what the URL answers") ?? false) == hasOwn)
  }
}

@Suite(.timeLimit(.minutes(10)))
struct GIFHeaderTests {
  @Test func framesAreCounted() throws {
    let frame = Samples.gifFrame(0, 0, 64, 48)
    #expect(
      try summary(Samples.gif(64, 48, frame + frame + frame)) == "64x48 frames 3 channels 4")
    #expect(
      try summary(Samples.gif(64, 48, Samples.gifTransparency + frame)) == "64x48 frames 1 channels 4 alpha")
  }

  @Test func theScreenIsTheCanvas() throws {
    let frames = Samples.gifFrame(60_000, 5, 100, 10) + Samples.gifFrame(0, 50_000, 10, 300)
    #expect(try summary(Samples.gif(64, 48, frames)) == "64x48 frames 2 channels 4")
    #expect(try summary(Samples.gif(60_000, 60_000, Samples.gifFrame(0, 0, 1, 1))).hasPrefix("60000x60000"))
    // Without a screen the first frame makes one.
    #expect(try summary(Samples.gif(0, 0, Samples.gifFrame(0, 0, 7, 5) + frames)).hasPrefix("7x5"))
    #expect(try summary(Samples.gif(0, 0, Samples.gifFrame(0, 0, 0, 0) + frames)).hasPrefix("60100x15"))
  }

  @Test func cutsInsideOfBlocksAreSeen() throws {
    let frame = Samples.gifFrame(0, 0, 64, 48)
    let whole = Samples.gif(64, 48, frame + Samples.gifTransparency + frame)
    let head = 13 + 6 + 10
    // Between two blocks a file may end: some writers leave the trailer out.
    let ends = [19 + frame.count, 19 + frame.count + 8, whole.count - 1]
    for length in head..<whole.count {
      let isComplete = try ImageHeader.read(Array(whole.prefix(length))).isComplete
      #expect(isComplete == ends.contains(length), "cut at \(length)")
    }
    #expect(try code(Array(whole.prefix(head - 1))) == .truncated)
  }

  @Test(arguments: [[], [0], [0, 0, 0, 0x3B], [0x3B, 1, 2, 3], [0, 0x3B, 0]] as [[UInt8]])
  func theTrailerMayBeMissingOrLate(end: [UInt8]) throws {
    let bytes = Samples.gif(64, 48, Samples.gifFrame(0, 0, 64, 48), trailer: end)
    #expect(try ImageHeader.read(bytes).isComplete)
  }

  @Test func whatIsNoBlockIsNoEnd() throws {
    let bytes = Samples.gif(64, 48, Samples.gifFrame(0, 0, 64, 48), trailer: [0x77, 0x3B])
    #expect(try !ImageHeader.read(bytes).isComplete)
  }

  @Test func aCommentWithoutContentIsNoEnd() throws {
    let comment: [UInt8] = [0x21, 0xFE, 0]
    let bytes = Samples.gif(64, 48, comment + Samples.gifFrame(0, 0, 64, 48, interlaced: true))
    #expect(try summary(bytes) == "64x48 frames 1 channels 4 interlaced")
  }

  @Test func withoutAFrameOrASizeItIsDamaged() throws {
    #expect(try code(Samples.gif(64, 48, [])) == .damaged)
    #expect(try code(Samples.gif(64, 48, [0x77])) == .damaged)
    #expect(try code(Samples.gif(0, 48, Samples.gifFrame(0, 0, 0, 48))) == .damaged)
  }
}

@Suite(.timeLimit(.minutes(10)))
struct WebPHeaderTests {
  @Test func theThreeKindsAreRead() throws {
    #expect(try summary(Samples.webpLossy(640, 480)) == "640x480 frames 1 channels 3")
    #expect(
      try summary(Samples.webpLossless(16_384, 1, alpha: true)) == "16384x1 frames 1 channels 4 alpha")
    #expect(try summary(Samples.webpLossless(5, 16_384, alpha: false)) == "5x16384 frames 1 channels 4")
    #expect(try summary(Samples.webpExtended(1 << 24, 7, flags: 0)) == "16777216x7 frames 1 channels 4")
  }

  @Test func scalingBitsAreNoPartOfTheSize() throws {
    #expect(try summary(Samples.webpLossy(640 | 0x4000, 480 | 0xC000)).hasPrefix("640x480"))
  }

  @Test func framesAreCountedWhereTheFlagSaysSo() throws {
    #expect(
      try summary(Samples.webpExtended(9, 8, flags: 0x12, frames: 7)) == "9x8 frames 7 channels 4 alpha")
    #expect(
      try summary(Samples.webpExtended(9, 8, flags: 0x10, frames: 7)) == "9x8 frames 1 channels 4 alpha")
  }

  @Test func fewerBytesThanPromisedAreACut() throws {
    let whole = Samples.webpExtended(9, 8, flags: 2, frames: 2)
    #expect(try ImageHeader.read(whole + [0]).isComplete)
    for length in 30..<whole.count {
      #expect(try !ImageHeader.read(Array(whole.prefix(length))).isComplete, "cut at \(length)")
    }
  }

  @Test func contradictionsAreDamage() throws {
    #expect(try code(Samples.webp(Samples.webpChunk("JUNK", [1, 2]))) == .damaged)
    #expect(try code(Samples.webp(Samples.webpChunk("VP8L", [0x2E, 0, 0, 0, 0]))) == .damaged)
    #expect(try code(Samples.webpLossy(0, 480)) == .damaged)
    // A frame that is no key frame.
    var bytes = Samples.webpLossy(640, 480)
    bytes[20] |= 1
    #expect(try code(bytes) == .damaged)
    #expect(try code(Array(Samples.webpLossy(640, 480).prefix(28))) == .truncated)
  }
}

@Suite(.timeLimit(.minutes(10)))
struct TIFFHeaderTests {
  @Test(arguments: [true, false])
  func bothByteOrdersAreRead(_ little: Bool) throws {
    let bytes = Samples.tiff(
      [(256, 3, 640), (257, 4, 480), (258, 3, 16), (277, 3, 4), (338, 3, 2)], little: little)
    #expect(try summary(bytes) == "640x480 frames 1 channels 4 alpha")
    #expect(try ImageHeader.read(bytes).bitsPerSample == 16)
  }

  @Test func pagesAreCounted() throws {
    #expect(try summary(Samples.tiff([(256, 3, 9), (257, 3, 8)], pages: 40)).hasPrefix("9x8 frames 40 "))
    // A chain that leads out of the file ends there.
    #expect(try summary(Samples.tiff([(256, 3, 9), (257, 3, 8)], next: 1 << 30)).hasPrefix("9x8 frames 2 "))
  }

  @Test func aChainOfPagesThatLoopsOrNeverEndsIsRefused() throws {
    #expect(try code(Samples.tiff([(256, 3, 9), (257, 3, 8)], next: 8)) == .damaged)
    #expect(try code(Samples.tiff([(256, 3, 9), (257, 3, 8)], pages: 3, next: 38)) == .damaged)
    #expect(try code(Samples.tiff([(256, 3, 9), (257, 3, 8)], pages: 10_001)) == .damaged)
  }

  @Test func ofTwoWidthsTheLargerCounts() throws {
    #expect(try summary(Samples.tiff([(256, 3, 9), (256, 3, 900), (257, 3, 8)])).hasPrefix("900x8"))
    #expect(try summary(Samples.tiff([(256, 3, 900), (256, 3, 9), (257, 3, 8)])).hasPrefix("900x8"))
  }

  @Test func contradictionsAreDamage() throws {
    #expect(try code(Samples.tiff([(257, 3, 8)])) == .damaged)
    #expect(try code(Samples.tiff([(256, 2, 8), (257, 3, 8)])) == .damaged)
    #expect(try code(Samples.tiff([(256, 3, 8), (257, 3, 8), (277, 3, 65)])) == .damaged)
    #expect(try code([0x49, 0x49, 0x2A, 0, 4, 0, 0, 0, 0, 0]) == .damaged)
    #expect(try code([0x49, 0x49, 0x2A, 0, 0, 1, 0, 0]) == .truncated)
  }
}

@Suite(.timeLimit(.minutes(10)))
struct HEIFHeaderTests {
  @Test func theLargestPictureCounts() throws {
    let sizes =
      Samples.sizeProperty(512, 512) + Samples.sizeProperty(4032, 3024) + Samples.sizeProperty(320, 240)
    #expect(try summary(Samples.heif(sizes)) == "4032x3024 frames 1 channels 3")
    #expect(try ImageHeader.read(Samples.heif(brand: "avif", sizes)).format == .avif)
  }

  @Test func depthAndAlphaComeFromTheProperties() throws {
    let alpha = Samples.box("auxC", [0, 0, 0, 0] + Array("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha".utf8))
    let bits = Samples.box("pixi", [0, 0, 0, 0, 3, 10, 10, 10])
    let header = try ImageHeader.read(Samples.heif(bits + alpha + Samples.sizeProperty(64, 48)))
    #expect(header.bitsPerSample == 10)
    #expect(header.hasAlpha == true)
    #expect(header.channels == 4)
  }

  @Test func aCutBodyIsSeen() throws {
    let whole = Samples.heif(Samples.sizeProperty(64, 48))
    #expect(try ImageHeader.read(whole).isComplete)
    #expect(try !ImageHeader.read(Array(whole.prefix(whole.count - 1))).isComplete)
    // A box of 64-bit length is read, and one that reaches to the end, too.
    let long = Samples.bigEndian(1, 4) + Array("mdat".utf8) + Samples.bigEndian(18, 8) + [1, 2]
    #expect(try ImageHeader.read(whole + long).isComplete)
    #expect(try ImageHeader.read(whole + [0, 0, 0, 0] + Array("mdat123".utf8)).isComplete)
  }

  @Test func withoutASizeItIsRefused() throws {
    #expect(try code(Samples.heif([])) == .damaged)
    #expect(try code(Samples.heif(Samples.sizeProperty(0, 7))) == .damaged)
    #expect(try code(Array(Samples.heif(Samples.sizeProperty(64, 48)).prefix(40))) == .truncated)
    let zero = Samples.heif([]).prefix(20) + Samples.bigEndian(4, 4) + Array("meta".utf8)
    #expect(try code(Array(zero)) == .damaged)
  }
}
