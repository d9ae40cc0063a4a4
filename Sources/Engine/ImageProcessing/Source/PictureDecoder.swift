import Pictures
import Rendering

/// Decodes one source as often as its results need, and knows whether its bytes are whole.
final class PictureDecoder {
  /// Nil for a picture that came as pixels.
  var format: ImageFormat? { encoded?.header.format }
  /// Upright, in pixels of the full picture.
  let width: Int
  let height: Int
  /// Nil for a picture that came as pixels.
  let info: RenderAnswer.SourceInfo?

  private let encoded: EncodedPicture?
  /// What the decoder itself leaves out for smaller pictures; beyond it they are halved in memory. JPEG
  /// could go down to an eighth, but hardly saves time below a half, and one decode serves more results
  /// (a 20 megapixel photograph: 96, 50, 44 and 40 ms for 1, 2, 4 and 8). Nil where the picture is too
  /// large to be held.
  private let ownShrink: Int?
  /// A decode has reached the end of the bytes without complaint.
  private var isProven = false
  /// The decode held at present; one, so that memory does not add up.
  private var held: (shrink: Int, picture: Picture)?

  /// A decode up to this size is kept in memory; larger ones stream from the bytes where they can.
  static let heldBytes = 96 << 20

  /// What stays at least for the resampling filter. Decoders leave out the upper half of the frequencies,
  /// which is nearly what the filter does: at 1.2 the result is within 0.25 % of one from all pixels, 45 dB
  /// or more on photographs.
  private static let decoderReserve = 1.2
  /// Averages of two by two pixels are a worse filter, and so leave more to the better one.
  private static let halvingReserve = 1.5

  /// Looks at the picture's own header, in its decoder's eyes.
  init(
    _ bytes: [UInt8], header: ImageHeader, limits: RenderLimits, isStrict: Bool, isHead: Bool = false,
    engine: RenderEngine = .automatic
  ) throws(RenderFailure) {
    let encoded = EncodedPicture(
      bytes, header: header, isStrict: isStrict, isHead: isHead, engine: engine)
    self.encoded = encoded
    let facts: EncodedPicture.Facts
    do throws(VipsFailure) {
      facts = try encoded.facts()
    } catch {
      throw PictureDecoder.failure(error, header)
    }
    let isTurned = facts.orientation >= 5
    width = isTurned ? facts.height : facts.width
    height = isTurned ? facts.width : facts.height
    info = RenderAnswer.SourceInfo(
      format: header.format, width: facts.width, height: facts.height, orientation: facts.orientation,
      hasAlpha: facts.hasAlpha, frames: header.frames)
    let byteCount = width * height * min(facts.bands, 4)
    ownShrink = (header.format.facts.shrinks ? [2, 4, 8] : [1]).first {
      byteCount / ($0 * $0) <= PictureDecoder.heldBytes
    }
    // The decoder may see another size than our parser did.
    try limits.check(width: width, height: height, of: "the decoded picture")
  }

  /// A picture that needs no decoding: its first step draws on it as a later one does on a result.
  ///
  /// - Throws: ``RenderFailure`` with the code `worker` where bytes and description contradict each other.
  init(_ pixels: RenderPixels, _ bytes: [UInt8], limits: RenderLimits) throws(RenderFailure) {
    guard (1...4).contains(pixels.channels), bytes.count == pixels.byteCount else {
      throw RenderFailure(
        .worker, "\(bytes.count) bytes are not a picture of \(pixels.width) x \(pixels.height)")
    }
    try limits.check(width: pixels.width, height: pixels.height, of: "the picture")
    (encoded, info, ownShrink) = (nil, nil, nil)
    (width, height) = (pixels.width, pixels.height)
    do throws(VipsFailure) {
      held = (1, Picture(try VipsImage.of(pixels, bytes), note: nil))
    } catch {
      throw PictureDecoder.failure(error, nil)
    }
    isProven = true
  }

  /// The whole picture, its pixels as they are stored, with 1/`shrink` of them a side.
  ///
  /// - Parameter streams: the caller reads the rows once and from top to bottom.
  func picture(shrink: Int, streams: Bool) throws(RenderFailure) -> Picture {
    if let held, held.shrink == shrink { return held.picture }
    if let ownShrink, shrink > ownShrink { return try halved(shrink: shrink) }
    held = nil
    let stored = try load(shrink: shrink)
    let isSmall = stored.byteCount <= PictureDecoder.heldBytes
    if !isSmall && streams {
      // A crop would not read the last rows, and would not notice that they are missing.
      try prove()
      return picture(of: stored)
    }
    let image = try decoding { () throws(VipsFailure) in try stored.inMemory() }
    isProven = true
    let picture = picture(of: image)
    if isSmall { held = (shrink, picture) }
    return picture
  }

