/// What a picture says about itself before anything is decoded, read by our own bounded parsers.
///
/// A decoder must not see bytes that this did not accept: the search for a loader is itself open to
/// attack (libvips 8.14 hangs in it on a short gzip body), and a picture's cost is known from here.
package struct ImageHeader: Sendable, Hashable {
  package var format: ImageFormat
  /// Stored pixels, before any EXIF rotation. For GIF the logical screen, for HEIF and AVIF the largest
  /// picture in the file.
  package var width: Int
  package var height: Int
  /// Pictures in the file: frames of an animation, pages of a TIFF.
  package var frames = 1
  /// The decoder needs several passes and so holds whole planes: an interlaced PNG, a progressive
  /// or otherwise multi-scan JPEG. For GIF: some frame is interlaced, which costs nothing.
  var isInterlaced = false
  /// Nil where the header does not say.
  var bitsPerSample: Int? = 8
  /// Samples a decoded pixel has, alpha and expanded palettes counted.
  var channels: Int
  /// Bands that mean something; those behind them are to be left out. Nil where that is all of them.
  package var shownChannels: Int?
  /// A hint: the decoded picture is what counts. Nil where the header does not say.
  var hasAlpha: Bool?
  /// What its numbers mean where no profile says so; nil for sRGB and where nothing says it.
  package var space: PictureSpace?
  /// Of HEIF and AVIF; colours that are not drawn, of PNG too.
  package var video = VideoFacts()
  /// A kind that decoders may have no code for: where one fails, that is why, and not damage.
  package var rareKind: String?
  /// Samples in all planes of one frame as stored where they are fewer than the pixels': subsampled chroma counts less.
  var planeSamples: Int?
  /// The space counts more than a profile.
  package var isSpaceOverProfile = false
  /// The header says of colours what makes no sense, or cannot be drawn, and is left alone.
  package var hasOddColors = false
  /// Where an EXIF block stands, of a PNG and a JPEG.
  package var exif: Range<Int>?
  /// The colour profile of a JPEG, in its pieces; nil where its segments are not in good order, which decoders do not all
  /// understand in the same way.
  package var profilePieces: [Range<Int>]?
  /// Where the XMP packet of the picture stands, except for GIF, HEIF and AVIF.
  package var xmp: Range<Int>?
  /// False where the bytes stop before the format's own end mark or before the length it promises.
  /// TIFF has neither, so it is always true there.
  package var isComplete = true

  /// False where more may have belonged to the file although it is complete: a GIF without its trailer, HEIF and AVIF whose
  /// data are missing or go to wherever the file ends.
  var hasOwnEnd = true

  /// A JPEG without its end mark may be whole all the same: only decoding shows that.
  package var isLeftToDecoder: Bool { format == .jpeg && !isComplete }

  var storedSamples: Int { planeSamples ?? product(width, height, channels) }

  /// Reads the header of a picture in any format of the table.
  ///
  /// - Throws: ``RenderFailure`` with the code `format` for anything else, `truncated` where the
  ///   bytes end before the size is known, `damaged` where they contradict the format.
  package static func read(_ bytes: [UInt8]) throws(RenderFailure) -> ImageHeader {
    guard let format = ImageFormat.sniff(bytes) else { throw ForeignFormat.refusal(of: bytes) }
    let source = HeaderBytes(bytes, format)
    let header = try format.facts.readHeader(source)
    guard header.width > 0, header.height > 0 else {
      throw source.damaged("says that it is \(header.width) x \(header.height) pixels")
    }
    return header
  }
}

/// The product of sizes that strangers chose: stays at the largest number instead of overflowing.
package func product(_ factors: Int...) -> Int {
  factors.reduce(1) { result, factor in
    let (value, overflow) = result.multipliedReportingOverflow(by: factor)
    return overflow ? .max : value
  }
}

/// Bounded reading of a picture's header. Running off the end is ``RenderFailure/Code/truncated``,
/// never a trap, so the parsers above it can be written straight down.
struct HeaderBytes {
  let bytes: [UInt8]
  let format: ImageFormat
  private let isLittleEndian: Bool

  init(_ bytes: [UInt8], _ format: ImageFormat) {
    self.bytes = bytes
    self.format = format
    isLittleEndian = format.facts.isLittleEndian(bytes)
  }

  var count: Int { bytes.count }

  func u8(_ offset: Int) throws(RenderFailure) -> Int {
    guard offset >= 0, offset < bytes.count else { throw end() }
    return Int(bytes[offset])
  }

  func u16(_ offset: Int) throws(RenderFailure) -> Int { try number(offset, size: 2) }
  func u24(_ offset: Int) throws(RenderFailure) -> Int { try number(offset, size: 3) }
  func u32(_ offset: Int) throws(RenderFailure) -> Int { try number(offset, size: 4) }

  /// Four characters as one big-endian number, whatever the order of the other numbers.
  func tag(_ offset: Int) throws(RenderFailure) -> Int {
    guard offset >= 0, offset <= bytes.count - 4 else { throw end() }
    return bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  func number(_ offset: Int, size: Int) throws(RenderFailure) -> Int {
    guard offset >= 0, offset <= bytes.count - size else { throw end() }
    var value = 0
    for index in 0..<size {
      let byte = Int(bytes[offset + index])
      value |= byte << (8 * (isLittleEndian ? index : size - 1 - index))
    }
    return value
  }

  /// Where the zeros begin that stand before an offset.
  func zeros(before end: Int) -> Int {
    bytes[..<min(end, count)].lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
  }

  /// Data that do not end in zeros by themselves, but are filled up with them: a disk was full, or a transfer stopped.
  ///
  /// - Parameter end: of the data; what stands behind them may be anything.
  func requireRest(before end: Int) throws(RenderFailure) {
    let start = zeros(before: end)
    // Blocks of EXIF are padded.
    guard end - start > 64 + end / 32 else { return }
    throw onlyZeros(from: start)
  }

  func onlyZeros(from start: Int) -> RenderFailure {
    RenderFailure(.truncated, "the \(format.name) picture holds nothing but zeros from byte \(start) on")
  }

  func end() -> RenderFailure {
    RenderFailure(
      .truncated, "the \(format.name) picture ends inside its header, after \(bytes.count) bytes")
  }

  func damaged(_ what: String) -> RenderFailure {
    RenderFailure(.damaged, "the \(format.name) picture \(what)")
  }
}

/// The number that ``HeaderBytes/tag(_:)`` gives for four ASCII characters.
func fourCharacters(_ text: StaticString) -> Int {
  text.withUTF8Buffer { $0.reduce(0) { $0 << 8 | Int($1) } }
}