  /// Always by the same steps, whatever is held already.
  private func halved(shrink: Int) throws(RenderFailure) -> Picture {
    let larger = try picture(shrink: shrink / 2, streams: false)
    let image = try decoding { () throws(VipsFailure) in try larger.image.inMemory().halved() }
    let picture = picture(of: image)
    held = (shrink, picture)
    return picture
  }

  private func picture(of image: VipsImage) -> Picture {
    Picture(image: image, width: width, height: height, orientation: info?.orientation ?? 1)
  }

  /// - Throws: ``RenderFailure`` with the code `truncated` where the file is cut, or where there is only its head.
  func requireWhole() throws(RenderFailure) {
    guard let encoded, !encoded.header.isComplete else { return }
    throw RenderFailure(
      .truncated, "the \(encoded.header.format.name) data ends before the picture does; fetch it again")
  }

  /// Decodes to the end unless that has been done.
  func prove() throws(RenderFailure) {
    if isProven { return }
    // JPEG reads all its data at any size; the smallest is the cheapest.
    let isJPEG = format == .jpeg
    let image = try load(shrink: isJPEG ? largestShrink : 1)
    try decoding { () throws(VipsFailure) in try image.drain() }
    isProven = true
  }

  /// How many pixels may be left out before the first step: 1, 2, 4 or 8. Depends on the source and the first step only,
  /// so that a result's bytes do not depend on what else is asked for.
  func shrink(for first: RenderStep?) throws(RenderFailure) -> Int {
    guard let scale = try first?.value.scale(of: (width, height)), let ownShrink else { return 1 }
    return [8, 4, 2].first { factor in
      let reserve = factor <= ownShrink ? Self.decoderReserve : Self.halvingReserve
      return factor <= largestShrink && Double(factor) * reserve * scale <= 1
    } ?? 1
  }

  /// The most that the picture bears. libvips rounds a shrunken side down: on a small picture that would
  /// be much of it, and where nothing is left libvips aborts.
  private var largestShrink: Int {
    let leastSide = 8
    return [8, 4, 2].first { min(width, height) >= $0 * leastSide } ?? 1
  }

  var engine: RenderEngine { encoded?.engine ?? .automatic }

  /// Only the beginning of the file is there.
  var isHead: Bool { encoded?.isHead ?? false }

  /// The thumbnail's bytes as they stand in the EXIF block; nil without one.
  func embeddedThumbnail() throws(RenderFailure) -> [UInt8]? {
    guard let encoded else { return nil }
    if encoded.header.format == .jpeg { return EmbeddedThumbnail.bytes(inJPEG: encoded.head) }
    return EmbeddedThumbnail.bytes(inEXIF: try load(shrink: 1).exif)
  }

  /// Runs work that may read from the source.
  func decoding<Result>(_ work: () throws(VipsFailure) -> Result) throws(RenderFailure) -> Result {
    do throws(VipsFailure) {
      return try work()
    } catch {
      throw PictureDecoder.failure(error, encoded?.header)
    }
  }

  /// Lazy; 8 bit sRGB already where more bits would only fill memory.
  private func load(shrink: Int) throws(RenderFailure) -> VipsImage {
    guard let encoded else { throw RenderFailure(.worker, "pixels have nothing to be decoded from") }
    return try decoding { () throws(VipsFailure) in
      let image = try encoded.image(shrink: shrink)
      return image.is8Bit ? image : try image.plain()
    }
  }

  /// libvips' message does not tell a cut file from a damaged one reliably; our own parser does.
  private static func failure(_ failure: VipsFailure, _ header: ImageHeader?) -> RenderFailure {
    if failure.isMemory {
      return RenderFailure(.memory, "the picture needs more memory than a worker may have (max-memory)")
    }
    guard let header else {
      return RenderFailure(.damaged, "the picture cannot be drawn (\(failure.detail))")
    }
    let name = header.format.name
    if !header.isComplete {
      return RenderFailure(
        .truncated, "the \(name) data ends before the picture does; fetch it again (\(failure.detail))")
    }
    return RenderFailure(.damaged, "the \(name) data is damaged (\(failure.detail))")
  }
}
